internal import ArgumentParser

/// How a long command reports on standard error.
struct ProgressOptions: ParsableArguments {
  /// The form of a command's lines on standard error.
  enum Form: String, ExpressibleByArgument, CaseIterable {
    /// Sentences, and a bar on a terminal.
    case auto
    /// A JSON object per line.
    case json
  }

  @Option(
    name: .customLong("progress"),
    help: ArgumentHelp(
      """
      What is written to standard error: auto, for people, with a bar on a terminal; json, only JSON objects, one per \
      line, for programs.
      """, valueName: "form"))
  var form = Form.auto

  /// Begins to report; `command` is its name.
  func begin(_ command: String, isQuiet: Bool = false, isVerbose: Bool = false) -> any Reporter {
    switch form {
    case .auto: ProgressDisplay(isQuiet: isQuiet, isVerbose: isVerbose)
    case .json: ProgressLines(command)
    }
  }
}
