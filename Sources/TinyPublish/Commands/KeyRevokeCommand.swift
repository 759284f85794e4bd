internal import ArgumentParser
internal import Publisher
internal import Trust

/// `tinypublish key revoke`.
struct KeyRevokeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Remove a key from a role.",
    discussion: "The file of its private key, if it is here, is renamed and not deleted.")

  @OptionGroup
  var repository: RepositoryOptions

  @Argument(help: "The role.")
  var role: Root.TopLevel

  @Argument(help: ArgumentHelp("The first digits of the key's id, at least eight.", valueName: "keyid"))
  var id: String

  @Option(help: ArgumentHelp("How many keys must sign. (default: unchanged)", valueName: "count"))
  var threshold: Int?

  @OptionGroup
  var pending: PendingOptions

  @OptionGroup
  var answers: AnswerOptions

  func run() throws {
    try repository.change("key revoke", answers) { (session) throws(PublisherError) in
      let change = try session.revokeKey(id, of: role, threshold: threshold, waiting: pending.waiting)
      return try KeyChangeView.change(change, in: session.store)
    }
  }
}
