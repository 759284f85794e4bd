internal import CPlatform

/// The user's wish to stop: SIGINT, SIGTERM or SIGHUP.
///
/// The signal only sets a flag. Long work looks at it between two steps and ends in good order.
package enum Interruption {
  // Written by the signal handler alone, once, to one value: no order to get wrong.
  nonisolated(unsafe) private static var flag = false

  /// Starts to listen.
  ///
  /// Broken pipes become errors of `write` instead of signals.
  package static func listen() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      _ = tu_on_signal(number) { _ in Interruption.flag = true }
    }
    _ = tu_ignore_signal(SIGPIPE)
  }

  /// Leaves signals to the kernel again: they end the process.
  ///
  /// One that has arrived meanwhile does so now.
  static func stopListening() {
    for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { _ = tu_default_signal(number) }
    guard flag else { return }
    // To the process, not to this thread, which may be one that signals do not reach; another one takes it then.
    _ = kill(getpid(), SIGINT)
    Clock.sleep(milliseconds: 1000)
  }

  /// A signal has arrived.
  package static var isSignalled: Bool { flag }

  /// The work at hand is to stop between two steps: a signal has arrived, or the watch says so.
  ///
  /// Long work asks often; the watch is asked a few times a second.
  package static var isRequested: Bool {
    if flag || isStopped { return true }
    guard let watch else { return false }
    let now = Clock.milliseconds
    guard now >= nextLook else { return false }
    nextLook = now + 200
    isStopped = watch()
    return isStopped
  }

  // The program has one thread, and these belong to it.
  nonisolated(unsafe) private static var watch: (() -> Bool)?
  nonisolated(unsafe) private static var nextLook: UInt64 = 0
  nonisolated(unsafe) private static var isStopped = false

  /// Has `watch` asked from now on whether the work at hand is to stop.
  package static func begin(watch: @escaping () -> Bool) {
    self.watch = watch
    isStopped = false
  }

  /// Only signals count again.
  package static func endWatch() {
    watch = nil
    isStopped = false
  }
}
