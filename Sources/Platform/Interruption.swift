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
  package static var isRequested: Bool { flag }
}
