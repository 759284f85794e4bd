internal import ArgumentParser

/// How a command answers: for people or for programs, or not at all.
struct AnswerOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print only warnings and errors.")
  var quiet = false

  @Flag(help: "Print the answer as JSON.")
  var json = false

  @OptionGroup
  var progress: ProgressOptions

  /// Begins to report; `command` is its name.
  func begin(_ command: String, isVerbose: Bool = false) -> any Reporter {
    progress.begin(command, isQuiet: quiet, isVerbose: isVerbose)
  }

  /// Writes the answer to standard output, in the form that was asked for; JSON also if it is to be quiet.
  func write(_ answer: @autoclosure () -> some Encodable, text: @autoclosure () -> String) {
    if json { Answer.write(answer()) } else if !quiet { Output.write(text()) }
  }
}
