import Platform
import TestSupport
import Testing

@testable import Store

@Suite("History")
struct HistoryTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("history") }

  private func entry(_ number: UInt64) -> HistoryEntry { HistoryTests.entry(number) }

  private static func entry(_ number: UInt64) -> HistoryEntry {
    HistoryEntry(
      time: Int64(number), command: "apply", result: "Success", exitCode: 0, from: number, to: number + 1,
      downloaded: number * 1000, peakResident: 4096, milliseconds: 7)
  }

  private func entries() throws -> [HistoryEntry] {
    var entries: [HistoryEntry] = []
    try History(opening: scratch.path).forEachEntry { entries.append($0) }
    return entries
  }

  private func record(_ numbers: Range<UInt64>) throws {
    let store = try LockedStore(opening: scratch.path)
    for number in numbers { try History(opening: store.reading.path).record(entry(number)) }
  }

  @Test("what was recorded is read, the oldest first")
  func roundTrip() throws {
    try record(0..<3)
    #expect(try entries() == [entry(0), entry(1), entry(2)])
  }

  private var full: HistoryEntry {
    var entry = entry(7)
    entry.planned = HistoryFigures(download: 1, index: 2, peakDisk: 3)
    entry.reserve = 4
    entry.happened = HistoryFigures(download: 5, index: 6, peakDisk: 7)
    entry.failedAttempts = 8
    entry.text = "http://h/x: Connection refused, twice"
    return entry
  }

  private func record(_ entry: HistoryEntry) throws {
    _ = try LockedStore(opening: scratch.path)
    try History(opening: scratch.path).record(entry)
  }

  @Test("what the plan said, what happened and what failed is read as it was recorded")
  func figures() throws {
    try record(full)
    #expect(
      String(decoding: try scratch.read("history"), as: UTF8.self)
        == "1970-01-01T00:00:07Z 7 apply Success 0 7 8 7000 4096 7 1 2 3 4 5 6 7 8 "
        + "http://h/x: Connection refused, twice\n")
    #expect(try entries() == [full])
  }

  @Test("wherever the older half of the history is cut off, no entry is made up")
  func cut() throws {
    try record(full)
    let line = String(decoding: try scratch.read("history"), as: UTF8.self)
    for offset in line.utf8.indices {
      try scratch.write("history", String(line.utf8[offset...]) ?? "")
      #expect(try entries() == (offset == line.utf8.startIndex ? [full] : []), "\(line[offset...])")
    }
  }

  @Test("of a history of any length only the end is read, and the next entry makes it short")
  func huge() throws {
    try record(0..<1)
    try scratch.write("history", [UInt8](repeating: UInt8(ascii: "x"), count: 300_000) + [10])
    try Directory(opening: scratch.path).open("history", to: .update).truncate(to: 1 << 33)
    #expect(try entries() == [])
    try record(1..<2)
    #expect(try entries() == [entry(1)])
    #expect(try scratch.read("history").count < 66 << 10)
  }

  @Test("something else in the place of the history is none")
  func otherKind() throws {
    try scratch.makeDirectory("history")
    try record(0..<0)
    #expect(try entries() == [])
  }

  @Test("a cause of any length and kind leaves one line that is read")
  func hostileCause() throws {
    var hostile = full
    hostile.text = String(repeating: "ö\n", count: 1000)
    try record(hostile)
    try record(full)
    let read = try entries()
    #expect(read.count == 2 && read.last == full)
    #expect(read.first?.text.utf8.count ?? 0 <= 512 && read.first?.text.hasPrefix("ö\\x0aö") == true)
  }

  @Test("without a history there are no entries")
  func none() throws {
    try record(0..<0)
    #expect(try entries() == [])
  }

  @Test("the history is bounded and keeps the newest entries")
  func bounded() throws {
    let count: UInt64 = 3000
    try record(0..<count)
    let size = try scratch.read("history").count
    #expect(size <= 66 << 10)
    let kept = try entries()
    #expect(kept.count > 300)
    #expect(kept == (count - UInt64(kept.count)..<count).map { entry($0) })
    #expect(try !scratch.exists("history.new"))
  }

  @Test(
    "a torn or foreign line is passed over",
    arguments: [
      "1970-01-01T00:00:09Z 9 app", "garbage\n", "\n", "\u{0}\u{0}\u{0}\n",
      "1970-01-01T00:00:09Z x apply Success 0 1 2 3 4 5\n",
      // The last second of the last year that C has a number for.
      "1970-01-01T00:00:09Z 67768036191676799 apply Success 0 1 2 3 4 5 6 7 8 9 10 11 12 13\n",
      "1970-01-01T00:00:09Z 9 apply Success 0 1 2 3 4 5 6 7 8 9 10 11 12\n",
      "1970-01-01T00:00:09Z 9 apply Success 0 1 2 3 4 5 6 7 8 9 10 11 12 x\n",
      "1970-01-01T00:00:09Z 9 apply Success 0 1 2 3 4 5 6\n",
      "1970-01-01T00:00:09Z 9 apply Success 0 1 2 3 4 99999999999999999999\n",
      String(repeating: "x", count: 1100) + "\n",
    ])
  func torn(line: String) throws {
    try record(0..<1)
    try scratch.write("history", try scratch.read("history") + Array(line.utf8))
    #expect(try entries() == [entry(0)])
    // None is lost, whatever comes before it.
    try record(1..<3)
    #expect(try entries() == [entry(0), entry(1), entry(2)])
  }

  @Test("of processes that record at once, none loses an entry to the shortening of another")
  func twoRecorders() async throws {
    try record(0..<2)
    let path = scratch.path
    for round in 0..<20 {
      let line = "1970-01-01T00:00:07Z 7 apply Success 0 7 8 7000 4096 7 1 2 3 4 5 6 7 8 "
      let long = line + String(repeating: "x", count: 400) + "\n"
      try scratch.write("history", String(repeating: long, count: 140))
      await withTaskGroup(of: Void.self) { group in
        for recorder in 0..<4 as Range<UInt64> {
          group.addTask {
            do {
              // Without the lock of the store, as runs record that have ended.
              let history = try History(opening: path)
              for number in 0..<5 as Range<UInt64> {
                try history.record(HistoryTests.entry(1000 + recorder * 5 + number))
              }
            } catch { Issue.record(error) }
          }
        }
      }
      let found = try entries().map(\.from).filter { $0 >= 1000 }
      #expect(found.sorted() == Array(1000..<1020), "round \(round)")
    }
  }
}
