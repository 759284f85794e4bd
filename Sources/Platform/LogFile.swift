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
  /// A line that cannot be written is lost: a full or read-only medium must never stop an update.
  package func append(_ line: String) {
    do throws(FileError) { try write(line.cut(to: LogFile.maximumLine) + "\n") } catch {}
  }

  private func write(_ line: String) throws(FileError) {
    let parts = path.parts(separatedBy: "/")
    let name = parts[parts.count - 1]
    let folder = String(decoding: Array(path.utf8.dropLast(name.utf8.count)), as: UTF8.self)
    let directory = try Directory(opening: folder.isEmpty ? "." : folder)
    for _ in 0..<LogFile.attempts {
      // A pipe would wait for its reader when it is opened.
      if let status = try directory.status(of: name), status.kind != .file { return }
      let file = try directory.open(name, .append)
      guard hasLocked(file), try directory.identity(of: name) == file.identity() else {
        Clock.sleep(milliseconds: 5)
        continue
      }
      let size = try file.size()
      guard size > 0, size + UInt64(line.utf8.count) > maximumSize else { return try file.write(line) }
      // The lock belongs to the file, not to its name: whoever waits for it finds another identity then.
      try directory.rename(name, to: name + ".1")
    }
    // Someone holds the lock and does not let go. A line is one write, so it stays in one piece.
    try directory.open(name, .append).write(line)
  }

  private func hasLocked(_ file: borrowing File) -> Bool {
    do throws(FileError) { try file.lock() } catch { return false }
    return true
  }
}
