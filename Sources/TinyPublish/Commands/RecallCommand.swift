internal import ArgumentParser
internal import MapModel
internal import Publisher
internal import Releases
internal import Trust

/// `tinypublish recall`.
struct RecallCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recall", abstract: "Take a release back: devices leave it.",
    discussion: """
      Devices that have the release leave it by themselves, to the maps that they have kept, or else to the newest other \
      release; no device takes it any more. For devices that have to go back without maps that they have kept, patches \
      to the release before are made.

      Devices see the recall before that. The command can be interrupted and repeated.
      """)

  @OptionGroup
  var repository: RepositoryOptions

  @Argument(help: "The label of the release.")
  var label: String

  @Option(help: ArgumentHelp("Why, in a line that people see on their devices.", valueName: "reason"))
  var because: String

  @OptionGroup
  var machine: MachineOptions

  @OptionGroup
  var expiry: ExpiryOptions

  @OptionGroup
  var answers: AnswerOptions

  func validate() throws { try expiry.check([.targets, .snapshot, .timestamp]) }

  func run() async throws {
    var reporter = answers.begin("recall")
    var options = machine.options
    options.validity = expiry.validity
    options.observeWork = reporter.workObserver
    let report: Recalling.Report
    do throws(PublisherError) {
      let recalling = try Recalling(
        label, because: because, in: try Repository(opening: repository.path), options: options)
      report = try await recalling.run(signing: repository.signing.store(for: repository.path)) {
        if $0 == .published { say("Release \(label) is recalled: devices leave it from now on.") }
      } _: {
        reporter.show(.release($0))
      }
    } catch { throw reporter.fail(error) }
    reporter.clear()
    if answers.json { Answer.write(Answer.Recall(report)) } else { for line in lines(report) { say(line) } }
    if case .pending(let missing) = report.outcome { throw reporter.pending(missing, in: repository.path) }
    reporter.end(.success)
  }

  private func say(_ line: String) {
    if !answers.json && !answers.quiet { Output.writeLine(line) }
  }

  private func lines(_ report: Recalling.Report) -> [String] {
    var lines = report.waysBack.map { "Devices go back from \($0.from.text) to \($0.to.text), by patches." }
    if report.leavesNothing {
      lines.append(
        """
        No other release is for all devices: they keep \(report.release.release.text) until there is one, such as by \
        "tinypublish release \(repository.path) --again LABEL".
        """)
    }
    return lines
  }
}
