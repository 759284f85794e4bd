internal import ArgumentParser
internal import Publisher

/// `tinypublish sign import`.
struct SignImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Take signatures over, and publish what has enough of them.",
    discussion: "The keys of snapshot and timestamp have to be here.")

  @Argument(help: ArgumentHelp("The repository.", valueName: "repo"), completion: .directory)
  var repository: String

  @Argument(help: "The files that were signed.", completion: .file())
  var files: [String]

  @OptionGroup
  var keys: KeyOptions

  func run() throws {
    try change(repository, keys) { (session) throws(PublisherError) in
      (try session.importSignatures(files), "", "Published.")
    }
  }
}
