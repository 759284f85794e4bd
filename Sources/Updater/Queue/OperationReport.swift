package import Platform
package import Store
internal import Transport

/// What became of an operation, and what it took.
package struct OperationReport: Equatable {
  /// "apply", "install", "uninstall", "repair", "rollback" or "activate".
  package let command: String
  /// Nil if it was carried out without the queue.
  package let operation: QueuedOperation?
  package let ending: Ending
  package let figures: RunFigures
  /// Attempts at a request that failed, the last one of a failed operation included.
  package let failedAttempts: UInt64
  /// The URL of the last of them, and its cause; empty if none failed.
  package let lastFailure: String
  /// Bytes that came over the network, of metadata and catalogs too.
  package let downloaded: UInt64
  package let milliseconds: UInt64

  /// Nil if it ended before there was one, or needs none.
  package var plan: Plan? { figures.plan }

  /// No operation can run until an update in place is resumed.
  package var blocksQueue: Bool {
    if case .failed(let error) = ending { error.stopsInPlace } else { false }
  }

  /// What the error means that ended it; nil if none did.
  package var failure: Disposition? {
    if case .failed(let error) = ending { error.disposition } else { nil }
  }

  /// How far it got.
  package indirect enum Ending: Equatable {
    case done(Outcome)
    case failed(Failure)
    /// A user's operation takes priority; this one waits again and keeps what it has staged.
    case steppedAside(for: UInt64)
    /// It is automatic, and something has come in its way; it waits and keeps what it has staged.
    case postponed(Obstacle)
    /// A part of it was cancelled; the rest waits.
    case narrowed

    init(_ result: Result<Outcome, Failure>) {
      switch result {
      case .success(let outcome): self = .done(outcome)
      case .failure(let error): self = .failed(error)
      }
    }

    var isCancelled: Bool {
      if case .failed(let error) = self { error.isCancelled } else { false }
    }

    /// Nothing resumes from what the operation has staged.
    var emptiesStaging: Bool {
      switch self {
      case .done: true
      case .failed(let error): error.emptiesStaging
      case .steppedAside, .postponed, .narrowed: false
      }
    }
  }

  init(
    _ command: String, for operation: QueuedOperation?, ending: Ending, figures: RunFigures,
    failures: ConnectionFailures, downloaded: UInt64, milliseconds: UInt64
  ) {
    var failures = failures
    // The last attempt is not an event of the connection, but the error itself.
    if case .failed(let error) = ending, let failure = error.failedRequest {
      failures.add(failure)
    }
    self.command = command
    self.operation = operation
    self.ending = ending
    self.figures = figures
    failedAttempts = failures.attempts
    lastFailure = failures.last
    self.downloaded = downloaded
    self.milliseconds = milliseconds
  }
}
