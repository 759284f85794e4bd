internal import ArgumentParser
internal import Platform
internal import Publisher

/// `tinypublish sign export`.
struct SignExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Copy the files that wait for signatures.")

  @Argument(help: ArgumentHelp("The repository.", valueName: "repo"), completion: .directory)
  var repository: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The directory to copy to.", valueName: "dir"),
    completion: .directory)
  var output = "."

  @OptionGroup
  var answers: AnswerOptions

  func run() throws {
    var reporter = answers.begin("sign export")
    do throws(PublisherError) {
      let repository = try Repository(opening: repository)
      let paths = try PendingFiles(of: repository).export(to: output, of: repository)
      answers.write(Answer.Export(files: paths), text: paths.map { $0 + "\n" }.joined())
    } catch { throw reporter.fail(error) }
    reporter.end(.success)
  }
}
