internal import ArgumentParser
internal import Publisher

/// `tinypublish sign import`.
struct SignImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import signatures, and publish the changes that have enough of them.",
    discussion: "The keys of snapshot and timestamp must be on this machine.")

  @Argument(help: ArgumentHelp("The repository.", valueName: "repo"), completion: .directory)
  var repository: String

  @Argument(help: "The signed files.", completion: .file())
  var files: [String]

  @OptionGroup
  var keys: KeyOptions

  func run() throws {
    try change(repository, keys) { (session) throws(PublisherError) in
      (try session.importSignatures(files), "", "Published.")
    }
  }
}
