internal import ArgumentParser
internal import Platform
internal import Publisher

/// Writes the events of a command to standard error, for people or for programs.
protocol Reporter {
  mutating func show(_ event: ProgressEvent)

  /// Takes events from other threads, at any time.
  var workObserver: WorkEvent.Observer { get }

  /// Erases the progress bar, before something else is printed.
  func clear()

  /// Reports how the command ended; nothing follows.
  mutating func end(_ ending: CommandEnding)
}

/// How a command ended.
struct CommandEnding {
  /// As in `docs/exit-codes.md`.
  let name: String
  let exit: Int32
  /// What happened and what to do next; nil after success.
  let sentence: String?

  static let success = CommandEnding(name: "Success", exit: 0, sentence: nil)

  private init(name: String, exit: Int32, sentence: String?) {
    (self.name, self.exit, self.sentence) = (name, exit, sentence)
  }

  init(_ status: ExitStatus, _ sentence: String) {
    self.init(name: status.name, exit: status.rawValue, sentence: sentence)
  }

  init(_ error: PublisherError) {
    if error == .stopped {
      // As a shell reports a process that a signal has ended.
      self.init(name: "OperationCancelled", exit: 128 + StopSignal.number, sentence: error.sentence)
    } else {
      self.init(ExitStatus(error), error.sentence)
    }
  }
}

extension Reporter {
  mutating func warn(_ sentence: String) { show(.warning(sentence)) }

  /// Reports the error and returns its exit code; ends the process if a signal stopped it.
  mutating func fail(_ error: PublisherError) -> ExitCode {
    clear()
    end(CommandEnding(error))
    if error == .stopped { StopSignal.end() }
    return ExitCode(ExitStatus(error).rawValue)
  }

  /// Reports an ending that is not success and returns its exit code.
  mutating func fail(_ status: ExitStatus, _ sentence: String) -> ExitCode {
    clear()
    end(CommandEnding(status, sentence))
    return ExitCode(status.rawValue)
  }

  /// Reports the missing signatures and returns the exit code of a change that waits for signatures.
  mutating func pending(_ missing: [MissingSignatures], in repository: String) -> ExitCode {
    fail(.pending, MetadataView.sentence(missing, in: repository))
  }
}
