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

      Releases are signed (The Update Framework). The private keys are kept beside the repository, never in it.

      Files in the repository never change; devices see a release only when it is complete.

      "tinypublish --licenses" shows what is linked into this program, and under which terms.
      """,
    version: "\(productVersion) (\(PatchMaker.libraries))",
    subcommands: [
      InitCommand.self, StatusCommand.self, ReleaseCommand.self, RolloutCommand.self, DatesCommand.self,
      RecallCommand.self,
      TimestampCommand.self,
      RenewCommand.self,
      PlanCommand.self, WorkCommand.self, PruneCommand.self, BundleCommand.self, PushCommand.self,
      KeyCommand.self, SignCommand.self,
      VerifyCommand.self,
      InspectCommand.self, ReportCommand.self,
      DiffCommand.self,
    ])

  /// The message for refused memory; it cannot be composed then.
  private static let outOfMemory: StaticString =
    "tinypublish: out of memory; lower --memory or --jobs, or raise the limit of this process, and run the command again\n"

  static func main() async {
    tu_keep_freed_memory()
    tu_when_out_of_memory(outOfMemory.utf8Start, 23)
    if CommandLine.arguments.dropFirst().allSatisfy({ ["--version", "--licenses"].contains($0) }),
      CommandLine.arguments.contains("--licenses")
    {
      Terminal.write(Licences.text + Licences.ofPublisher)
      return
    }
    refuseUnknownCommand()
    await main(nil)
  }

  /// Refuses a command that is mistyped: the parser would complain about its options.
  private static func refuseUnknownCommand() {
    guard let word = CommandLine.arguments.dropFirst().first, word.utf8.first != UInt8(ascii: "-") else {
      return
    }
    let names = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    if names.contains(word) { return }
    let meant = Spelling.closest(to: word, among: names).map { "; did you mean \($0)?" } ?? ""
    exit(withError: ValidationError("there is no command \"\(word)\"\(meant)"))
  }
}
