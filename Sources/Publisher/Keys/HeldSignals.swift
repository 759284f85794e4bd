internal import CPlatform
internal import Platform
internal import Synchronization

/// Holds back the signals that would end the process, until the terminal is restored.
enum HeldSignals {
  private static let received = Atomic(false)
  private static var numbers: [CInt] { [SIGINT, SIGTERM, SIGHUP] }

  static var hasArrived: Bool { received.load(ordering: .relaxed) }

  /// A signal that was ignored before stays ignored.
  static func begin() {
    // Before the first signal: it must not find the flag uninitialized.
    received.store(false, ordering: .relaxed)
    for number in numbers where tu_is_ignored(number) == 0 {
      _ = tu_on_signal(number) { _ in HeldSignals.received.store(true, ordering: .relaxed) }
    }
  }

  /// Leaves signals to the kernel again; one that has arrived ends the process now.
  static func end() {
    for number in numbers where tu_is_ignored(number) == 0 { _ = tu_default_signal(number) }
    guard hasArrived else { return }
    // To the process, not to this thread: another thread may be the one that takes signals.
    _ = kill(getpid(), SIGINT)
    Clock.sleep(milliseconds: 1000)
  }
}
