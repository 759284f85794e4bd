internal import CPlatform

/// What no other file or directory shares for as long as it exists, whatever its name becomes.
package struct FileIdentity: Equatable {
  private let device: UInt64
  private let inode: UInt64

  init(of descriptor: CInt, shownAs path: String) throws(Failure) {
    var status = CPlatform.stat()
    try check(path) { fstat(descriptor, &status) }
    self.init(status)
  }

  init(_ status: CPlatform.stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

extension File {
  /// Shows a follower of a file whether its name now belongs to another file.
  package func identity() throws(Failure) -> FileIdentity { try FileIdentity(of: raw, shownAs: path) }

  /// Takes the lock that lives in this file; throws `EWOULDBLOCK` if another process holds it.
  ///
  /// It is released when the file is closed, and by the kernel when the process dies.
  package func lock(_ mode: Directory.LockMode = .exclusive) throws(Failure) {
    let operation = mode == .exclusive ? LOCK_EX : LOCK_SH
    try check(path) { flock(raw, operation | LOCK_NB) }
  }

  func unlock() { _ = flock(raw, LOCK_UN) }
}
