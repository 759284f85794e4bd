package import Platform

/// What changed the maps of a store, and what failed to: its file `history`.
///
/// It has a lock of its own, so that a process can record what it did without the lock of the store.
package struct History: ~Copyable {
  private let root: Directory

  /// The history of the store at `path`.
  package init(opening path: String) throws(Failure) {
    let root = try Store.openRoot(path)
    _ = try Store.openGenerations(root)
    self.root = root
  }

  /// Adds an entry at the end.
  ///
  /// When the file has grown too long, its older half goes first. Any number of processes may record at once.
  package func record(_ entry: HistoryEntry) throws(Failure) {
    var file = try openLocked()
    var end = try readEnd(upTo: 1)
    if end.size > StoreLimits.history {
      end = try readEnd(upTo: StoreLimits.history / 2)
      try root.replace("history", with: History.wholeLines(end.bytes))
      file = try root.open("history", to: .append)
    }
    // Power loss may have torn the line before: this one must not become a part of it.
    let isTorn = end.bytes.last.map { $0 != History.lineFeed } ?? false
    try file.write((isTorn ? "\n" : "") + entry.line + "\n")
    try file.close()
  }

  /// `history`, open to append, and locked so that no other process shortens it meanwhile.
  ///
  /// A stopped process cannot block others for ever: after a second the file is opened without the lock.
  private func openLocked() throws(Failure) -> File {
    for _ in 0..<200 {
      let file = try root.open("history", to: .append)
      do throws(Failure) {
        try file.lock()
        // The lock belongs to the file, which may have lost its name to a shorter one.
        if try root.identity(of: "history") == file.identity() { return file }
      } catch {
        guard error.errno == .wouldBlock else { throw error }
      }
      Clock.sleep(milliseconds: 5)
    }
    return try root.open("history", to: .append)
  }

  /// Calls `body` with each entry, the oldest first; a torn line is passed over.
  ///
  /// Of a file that is longer than any that `record` leaves, only the end is read.
  package func forEachEntry(_ body: (HistoryEntry) -> Void) throws(Failure) {
    let end = try readEnd(upTo: 2 * StoreLimits.history)
    let bytes = end.size > end.bytes.count ? History.wholeLines(end.bytes) : end.bytes
    for line in bytes.split(separator: History.lineFeed, omittingEmptySubsequences: true) {
      guard line.count <= StoreLimits.historyLine, line.endIndex < bytes.endIndex else { continue }
      if let entry = HistoryEntry(String(decoding: line, as: UTF8.self)) { body(entry) }
    }
  }

  /// The size of the file and its last bytes; 0 and none if there is no such file.
  private func readEnd(upTo limit: UInt64) throws(Failure) -> (size: UInt64, bytes: [UInt8]) {
    guard let status = try root.status(of: "history"), status.kind == .file else { return (0, []) }
    let file = try root.open("history")
    try file.seek(to: status.size - min(status.size, limit))
    return (status.size, try file.bytes(upTo: limit))
  }

  /// What follows the first line feed.
  private static func wholeLines(_ bytes: [UInt8]) -> [UInt8] {
    guard let end = bytes.firstIndex(of: lineFeed) else { return [] }
    return Array(bytes[(end + 1)...])
  }

  private static var lineFeed: UInt8 { UInt8(ascii: "\n") }
}
