internal import Platform

/// Beats while an operation is carried out: whatever takes long calls it between two steps.
///
/// A few times a second a beat shows other processes that the work continues, and asks whether the queue has changed.
/// One object for all parts of a run, since the beat also comes from inside libcurl's callbacks, where nothing changes
/// the queue.
final class Heartbeat {
  private var pulse: (() -> Void)?
  private var monitor: QueueMonitor?
  private var next: UInt64 = 0
  private var nextRest: UInt64 = 0
  /// What the queue says; once found it stays.
  private var reason: StopReason?
  private var isInterruptible = true
  private var waiter = OperationWaiter.thisProcess

  /// Milliseconds between two questions about the queue.
  private let interval: UInt64

  init(interval: UInt64 = 200) {
    monitor = nil
    self.interval = interval
  }

  /// From now on `pulse` is called and `monitor` asked a few times a second.
  ///
  /// - `waiter`: who waits for the operation.
  func begin(_ monitor: consuming QueueMonitor, for waiter: OperationWaiter, pulse: @escaping () -> Void) {
    self.monitor = consume monitor
    self.waiter = waiter
    self.pulse = pulse
    reason = nil
    (next, nextRest) = (0, 0)
  }

  /// From now on only signals count.
  ///
  /// - Returns: why the operation was to stop; nil if it was not.
  func end() -> StopReason? {
    defer { (reason, waiter) = (nil, .thisProcess) }
    monitor = nil
    pulse = nil
    return stopReason
  }

  /// Why the operation is to stop, as far as the last beat found out.
  var stopReason: StopReason? { StopReason.signal(to: waiter) ?? reason }

  /// Why the work is to stop now; nil if it continues.
  func beat() -> StopReason? {
    if isInterruptible, let stopReason { return stopReason }
    let now = Clock.milliseconds
    guard now >= next, monitor != nil else { return nil }
    next = now + interval
    pulse?()
    if let found = monitor?.pollStopReason() { reason = found }
    return isInterruptible ? reason : nil
  }

  /// The same as a question, for code that libcurl has called.
  func shouldStopWithinCall() -> Bool { beat() != nil }

  /// The same everywhere else; waiting operations are cancelled as requested.
  func shouldStop() -> Bool {
    let now = Clock.milliseconds
    if now >= nextRest {
      nextRest = now + interval
      monitor?.cancelWaitingOperations()
    }
    return beat() != nil
  }

  func throwIfStopped() throws(Failure) {
    if shouldStop() { throw .cancelled }
  }

  /// Runs `body` to its end: it beats, and nothing stops it.
  func uninterrupted<Result: ~Copyable, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    isInterruptible = false
    defer { isInterruptible = true }
    return try body()
  }
}
