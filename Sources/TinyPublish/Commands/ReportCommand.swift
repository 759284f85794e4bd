internal import ArgumentParser
internal import Platform
internal import Publisher
internal import Reporting

/// `tinypublish report`.
struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Write pages that show what releases have, and what devices download.",
    discussion: """
      A page for each of the newest releases, to be opened from disk or put on any web server: a map of the packages, \
      tables, what devices at older releases download, what made the largest updates large, and the history. A page \
      loads nothing from elsewhere; without JavaScript it has the same tables. report.json has the figures for programs.

      The repository is only read. DIR is made, or is a report whose pages are replaced when the new ones are complete.
      """)

  @Argument(help: ArgumentHelp("The repository.", valueName: "repo"), completion: .directory)
  var repository: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Where to write it.", valueName: "dir"), completion: .directory)
  var output: String

  @Option(
    help: ArgumentHelp(
      "Memory limit for looking into patches. (default: half of the memory)", valueName: "bytes"))
  var memory: ByteArgument?

  @OptionGroup
  var answers: AnswerOptions

  func run() async throws {
    StopSignal.listen()
    var reporter = answers.begin("report")
    let share = MachineShare()
    do throws(PublisherError) {
      let survey = try Survey(
        of: try Repository(opening: repository), jobs: share.processors,
        memory: Int(clamping: memory?.bytes ?? share.halfOfMemory),
        shouldStop: { StopSignal.isRaised })
      // Refused before hours of work.
      var folder = try onReport { () throws(ReportError) in try ReportFolder(output) }
      let report = try await survey.run { reporter.show(.reporting($0)) }
      let pages = try onReport { () throws(ReportError) in try folder.write(report) }
      reporter.clear()
      let page = "\(PathParts.withoutTrailingSlash(output))/index.html"
      answers.write(report, text: "\(page): \(pages) release\(pages == 1 ? "" : "s")\n")
    } catch { throw reporter.fail(error) }
    reporter.end(.success)
  }

  private func onReport<Result: ~Copyable>(
    _ body: () throws(ReportError) -> Result
  ) throws(PublisherError) -> Result {
    do throws(ReportError) { return try body() } catch { throw PublisherError(error) }
  }
}
