internal import Platform

/// Why an operation is to stop before its end.
enum StopReason: Equatable {
  /// The user pressed Ctrl-C (SIGINT) for this operation.
  case interrupted
  /// The process ends: at a shutdown, by a service manager, with its session (SIGTERM, SIGHUP), or because the user
  /// pressed Ctrl-C for another operation.
  case terminated
  /// Its cancellation is requested in the queue.
  case cancelled
  /// The cancellation of a part of it is requested in the queue.
  case narrowed
  /// An operation that a user requested takes priority over this automatic one.
  case preempted(by: UInt64)
  /// It is automatic, and something has come in its way.
  case postponed(Obstacle)

  /// The reason that signals give; nil if none has arrived.
  ///
  /// - `waiter`: whom they interrupt.
  static func signal(to waiter: OperationWaiter) -> StopReason? {
    guard StopSignal.isRaised else { return nil }
    return StopSignal.isCancellation && waiter == .thisProcess ? .interrupted : .terminated
  }

  /// The operation waits again, and resumes from what it has staged.
  var isResumed: Bool {
    switch self {
    case .terminated, .narrowed, .preempted, .postponed: true
    case .interrupted, .cancelled: false
    }
  }
}

/// Who waits for an operation to end.
enum OperationWaiter {
  /// This process was started for it: SIGINT cancels it.
  case thisProcess
  /// Another process, or nobody.
  case another
}
