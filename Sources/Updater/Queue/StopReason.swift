internal import Platform

/// Why an operation is to stop before its end.
enum StopReason: Equatable {
  /// The user pressed Ctrl-C (SIGINT).
  case interrupted
  /// A shutdown, a service manager or a closed session (SIGTERM, SIGHUP).
  case terminated
  /// Its cancellation is requested in the queue, in part or as a whole.
  case cancelled
  /// An operation that a user requested takes priority over this automatic one.
  case preempted(by: UInt64)

  /// The reason that signals give; nil if none has arrived.
  static func signal() -> StopReason? {
    guard StopSignal.isRaised else { return nil }
    return StopSignal.isCancellation ? .interrupted : .terminated
  }
}
