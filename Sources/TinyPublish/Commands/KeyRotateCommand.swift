internal import ArgumentParser
internal import Publisher
internal import Trust

/// `tinypublish key rotate`.
struct KeyRotateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate", abstract: "Replace a key with a new one.",
    discussion: "The new key is made here and has the same type. The replacement is one new root.")

  @OptionGroup
  var repository: RepositoryOptions

  @Argument(help: "The role.")
  var role: Root.TopLevel

  @Argument(
    help: ArgumentHelp(
      "The first digits of the old key's id, at least eight; not needed if the role has only one key.",
      valueName: "keyid"))
  var id: String?

  @OptionGroup
  var pending: PendingOptions

  @OptionGroup
  var answers: AnswerOptions

  func run() throws {
    try repository.change("key rotate", answers) { (session) throws(PublisherError) in
      let change = try session.rotateKey(id, of: role, waiting: pending.waiting)
      return try KeyChangeView.change(change, in: session.store)
    }
  }
}
