internal import Platform

/// One run that changed the store, or tried to.
package struct HistoryEntry: Equatable {
  /// Seconds since 1970.
  package var time: Int64
  /// The command, such as "apply".
  package var command: String
  /// The name of the result, such as "Success".
  package var result: String
  package var exitCode: CInt
  /// Release numbers; 0: none.
  package var from: UInt64
  package var to: UInt64
  /// Bytes that came over the network.
  package var downloaded: UInt64
  /// The largest resident size, in bytes.
  package var peakResident: UInt64
  package var milliseconds: UInt64
  /// What the plan said, and what happened; zeros where there was no plan.
  package var planned = HistoryFigures()
  package var happened = HistoryFigures()
  /// Bytes that were to be left free.
  package var reserve: UInt64 = 0
  /// Attempts at a connection that failed.
  package var failedAttempts: UInt64 = 0
  /// The URL that failed last, and why; empty if none did.
  package var failure = ""

  package init(
    time: Int64, command: String, result: String, exitCode: CInt, from: UInt64, to: UInt64,
    downloaded: UInt64, peakResident: UInt64, milliseconds: UInt64
  ) {
    self.time = time
    self.command = command
    self.result = result
    self.exitCode = exitCode
    self.from = from
    self.to = to
    self.downloaded = downloaded
    self.peakResident = peakResident
    self.milliseconds = milliseconds
  }

  /// One line of `history` (`docs/format/store.md`, History).
  fileprivate var line: String {
    let text = failure.escapingControls.cut(to: HistoryEntry.maximumFailure)
    return "\(Clock.timestamp(time)) \(time) \(command) \(result) \(exitCode) \(from) \(to) \(downloaded) "
      + "\(peakResident) \(milliseconds) \(planned.words) \(reserve) \(happened.words) \(failedAttempts)"
      + (text.isEmpty ? "" : " " + text)
  }

  /// Bytes of the text at the end of a line.
  private static var maximumFailure: Int { 512 }
  /// Bytes of a line: eighteen words, most of them numbers, and that text.
  fileprivate static var maximumLine: Int { 1024 }

  fileprivate init?(_ line: String) {
    let words = line.parts(separatedBy: " ", limit: 19)
    guard words.count >= 18 else { return nil }
    let numbers = ([1, 4, 5, 6, 7, 8, 9] + Array(10..<18)).map { UInt64(ascii: words[$0].utf8) }
    var values: [UInt64] = []
    for number in numbers {
      guard let number, number <= UInt64(Int64.max) else { return nil }
      values.append(number)
    }
    // The time stands there twice: what begins in the middle of a line is none.
    guard words[0] == Clock.timestamp(Int64(values[0])) else { return nil }
    self.init(
      time: Int64(values[0]), command: words[2], result: words[3], exitCode: CInt(clamping: values[1]),
      from: values[2], to: values[3], downloaded: values[4], peakResident: values[5], milliseconds: values[6])
    planned = HistoryFigures(download: values[7], index: values[8], peakDisk: values[9])
    reserve = values[10]
    happened = HistoryFigures(download: values[11], index: values[12], peakDisk: values[13])
    failedAttempts = values[14]
    if words.count == 19 { failure = words[18] }
  }
}

/// What a run takes, in bytes: by its plan, or as it was.
package struct HistoryFigures: Equatable {
  /// On the wire, of components alone.
  package var download: UInt64
  /// Of the indexes that were made.
  package var index: UInt64
  /// Of the file system at the worst moment.
  package var peakDisk: UInt64

  package init(download: UInt64 = 0, index: UInt64 = 0, peakDisk: UInt64 = 0) {
    self.download = download
    self.index = index
    self.peakDisk = peakDisk
  }

  fileprivate var words: String { "\(download) \(index) \(peakDisk)" }
}

extension Store {
  /// Bytes that `history` may have before its older half goes.
  private static var historyLimit: UInt64 { 64 << 10 }

  /// Adds an entry at the end.
  ///
  /// When the file has grown too long, its older half goes first. Any number of processes may record at once.
  package func record(_ entry: HistoryEntry) throws(StoreError) {
    try storing { () throws(FileError) in
      var file = try lockedHistory()
      var end = try endOfHistory(upTo: 1)
      if end.size > Store.historyLimit {
        end = try endOfHistory(upTo: Store.historyLimit / 2)
        try root.replace("history", with: Store.wholeLines(end.bytes))
        file = try root.open("history", .append)
      }
      // Power loss may have torn the line before: this one must not become a part of it.
      let isTorn = end.bytes.last.map { $0 != Store.lineFeed } ?? false
      try file.write((isTorn ? "\n" : "") + entry.line + "\n")
      try file.close()
    }
  }

  /// `history`, open to append, and locked so that no other process shortens it meanwhile.
  ///
  /// A stopped process cannot block others for ever: after a second the file is opened without the lock.
  private func lockedHistory() throws(FileError) -> File {
    for _ in 0..<200 {
      let file = try root.open("history", .append)
      do throws(FileError) {
        try file.lock()
        // The lock belongs to the file, which may have lost its name to a shorter one.
        if try root.identity(of: "history") == file.identity() { return file }
      } catch {
        guard error.errno == .wouldBlock else { throw error }
      }
      Clock.sleep(milliseconds: 5)
    }
    return try root.open("history", .append)
  }

  /// Calls `body` with each entry, the oldest first; a torn line is passed over.
  ///
  /// Of a file that is longer than any that `record` leaves, only the end is read.
  package func forEachHistoryEntry(_ body: (HistoryEntry) -> Void) throws(StoreError) {
    let end = try storing { () throws(FileError) in try endOfHistory(upTo: 2 * Store.historyLimit) }
    let bytes = end.size > end.bytes.count ? Store.wholeLines(end.bytes) : end.bytes
    for line in bytes.split(separator: Store.lineFeed, omittingEmptySubsequences: true) {
      guard line.count <= HistoryEntry.maximumLine, line.endIndex < bytes.endIndex else { continue }
      if let entry = HistoryEntry(String(decoding: line, as: UTF8.self)) { body(entry) }
    }
  }

  /// The size of the file and its last bytes; 0 and none if there is no such file.
  private func endOfHistory(upTo limit: UInt64) throws(FileError) -> (size: UInt64, bytes: [UInt8]) {
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
