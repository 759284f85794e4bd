internal import CPlatform
internal import Platform
internal import Synchronization

/// Holds back the signals that would end the process, until the terminal is restored.
enum HeldSignals {
  /// The number of the signal that arrived last; 0 for none.
  private static let received = Atomic<CInt>(0)
  private static var numbers: [CInt] { [SIGINT, SIGTERM, SIGHUP] }

  static var hasArrived: Bool { received.load(ordering: .relaxed) != 0 }

  /// A signal that was ignored before stays ignored.
  static func begin() {
    // Before the first signal: it must not find the flag uninitialized.
    received.store(0, ordering: .relaxed)
    for number in numbers where tu_is_ignored(number) == 0 {
      _ = tu_on_signal(number) { HeldSignals.received.store($0, ordering: .relaxed) }
    }
  }

  /// Leaves signals to the kernel again; one that has arrived ends the process now.
  static func end() {
    for number in numbers where tu_is_ignored(number) == 0 { _ = tu_default_signal(number) }
    let number = received.load(ordering: .relaxed)
    guard number != 0 else { return }
    // To the process, not to this thread: another thread may be the one that takes signals.
    _ = kill(getpid(), number)
    Clock.sleep(milliseconds: 1000)
  }
}
