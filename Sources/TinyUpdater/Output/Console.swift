internal import Platform
internal import Updater

/// Where and how the program writes: text, JSON lines, or errors only.
enum Console: Equatable {
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
  func report(_ error: UpdateError) -> ExitStatus {
    report(ExitStatus(error), error.sentence) { json in
      switch error {
      case .outOfSpace(let needed, let available, _), .noSpaceForIndex(_, let needed, let available):
        json.add("needed", needed)
        json.add("available", available)
      case .outOfFiles(let needed, let available, _):
        json.add("neededFiles", needed)
        json.add("availableFiles", available)
      default: break
      }
    }
  }

  func report(_ status: ExitStatus, _ sentence: String, _ fill: (inout JSON) -> Void = { _ in }) -> ExitStatus
  {
    let level: Log.Level = status == .cancelled || status == .busy ? .warning : .error
    Log.add(level, "\(status.name) (exit \(status.rawValue)): \(sentence)", isSaid: true)
    emit("result") { json in
      json.add("result", status.name)
      json.add("exit", status.rawValue)
      json.add("message", sentence)
      fill(&json)
    }
    if self != .json { Terminal.writeLine("tinyupdater: \(sentence)", to: .error) }
    return status
  }

  /// Says how an operation failed that is not this process's own.
  func complain(_ error: UpdateError, of command: String) -> ExitStatus {
    let status = ExitStatus(error)
    Log.add(
      .error, "\(command) ended: \(status.name) (exit \(status.rawValue)): \(error.sentence)", isSaid: true)
    if self != .json { Terminal.writeLine("tinyupdater: \(command): \(error.sentence)", to: .error) }
    return status
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
