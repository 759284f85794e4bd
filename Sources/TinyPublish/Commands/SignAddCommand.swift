internal import ArgumentParser
internal import Platform
internal import Publisher
internal import Trust

/// `tinypublish sign add`.
struct SignAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Sign a file with the keys on this machine.",
    discussion: "Needs no repository. Shows the content of the file before signing it.")

  @Argument(help: "The exported file.", completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp("The directory of the private keys. (default: the current one)", valueName: "dir"),
    completion: .directory)
  var keys = "."

  @OptionGroup
  var passphrase: PassphraseOptions

  func run() throws {
    do throws(PublisherError) {
      let output: OutputPath
      do throws(OperandError) { output = try OutputPath(file: file, inputs: []) } catch {
        throw PublisherError(error)
      }
      var signed = try SignedFile(at: file)
      Output.write(try MetadataView.content(of: signed) + "\n")
      let ids = try signed.sign(in: passphrase.store(keys), savedAt: output)
      let list = ids.map { MetadataKey.short($0) }.joined(separator: ", ")
      Output.writeLine("\(file) is now signed by these \(signed.role.name) keys: \(list).")
    } catch { throw fail(error) }
  }
}
