internal import ArgumentParser
internal import Platform
internal import Publisher

/// What of the machine a command that makes payloads may use.
struct MachineOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "How many processors are used. (default: all)", valueName: "count"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Memory limit for match search, shared by all jobs. (default: half of the memory)",
      valueName: "bytes"))
  var memory: ByteArgument?

  func validate() throws {
    if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 1024.") }
  }

  var options: Publication.Options {
    var options = Publication.Options { Clock.now }
    let share = MachineShare()
    options.jobs = jobs ?? share.processors
    options.memory = Int(clamping: memory?.bytes ?? share.halfOfMemory)
    return options
  }
}
