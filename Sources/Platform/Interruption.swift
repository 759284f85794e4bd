internal import CPlatform
internal import Synchronization

/// The request to stop: by a signal, or by whatever the watch of the current work finds.
///
/// A signal only sets a flag. Long work looks at it between two steps and ends in good order. SIGINT is a user's
/// cancellation. SIGTERM and SIGHUP come from a shutdown, a service manager or a closed session: the work stops, and the
/// next run resumes it.
package enum Interruption {
  private static var stop: Int { 1 }
  private static var cancel: Int { 2 }
  /// The flags that have arrived; written by the signal handler alone.
  private static let received = Atomic(0)

  /// Starts to listen.
  ///
  /// A signal that was ignored before stays ignored: that is how nohup(1) and shells protect background jobs. Broken
  /// pipes and files over the size limit become errors of `write` instead of signals. An ignored SIGCHLD, which some
  /// init programs leave to their services, would hide how child programs end.
  package static func listen() {
    // Before the first signal: it must not find the flag uninitialized.
    received.store(0, ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] where tu_is_ignored(number) == 0 {
      _ = tu_on_signal(number) { number in
        let flag = number == SIGINT ? Interruption.cancel : Interruption.stop
        Interruption.received.bitwiseOr(flag, ordering: .relaxed)
      }
    }
    for number in [SIGPIPE, SIGXFSZ] { _ = tu_ignore_signal(number) }
    _ = tu_default_signal(SIGCHLD)
  }

  /// A signal has arrived.
  package static var isSignalled: Bool { received.load(ordering: .relaxed) != 0 }

  /// The user has cancelled: SIGINT has arrived.
  package static var isCancelled: Bool { received.load(ordering: .relaxed) & cancel != 0 }

  /// The current work is to stop between two steps: a signal has arrived, or the watch says so.
  ///
  /// Long work asks often; the watch is asked a few times a second.
  package static var isRequested: Bool {
    if !isUninterruptible && (isSignalled || isStopped) { return true }
    guard let watch else { return false }
    let now = Clock.milliseconds
    guard now >= nextLook else { return false }
    nextLook = now + 200
    if watch() { isStopped = true }
    return isStopped && !isUninterruptible
  }

  // The program has one thread, and these belong to it.
  nonisolated(unsafe) private static var watch: (() -> Bool)?
  nonisolated(unsafe) private static var nextLook: UInt64 = 0
  nonisolated(unsafe) private static var isStopped = false
  nonisolated(unsafe) private static var isUninterruptible = false

  /// Has `watch` asked from now on whether the current work is to stop.
  package static func begin(watch: @escaping () -> Bool) {
    self.watch = watch
    isStopped = false
  }

  /// Only signals count again.
  package static func endWatch() {
    watch = nil
    isStopped = false
  }

  /// Runs `body` to its end: no request to stop is seen in it; the watch is still asked.
  package static func uninterrupted<Result: ~Copyable, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    isUninterruptible = true
    defer { isUninterruptible = false }
    return try body()
  }
}
