internal import ArgumentParser
internal import Publisher
internal import Trust

/// `tinypublish key rotate`.
struct KeyRotateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate", abstract: "Put a new key in the place of an old one.",
    discussion: "The new key is made here and is of the same kind. All of it is one new root.")

  @Argument(help: ArgumentHelp("The repository.", valueName: "repo"), completion: .directory)
  var repository: String

  @Argument(help: "The role.")
  var role: Root.TopLevel

  @Argument(
    help: ArgumentHelp(
      "The beginning of the old key's id, at least eight digits; not needed where there is only one key.",
      valueName: "keyid"))
  var id: String?

  @OptionGroup
  var keys: KeyOptions

  func run() throws {
    try change(repository, keys) { (session) throws(PublisherError) in
      let change = try session.rotateKey(id, of: role)
      return (change.outcome, try KeyChangeView.note(change, session.store), KeyChangeView.done(change))
    }
  }
}
