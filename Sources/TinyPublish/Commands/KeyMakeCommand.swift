internal import ArgumentParser
internal import Crypto
internal import Platform
internal import Publisher
internal import Trust

/// `tinypublish key make`.
struct KeyMakeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make", abstract: "Make a key on a machine without the repository.",
    discussion: """
      Prints its public key to standard output. Take that to the repository: "key add REPO ROLE --public FILE".
      """)

  @Argument(help: "The role that the key is for.")
  var role: Root.TopLevel

  @Option(help: ArgumentHelp("The directory of the private keys.", valueName: "dir"), completion: .directory)
  var keys: String

  @Option(help: "The type of the key: ed25519, ecdsa or rsa.")
  var keyType = SignatureScheme.ed25519

  @OptionGroup
  var passphrase: PassphraseOptions

  @OptionGroup
  var answers: AnswerOptions

  func run() throws {
    var reporter = answers.begin("key make")
    do throws(PublisherError) {
      let store = passphrase.store(keys)
      try store.makeDirectory()
      let key = try store.make(role, scheme: keyType)
      Terminal.writeLine(key.json.text)
      // The line above is for a file.
      if !answers.json && !answers.quiet && answers.progress.form == .auto {
        Terminal.writeLine("The private key is \(store.path(role, id: key.id).printable()).", to: .error)
      }
    } catch { throw reporter.fail(error) }
    reporter.end(.success)
  }
}
