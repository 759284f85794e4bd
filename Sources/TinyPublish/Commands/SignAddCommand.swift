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

  @OptionGroup
  var answers: AnswerOptions

  func run() throws {
    var reporter = answers.begin("sign add")
    do throws(PublisherError) {
      let output: OutputPath
      do throws(OperandError) { output = try OutputPath(file: file, inputs: []) } catch {
        throw PublisherError(error)
      }
      var signed = try SignedFile(at: file)
      // Before the passphrase is asked for.
      if !answers.json && !answers.quiet { Output.write(try MetadataView.content(of: signed) + "\n") }
      let ids = try signed.sign(in: passphrase.store(keys), savedAt: output)
      let list = ids.map { MetadataKey.short($0) }.joined(separator: ", ")
      let answer = try Answer.Signing(signed, at: file, by: ids)
      answers.write(answer, text: "\(file) is now signed by these \(signed.role.name) keys: \(list).\n")
    } catch { throw reporter.fail(error) }
    reporter.end(.success)
  }
}
