internal import ArgumentParser
internal import Crypto
internal import Publisher
internal import Trust

/// `tinypublish key add`.
struct KeyAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a key to a role.",
    discussion:
      "Makes the key here, or takes the public key that \"key make\" printed on another machine.")

  @OptionGroup
  var repository: RepositoryOptions

  @Argument(help: "The role.")
  var role: Root.TopLevel

  @Option(help: "The type of the key: ed25519, ecdsa or rsa.")
  var keyType = SignatureScheme.ed25519

  @Option(
    help: ArgumentHelp("The public key of a key on another machine.", valueName: "file"), completion: .file())
  var `public`: String?

  @Option(help: ArgumentHelp("How many keys must sign. (default: unchanged)", valueName: "count"))
  var threshold: Int?

  @OptionGroup
  var pending: PendingOptions

  @OptionGroup
  var answers: AnswerOptions

  func run() throws {
    try repository.change("key add", answers) { (session) throws(PublisherError) in
      let new: MetadataSession.NewKey
      if let path = `public` {
        new = .elsewhere(try MetadataKey(publicKeyAt: path))
      } else {
        new = .made(keyType)
      }
      let change = try session.addKey(new, to: role, threshold: threshold, waiting: pending.waiting)
      return try KeyChangeView.change(change, in: session.store)
    }
  }
}
