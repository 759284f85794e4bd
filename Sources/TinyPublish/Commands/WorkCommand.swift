internal import ArgumentParser
internal import MapModel
internal import Platform
internal import Publisher

/// `tinypublish work`.
struct WorkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "work", abstract: "Make one payload of a plan.",
    discussion: """
      FILE was written by "plan". --index chooses the job; without it, the first of these variables that is set: \
      \(JobIndex.variables.joined(separator: ", ")). Jobs are counted from 0.

      A job whose payload is there does nothing. Any number of jobs can run at a time, even the same one twice. The \
      release makes whatever a lost job did not.
      """)

  @Argument(help: ArgumentHelp("The file of the plan.", valueName: "file"), completion: .file())
  var file: String

  @Option(help: ArgumentHelp("The number of the job, counted from 0.", valueName: "index"))
  var index: Int?

  @Option(
    help: ArgumentHelp(
      "Where the repository is on this machine. (default: where it was for the plan)", valueName: "repo"),
    completion: .directory)
  var repository: String?

  @OptionGroup
  var answers: AnswerOptions

  func validate() throws {
    guard index ?? 0 >= 0 else { throw ValidationError("--index takes a number of at least 0.") }
  }

  func run() throws {
    let started = Clock.milliseconds
    var reporter = answers.begin("work")
    let job: WorkJob
    let outcome: JobRun.Outcome
    do throws(PublisherError) {
      guard let index = index ?? JobIndex.fromEnvironment() else { throw .job(.noIndex(path: file)) }
      job = try JobFile.job(index, of: file)
      outcome = try JobRun(job, of: file, in: repository).run()
    } catch { throw reporter.fail(error) }
    let milliseconds = Clock.milliseconds - started
    answers.write(
      Answer.Work(outcome, of: job, milliseconds: milliseconds),
      text: "\(text(outcome, of: job)) (\(Seconds.text(milliseconds)))\n")
    reporter.end(.success)
  }

  private func text(_ outcome: JobRun.Outcome, of job: WorkJob) -> String {
    let payload = "\(job.component.path): \(job.base == nil ? "packed" : "patch")"
    return switch outcome {
    case .made(let size): "\(payload), \(ByteCount(size).text)"
    case .there(let size): "\(payload), \(ByteCount(size).text), was there"
    case .notWorthwhile: "\(payload), not worthwhile"
    }
  }
}
