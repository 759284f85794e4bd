internal import ArgumentParser
internal import Platform
internal import Publisher

/// `tinypublish plan`.
struct PlanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Write the work of a release as jobs for other machines.",
    discussion: """
      Writes the components of the release to the repository, and every payload that is to be made as a line of JSON \
      to a file. "work" makes one of them, anywhere the repository is mounted; then "release" with the same options \
      takes what is there, and makes the rest.

      Needs no keys; devices see nothing of it.
      """)

  @OptionGroup
  var making: MakingOptions

  @Option(
    help: ArgumentHelp("Write the jobs to FILE, one on each line, the longest first.", valueName: "file"),
    completion: .file())
  var jobsTo: String

  @Option(
    help: ArgumentHelp(
      "Also write a file for ninja, which does the jobs on this machine.", valueName: "file"),
    completion: .file())
  var ninja: String?

  @OptionGroup
  var answers: AnswerOptions

  func run() async throws {
    var reporter = answers.begin("plan")
    if let warning = Output.zlibWarning { reporter.warn(warning) }
    let list: JobList
    do throws(PublisherError) {
      let (output, ninja) = try outputs()
      list = try await making.publication(making.options).jobList { reporter.show(.release($0)) }
      try list.write(to: output, ninja: ninja)
    } catch { throw reporter.fail(error) }
    reporter.clear()
    answers.write(Answer.Plan(list), text: text(list))
    reporter.end(.success)
  }

  /// The files to write in the end, checked before anything is made.
  private func outputs() throws(PublisherError) -> (OutputPath, NinjaFile?) {
    do throws(OperandError) {
      let inputs = making.input.map { [$0] } ?? []
      let output = try OutputPath(file: jobsTo, inputs: inputs)
      guard let ninja else { return (output, nil) }
      let other = try OutputPath(file: ninja, inputs: inputs)
      guard !other.isSame(as: output) else { throw OperandError.sameFile(path: ninja, as: jobsTo) }
      return (output, NinjaFile(other, program: try PlanCommand.program()))
    } catch { throw PublisherError(error) }
  }

  /// The path of this program.
  private static func program() throws(OperandError) -> String {
    do throws(Failure) {
      return try Directory(opening: "/proc/self").readSymbolicLink("exe") ?? "tinypublish"
    } catch { throw .file(error) }
  }

  private func text(_ list: JobList) -> String {
    guard !list.jobs.isEmpty else {
      return "Release \(Output.release(list.release)) has no payloads to wait for. Make it.\n"
    }
    return Output.lines([
      ("release", Output.release(list.release)), ("jobs", "0 to \(list.jobs.count - 1)"),
      ("seconds", "\(list.seconds) of one processor, an estimate"),
      ("memory", "up to \(Output.size(list.largestMemory)) for one job"),
      ("new files", Output.size(list.size)),
    ])
  }
}
