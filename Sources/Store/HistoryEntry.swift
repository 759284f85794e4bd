internal import Platform

/// A change of the maps, or an operation or rollback that failed.
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
  /// The URL that failed last, and why; or why something else failed; or what is to be said of a success; or empty.
  package var text = ""

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

  /// The text is about a success.
  package var isRemark: Bool { result == "Success" && failedAttempts == 0 }

  /// One line of `history` (`docs/format/store.md`, History).
  var line: String {
    let text = text.escapingControls.cut(to: StoreLimits.historyFailure)
    return "\(Clock.timestamp(time)) \(time) \(command) \(result) \(exitCode) \(from) \(to) \(downloaded) "
      + "\(peakResident) \(milliseconds) \(planned.words) \(reserve) \(happened.words) \(failedAttempts)"
      + (text.isEmpty ? "" : " " + text)
  }

  init?(_ line: String) {
    let words = line.parts(separatedBy: " ", limit: 19)
    guard words.count >= 18 else { return nil }
    let numbers = ([1, 4, 5, 6, 7, 8, 9] + Array(10..<18)).map { UInt64(ascii: words[$0].utf8) }
    var values: [UInt64] = []
    for number in numbers {
      guard let number, number <= UInt64(Int64.max) else { return nil }
      values.append(number)
    }
    // The time is there twice: a line that was cut at its front is not an entry.
    guard words[0] == Clock.timestamp(Int64(values[0])) else { return nil }
    self.init(
      time: Int64(values[0]), command: words[2], result: words[3], exitCode: CInt(clamping: values[1]),
      from: values[2], to: values[3], downloaded: values[4], peakResident: values[5], milliseconds: values[6])
    planned = HistoryFigures(download: values[7], index: values[8], peakDisk: values[9])
    reserve = values[10]
    happened = HistoryFigures(download: values[11], index: values[12], peakDisk: values[13])
    failedAttempts = values[14]
    if words.count == 19 { text = words[18] }
  }
}
