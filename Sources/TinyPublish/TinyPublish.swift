internal import ArgumentParser
internal import CMemory
internal import DeltaCreate
internal import Platform

/// The publisher's program.
@main
struct TinyPublish: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tinypublish",
    abstract: "Publish map data for devices that run tinyupdater.",
    discussion: """
      A repository is a directory that any web server can serve. Make one with "init", then add a release to it \
      whenever the maps have changed.

        tinypublish init /srv/maps
        tinypublish release /srv/maps --label 2024-06-30 build/maps

      Releases are signed (The Update Framework). The private keys lie beside the repository, never in it.

      What is in the repository stays as it is; devices see a release only when all of it is there.
      """,
    version: "\(productVersion) (\(PatchMaker.libraries))",
    subcommands: [
      InitCommand.self, ReleaseCommand.self, RolloutCommand.self, TimestampCommand.self, RenewCommand.self,
      PruneCommand.self, KeyCommand.self, SignCommand.self, VerifyCommand.self, InspectCommand.self,
      DiffCommand.self,
    ])

  /// What is said when memory is refused: nothing can be composed by then.
  private static let outOfMemory: StaticString =
    "tinypublish: out of memory; lower --memory or --jobs, or raise the limit of this process, and run the command again\n"

  static func main() async {
    tu_when_out_of_memory(outOfMemory.utf8Start, 23)
    await main(nil)
  }
}
