internal import Platform
internal import Updater

/// Where and how the program writes: text, JSON lines, or errors only.
enum Console: Equatable {
  /// Text with a progress bar, on a terminal.
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

  /// Writes a line of text, unless the output is JSON or errors only.
  func say(_ text: String) {
    switch self {
    case .bar, .lines: Terminal.writeLine(text)
    case .json, .quiet: break
    }
  }

  /// Writes a line of text; a terminal gets lines of its width, and those after the first are indented.
  func say(_ text: String, indent: Int) {
    say(TextStyle().columns.map { text.wrapped(to: $0 - 1, indent: min(indent, $0 / 2)) } ?? text)
  }

  /// Says how a command ended, and logs it.
  func conclude(_ command: String, _ sentence: String, as level: Log.Level = .info) {
    Log.add(level, text: sentence, standardError: .written)
    say("\(command): \(sentence)")
  }

  /// Writes an event if the output is JSON.
  func emit(_ event: String, _ fill: (inout JSON) -> Void) {
    guard self == .json else { return }
    var json = JSON()
    json.add("event", event)
    fill(&json)
    Terminal.writeLine(json.text)
  }

  /// Writes why the command failed and returns its exit status.
  func report(_ error: Failure) -> ExitStatus {
    report(error.result, sentence: error.sentence) { json in
      if case .outOfSpace(let needed, let available, _) = error {
        json.add("needed", needed)
        json.add("available", available)
      } else if case .noSpaceForIndex(_, let needed, let available) = error {
        json.add("needed", needed)
        json.add("available", available)
      } else if case .outOfFiles(let needed, let available, _) = error {
        json.add("neededFiles", needed)
        json.add("availableFiles", available)
      } else if case .packagesRefused(let ids, _, _) = error {
        json.add("refused", ids)
      }
    }
  }

  func report(_ status: ExitStatus, sentence: String, _ fill: (inout JSON) -> Void = { _ in }) -> ExitStatus {
    let level: Log.Level = status == .cancelled || status == .busy ? .warning : .error
    Log.add(level, text: "\(status.name) (exit \(status.rawValue)): \(sentence)", standardError: .written)
    emit("result") { json in
      json.add("result", status.name)
      json.add("exit", status.rawValue)
      json.add("message", sentence)
      fill(&json)
    }
    if self != .json { Terminal.writeLine("tinyupdater: \(sentence)", to: .error) }
    return status
  }

  /// Writes why an operation failed that another process had asked for, and returns its exit status.
  func complain(_ error: Failure, of command: String) -> ExitStatus {
    let status = error.result
    Log.add(
      .error, text: "\(command) ended: \(status.name) (exit \(status.rawValue)): \(error.sentence)",
      standardError: .written)
    if self != .json { Terminal.writeLine("tinyupdater: \(command): \(error.sentence)", to: .error) }
    return status
  }

  /// Writes the closing event of a command that succeeded.
  func emitResult(_ status: ExitStatus, _ fill: (inout JSON) -> Void = { _ in }) {
    emit("result") { json in
      json.add("result", status.name)
      json.add("exit", status.rawValue)
      fill(&json)
    }
  }
}
