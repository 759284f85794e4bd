internal import CPlatform

/// What changes whenever the content of a file does, unless a clock was set back meanwhile.
package struct FileVersion: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64
  /// In bytes.
  package let size: UInt64
  /// When the content was changed last, in nanoseconds since 1970.
  package let modified: Int64
  /// When the content or anything else of the file was; no program can set it.
  package let changed: Int64

  package init(device: UInt64, inode: UInt64, size: UInt64, modified: Int64, changed: Int64) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
    self.changed = changed
  }
}

extension File {
  /// The version that the file has now.
  package func version() throws(Failure) -> FileVersion {
    var status = CPlatform.stat()
    try check(path) { fstat(raw, &status) }
    return FileVersion(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino),
      size: UInt64(clamping: status.st_size), modified: nanoseconds(status.st_mtim),
      changed: nanoseconds(status.st_ctim))
  }

  private func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
