internal import Platform

/// Beats while an operation is carried out: whatever takes long calls it between two steps.
///
/// A few times a second a beat shows other processes that the work continues, and looks at the queue. One object for
/// all parts of a run, since the beat also comes from inside libcurl's callbacks.
final class Heartbeat {
  private var pulse: (() -> Void)?
  private var monitor: QueueMonitor?
  private var next: UInt64 = 0
  /// What the queue says; once found it stays.
  private var reason: StopReason?
  private var isInterruptible = true

  init() { monitor = nil }

  /// From now on `pulse` is called and `monitor` asked a few times a second.
  func begin(_ monitor: consuming QueueMonitor, pulse: (() -> Void)?) {
    self.monitor = consume monitor
    self.pulse = pulse
    reason = nil
    next = 0
  }

  /// Only signals count again.
  func end() {
    monitor = nil
    pulse = nil
    reason = nil
  }

  /// Why the work is to stop now; nil if it continues.
  func beat() -> StopReason? {
    if isInterruptible, let reason = StopReason.signal() ?? reason { return reason }
    let now = Clock.milliseconds
    guard now >= next else { return nil }
    switch monitor {
    case .none: return nil
    case .some(let monitor):
      next = now + 200
      pulse?()
      if let found = monitor.pollStopReason() { reason = found }
    }
    return isInterruptible ? reason : nil
  }

  /// The same as a question, for modules that only need to know whether to continue.
  func shouldStop() -> Bool { beat() != nil }

  func throwIfStopped() throws(UpdateError) {
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
