internal import ArgumentParser
internal import Platform
internal import Publisher
internal import Releases

/// `tinypublish push`.
struct PushCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "push",
    abstract: "Copy a repository to a server or an object store, in the order that devices need.",
    discussion: """
      rclone does the copying, so DEST is what that takes: a directory, REMOTE:BUCKET/PATH of its configuration, or \
      :s3,provider=AWS,env_auth=true:BUCKET/PATH without one.

      Files that are there already are not copied again. Until the last step devices see what they saw before, so the \
      command can be interrupted at any time and repeated. Nothing is removed. Signing keys stay where they are.
      """)

  @Argument(help: ArgumentHelp("The repository.", valueName: "repo"), completion: .directory)
  var repository: String

  @Argument(help: ArgumentHelp("Where devices will find it.", valueName: "dest"))
  var destination: String

  @OptionGroup
  var answers: AnswerOptions

  func run() throws {
    StopSignal.listen()
    var reporter = answers.begin("push")
    let report: Push.Report
    do throws(PublisherError) {
      var push = try Push(Repository(opening: repository), to: Destination(destination)) {
        reporter.show(.copying($0, files: $1))
      }
      report = try push.run()
    } catch { throw reporter.fail(error) }
    reporter.clear()
    if let warning = record(report) { reporter.warn(warning) }
    answers.write(Answer.Push(report, to: Destination(destination).shown), text: text(report))
    reporter.end(.success)
  }

  /// Records the push for `status`; a sentence if that failed, which takes nothing from the push.
  private func record(_ report: Push.Report) -> String? {
    do throws(PublisherError) {
      try PushRecord(report, to: Destination(destination), now: Clock.now)
        .write(to: Repository(opening: repository))
      return nil
    } catch {
      return "Everything is copied, but \"tinypublish status\" will not know of it. \(error.sentence)"
    }
  }

  private func text(_ report: Push.Report) -> String {
    let release = report.release.map { "release \($0.number), \($0.label)" } ?? "no release"
    return """
      \(Destination(destination).shown.printable()) has \(release): \(report.files) files, \(ByteCount(report.size).text); \
      \(report.copied) of them were copied now.

      """
  }
}
