internal import CPlatform

/// Work that continues after the command has ended.
package enum Background {
  /// Continues as a second process, with a session of its own and without a terminal.
  ///
  /// Locks and connections are shared by both: the caller has let go of all of them.
  ///
  /// - Returns: true in the new process, false in the one that was there before.
  package static func begin() throws(Errno) -> Bool {
    guard try Errno.check({ tu_fork() }) == 0 else { return false }
    _ = setsid()
    let null = "/dev/null".withPlatformString { tu_openat(AT_FDCWD, $0, O_RDWR, 0) }
    if null >= 0 {
      for stream in 0..<CInt(3) { _ = dup2(null, stream) }
      if null > 2 { _ = CPlatform.close(null) }
    }
    return true
  }
}
