internal import Platform
internal import Updater

/// How the program speaks.
enum OutputStyle: Equatable {
  /// A person looks at a terminal.
  case bar
  /// Text in lines, for a log or a pipe.
  case lines(verbose: Bool)
  /// One JSON object per line.
  case json
  /// Only errors.
  case quiet

  init(json: Bool, quiet: Bool, verbose: Bool) {
    if json {
      self = .json
    } else if quiet {
      self = .quiet
    } else if Terminal.isInteractive(.error) && !verbose {
      self = .bar
    } else {
      self = .lines(verbose: verbose)
    }
  }

  /// Says an answer in words, unless it is asked for as JSON or not at all.
  func say(_ text: String) {
    switch self {
    case .bar, .lines: Terminal.writeLine(text)
    case .json, .quiet: break
    }
  }

  /// Writes an event if JSON is asked for.
  func emit(_ event: String, _ fill: (inout JSON) -> Void) {
    guard self == .json else { return }
    var json = JSON()
    json.add("event", event)
    fill(&json)
    Terminal.writeLine(json.text)
  }

  /// Says why a command failed; its exit status.
  func report(_ error: UpdateError) -> ExitStatus { report(ExitStatus(error), error.sentence) }

  func report(_ status: ExitStatus, _ sentence: String) -> ExitStatus {
    emit("result") { json in
      json.add("result", status.name)
      json.add("exit", status.rawValue)
      json.add("message", sentence)
    }
    if self != .json { Terminal.writeLine("tinyupdater: \(sentence)", to: .error) }
    return status
  }

  /// Says how an operation failed that is not this process's own.
  func complain(_ error: UpdateError, of command: String) -> ExitStatus {
    if self != .json { Terminal.writeLine("tinyupdater: \(command): \(error.sentence)", to: .error) }
    return ExitStatus(error)
  }

  /// The closing event of a command that went well.
  func emitResult(_ status: ExitStatus, _ fill: (inout JSON) -> Void = { _ in }) {
    emit("result") { json in
      json.add("result", status.name)
      json.add("exit", status.rawValue)
      fill(&json)
    }
  }
}
