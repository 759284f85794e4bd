/// A file that grows line by line up to a size, then makes room by taking the name `FILE.1`.
///
/// Any number of processes may write to it at once.
package struct LogFile {
  /// Absolute.
  private let path: String
  private let maximumSize: UInt64

  /// Bytes of one line; what is longer is cut.
  package static var maximumLine: Int { 4096 }
  /// How often a file that another process has just renamed, or holds, is tried again, 5 ms apart.
  private static var attempts: Int { 20 }

  package init(path: String, maximumSize: UInt64) {
    self.path = path
    self.maximumSize = maximumSize
  }

  /// Adds one line.
  ///
  /// - Returns: false if it could not be written: a full or read-only file system, a symbolic link or anything else
  ///   with the name of the file must never stop an update.
  @discardableResult
  package func append(_ line: String) -> Bool {
    do throws(Failure) { return try write(line.cut(to: LogFile.maximumLine) + "\n") } catch { return false }
  }

  private func write(_ line: String) throws(Failure) -> Bool {
    let (folder, name) = path.folderAndName
    let directory = try Directory(opening: folder)
    for _ in 0..<LogFile.attempts {
      // A pipe would wait for its reader when it is opened.
      if let status = try directory.status(of: name), status.kind != .file { return false }
      let file = try directory.open(name, to: .append)
      guard hasLocked(file), try directory.identity(of: name) == file.identity() else {
        Clock.sleep(milliseconds: 5)
        continue
      }
      let size = try file.size()
      guard size > 0, size.saturatingSum(UInt64(line.utf8.count)) > maximumSize else {
        try file.write(line)
        return true
      }
      // The lock belongs to the file, not to its name: a process that waits for it then finds another identity.
      do throws(Failure) { try directory.rename(name, to: name + ".1") } catch {
        // The directory may belong to another user. An emptied log is better than none from now on.
        try file.truncate(to: 0)
      }
    }
    // Someone holds the lock and does not let go. A line is one write, so it stays in one piece.
    try directory.open(name, to: .append).write(line)
    return true
  }

  private func hasLocked(_ file: borrowing File) -> Bool {
    do throws(Failure) { try file.lock() } catch { return false }
    return true
  }
}
