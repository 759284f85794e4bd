internal import ArgumentParser
internal import Crypto
internal import Publisher
internal import Trust

/// `tinypublish key add`.
struct KeyAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Let one more key sign for a role.",
    discussion:
      "Makes the key here, or takes the public key of one that was made elsewhere with \"key make\".")

  @Argument(help: ArgumentHelp("The repository.", valueName: "repo"), completion: .directory)
  var repository: String

  @Argument(help: "The role.")
  var role: Root.TopLevel

  @Option(help: "The kind of the key: ed25519, ecdsa or rsa.")
  var keyType = SignatureScheme.ed25519

  @Option(
    help: ArgumentHelp("The public key of one that is elsewhere.", valueName: "file"), completion: .file())
  var `public`: String?

  @Option(help: ArgumentHelp("How many keys have to sign. (default: as before)", valueName: "count"))
  var threshold: Int?

  @OptionGroup
  var keys: KeyOptions

  func run() throws {
    try change(repository, keys) { (session) throws(PublisherError) in
      let new: MetadataSession.NewKey
      if let path = `public` {
        new = .elsewhere(try MetadataKey(publicKeyAt: path))
      } else {
        new = .made(keyType)
      }
      let change = try session.addKey(new, to: role, threshold: threshold)
      return (change.outcome, try KeyChangeView.note(change, session.store), KeyChangeView.done(change))
    }
  }
}
