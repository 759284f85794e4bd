internal import CPlatform
internal import Synchronization

/// The signals that ask this process to stop: flags that their handler sets, and nothing else.
///
/// Long work polls them and ends in good order. SIGINT is a user's cancellation. SIGTERM and SIGHUP come from a
/// shutdown, a service manager or a closed session: the work stops, and the next run resumes it.
package enum StopSignal {
  private static var stop: Int { 1 }
  private static var cancel: Int { 2 }
  /// The flags that are raised; written by the signal handler alone.
  private static let flags = Atomic(0)

  /// Installs the handlers.
  ///
  /// A signal that was ignored before stays ignored: that is how nohup(1) and shells protect background jobs. Broken
  /// pipes and files over the size limit become errors of `write` instead of signals. An ignored SIGCHLD, which some
  /// init programs leave to their services, would hide how child programs end.
  package static func listen() {
    // Before the first signal: it must not find the flags uninitialized.
    flags.store(0, ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] where tu_is_ignored(number) == 0 {
      _ = tu_on_signal(number) { number in
        StopSignal.flags.bitwiseOr(number == SIGINT ? StopSignal.cancel : StopSignal.stop, ordering: .relaxed)
      }
    }
    for number in [SIGPIPE, SIGXFSZ] { _ = tu_ignore_signal(number) }
    _ = tu_default_signal(SIGCHLD)
  }

  /// Ends this process by the signal that has arrived, as if it had not been listened for; everything is tidied up.
  package static func end() -> Never {
    let number = StopSignal.number
    _ = tu_default_signal(number)
    _ = kill(getpid(), number)
    exit(1)
  }

  /// The signal that `end` ends this process by.
  package static var number: CInt { isCancellation ? SIGINT : SIGTERM }

  /// A signal has arrived.
  package static var isRaised: Bool { flags.load(ordering: .relaxed) != 0 }

  /// The user has cancelled: SIGINT has arrived.
  package static var isCancellation: Bool { flags.load(ordering: .relaxed) & cancel != 0 }
}
