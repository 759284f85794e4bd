internal import ArgumentParser
internal import Publisher

/// `tinypublish key list`.
struct KeyListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the keys of each role, and which of them are here.")

  @Argument(help: ArgumentHelp("The repository.", valueName: "repo"), completion: .directory)
  var repository: String

  @OptionGroup
  var keys: KeyOptions

  @OptionGroup
  var answers: AnswerOptions

  func run() throws {
    var reporter = answers.begin("key list")
    do throws(PublisherError) {
      let list = try KeyList(of: try Repository(opening: repository), in: keys.store(for: repository))
      answers.write(list.answer, text: list.text)
    } catch { throw reporter.fail(error) }
    reporter.end(.success)
  }
}
