internal import ArgumentParser
internal import Platform
internal import Publisher
internal import Trust

/// `tinypublish sign add`.
struct SignAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Sign a file with the keys that are here.",
    discussion: "Needs no repository. Shows first what it is that is signed.")

  @Argument(help: "The file that was exported.", completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp("The directory of the private keys. (default: this one)", valueName: "dir"),
    completion: .directory)
  var keys = "."

  @OptionGroup
  var passphrase: PassphraseOptions

  func run() throws {
    do throws(PublisherError) {
      var signed = try SignedFile(at: file)
      Output.write(try MetadataView.content(of: signed) + "\n")
      let ids = try signed.sign(in: passphrase.store(keys), savedAt: file)
      let list = ids.map { String($0.prefix(16)) }.joined(separator: ", ")
      Terminal.writeLine("\(file) is now signed by the \(signed.role.name) keys that are here: \(list).")
    } catch { throw fail(error) }
  }
}
