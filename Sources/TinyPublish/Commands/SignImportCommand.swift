internal import ArgumentParser
internal import Publisher

/// `tinypublish sign import`.
struct SignImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import signatures, and publish the changes that have enough of them.",
    discussion: "The keys of snapshot and timestamp must be on this machine.")

  @OptionGroup
  var repository: RepositoryOptions

  @Argument(help: "The signed files.", completion: .file())
  var files: [String]

  @OptionGroup
  var answers: AnswerOptions

  func run() throws {
    try repository.change("sign import", answers) { (session) throws(PublisherError) in
      RepositoryOptions.Change(
        outcome: try session.importSignatures(files), done: "Published.", answer: Answer.Format())
    }
  }
}
