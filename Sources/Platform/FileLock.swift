internal import CPlatform

/// The lock of a file, held until this ends, and released by the kernel when the process dies.
///
/// Public although only this package uses it, like every noncopyable type with a `deinit` here (`Buffer`).
public struct FileLock: ~Copyable {
  private let file: File

  /// Throws `EWOULDBLOCK` if another process holds it.
  ///
  /// - `limit`: how long to wait for that process, in milliseconds.
  package init(
    _ file: consuming File, _ mode: Directory.LockMode = .exclusive, within limit: UInt64 = 0
  ) throws(Failure) {
    let attempt = file
    _ = try waitForLock(within: limit, every: 50, shouldStop: { false }) { () throws(Failure) in
      try attempt.lock(mode)
    }
    self.file = attempt
  }

  @inline(never) deinit {
    // A child that was forked a moment ago has a copy of the descriptor, and with it the lock.
    file.unlock()
  }
}

/// Tries to take a lock until that succeeds; false if `shouldStop` ended the waiting.
func waitForLock(
  within limit: UInt64, every interval: UInt64, shouldStop: () -> Bool,
  _ attempt: () throws(Failure) -> Void
) throws(Failure) -> Bool {
  let end = Clock.milliseconds + limit
  while true {
    do throws(Failure) {
      try attempt()
      return true
    } catch {
      guard error.errno == .wouldBlock else { throw error }
      if shouldStop() { return false }
      guard Clock.milliseconds < end else { throw error }
    }
    Clock.sleep(milliseconds: interval)
  }
}
