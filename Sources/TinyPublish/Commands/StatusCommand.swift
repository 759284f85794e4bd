internal import ArgumentParser
internal import Platform
internal import Publisher

/// `tinypublish status`.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the releases of a repository, and what is to be done for it.",
    discussion: """
      Its releases with their dates, what waits for signatures, when the metadata of each role expires, what a lost key \
      means, and where it was pushed last. Warnings say which command to run; they do not change the exit code.

      The repository is only read, and no key is needed.
      """)

  @Argument(help: ArgumentHelp("The repository.", valueName: "repo"), completion: .directory)
  var repository: String

  @OptionGroup
  var answers: AnswerOptions

  func run() throws {
    var reporter = answers.begin("status")
    do throws(PublisherError) {
      let status = try RepositoryStatus(of: try Repository(opening: repository), now: Clock.now)
      let view = StatusView(status)
      answers.write(Answer.Status(status, warnings: view.warnings), text: view.text)
      for warning in view.warnings { reporter.warn(warning) }
    } catch { throw reporter.fail(error) }
    reporter.end(.success)
  }
}
