import Platform
import TestSupport
import Testing

@testable import Store

@Suite("Record of downloads")
struct DownloadRecordTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("downloads") }

  private typealias Moment = DownloadRecord.Moment
  private static let floor: Int64 = 1_719_705_600  // 2024-06-30, 00:00
  private static let day: Int64 = 86_400

  /// A moment by a clock that is right: noon, `days` after the floor.
  private func noon(_ days: Int64 = 0, start: String = "a", uptime: UInt64 = 0) -> Moment {
    let clock = Self.floor + days * Self.day + Self.day / 2
    return Moment(clock: clock, floor: Self.floor, start: start, uptime: uptime)
  }

  /// A moment by a clock that has begun in 1970.
  private func lost(_ start: String, uptime: UInt64 = 60, floor days: Int64 = 0) -> Moment {
    Moment(clock: Int64(uptime), floor: Self.floor + days * Self.day, start: start, uptime: uptime)
  }

  /// Receives bytes at a moment; those of the day so far.
  @discardableResult
  private func receive(_ bytes: UInt64, at moment: Moment) throws -> UInt64 {
    var record = DownloadRecord(at: moment, in: scratch.path)
    record.add(bytes, at: moment)
    try record.write(in: scratch.path)
    return record.bytes
  }

  @Test("it is of one day, and the next one begins with nothing")
  func day() throws {
    #expect(try receive(5 << 40, at: noon()) == 5 << 40)
    #expect(try receive(1, at: noon(start: "b")) == 5 << 40 + 1)
    #expect(try receive(2, at: noon(1, start: "b")) == 2)
    #expect(try receive(3, at: noon(1, start: "b", uptime: 90_000)) == 5)
    #expect(DownloadRecord(at: noon(), in: "\(scratch.path)/nowhere").bytes == 0)
  }

  @Test("a clock that begins in 1970 gives no new day at each start, and a day that ends")
  func withoutClock() throws {
    for start in 1...8 { #expect(try receive(1, at: lost("start-\(start)")) == UInt64(start)) }
    // The ninth start, and eight from then on.
    for start in 9...16 { #expect(try receive(1, at: lost("start-\(start)")) == UInt64(start - 8)) }
    #expect(try receive(1, at: lost("start-17")) == 1)
    // Or a device that is never switched off.
    #expect(try receive(1, at: lost("start-17", uptime: 86_459)) == 2)
    #expect(try receive(1, at: lost("start-17", uptime: 86_460)) == 1)
    #expect(try receive(1, at: lost("start-17", uptime: 2 * 86_460 - 61)) == 2)
    #expect(try receive(1, at: lost("start-17", uptime: 2 * 86_460)) == 1)
  }

  @Test("what came before the clock was set counts for the day that it then says")
  func clockThatIsSet() throws {
    #expect(try receive(1, at: lost("a")) == 1)
    #expect(try receive(1, at: noon(3, uptime: 100)) == 2)
    #expect(try receive(1, at: noon(3, start: "b")) == 3)
    #expect(try receive(1, at: noon(4, start: "b")) == 1)
    // Each start begins in 1970, and the time comes later.
    #expect(try receive(1, at: lost("c", floor: 4)) == 2)
    #expect(try receive(1, at: noon(4, start: "c", uptime: 100)) == 3)
    // On the next day the clock is not set at first: what it receives then is of no day before.
    #expect(try receive(1, at: lost("d", floor: 4)) == 4)
    #expect(try receive(1, at: noon(5, start: "d", uptime: 100)) == 2)
    #expect(try receive(1, at: noon(6, start: "d", uptime: 200)) == 1)
  }

  @Test("however often a device starts on one day, it is one day")
  func manyStarts() throws {
    for start in 1...30 {
      #expect(try receive(1, at: lost("\(start)")) == UInt64(start) * 2 - 1)
      #expect(try receive(1, at: noon(start: "\(start)", uptime: 70)) == UInt64(start) * 2)
    }
  }

  @Test("new metadata that raises the floor in the middle of a start gives no second day")
  func risingFloor() throws {
    #expect(try receive(1, at: lost("a")) == 1)
    #expect(try receive(1, at: lost("a", uptime: 100, floor: 7)) == 2)
    #expect(try receive(1, at: lost("b", uptime: 100, floor: 7)) == 3)
    // After another start it is a later day indeed.
    #expect(try receive(1, at: lost("c", uptime: 100, floor: 8)) == 1)
  }

  @Test("a clock that was in the future takes no day away for ever, and none is lived twice")
  func clockThatGoesBack() throws {
    #expect(try receive(1, at: noon(20_000)) == 1)
    for start in 1...7 { #expect(try receive(1, at: noon(0, start: "\(start)")) == UInt64(start) + 1) }
    #expect(try receive(1, at: noon(0, start: "8")) == 1)
    #expect(try receive(1, at: noon(1, start: "8")) == 1)
    #expect(try receive(1, at: noon(0, start: "8")) == 2)
    #expect(try receive(1, at: noon(0, start: "8", uptime: 90_000)) == 1)
  }

  @Test("a system that does not tell its starts apart has days of 24 hours")
  func withoutStarts() throws {
    for count in 1...20 { #expect(try receive(1, at: lost("-")) == UInt64(count)) }
    #expect(try receive(1, at: lost("-", uptime: 90_000)) == 1)
  }

  @Test("one of an earlier version counts for its day")
  func earlierVersion() throws {
    let text = try SealedText.seal("tinyupdater-downloads 1\nday 2024-06-30 77\n")
    try scratch.write("downloads", text)
    #expect(DownloadRecord(at: noon(), in: scratch.path).bytes == 77)
    #expect(DownloadRecord(at: noon(1), in: scratch.path).bytes == 0)
  }

  @Test("one that is torn, changed, too long or no file at all counts as none")
  func damaged() throws {
    try receive(1000, at: noon())
    let whole = try scratch.read("downloads")
    for end in 0..<whole.count {
      try scratch.write("downloads", Array(whole[..<end]))
      #expect(DownloadRecord(at: noon(), in: scratch.path).bytes == 0)
    }
    try scratch.write("downloads", String(decoding: whole, as: UTF8.self).replacing("1000", with: "0001"))
    #expect(DownloadRecord(at: noon(), in: scratch.path).bytes == 0)
    try scratch.write("downloads", whole + [UInt8](repeating: 10, count: 600))
    #expect(DownloadRecord(at: noon(), in: scratch.path).bytes == 0)
    for line in ["start a b 0 0", "start a 1 0 -1", "start a 1 0", "begin a 1 0 0"] {
      try scratch.write("downloads", SealedText.seal("tinyupdater-downloads 1\nday 2024-06-30 9\n\(line)\n"))
      #expect(DownloadRecord(at: noon(), in: scratch.path).bytes == 0)
    }
    let root = try Directory(opening: scratch.path)
    try root.remove("downloads")
    try root.makeDirectory("downloads")
    #expect(DownloadRecord(at: noon(), in: scratch.path).bytes == 0)
    // A directory in its place is replaced.
    #expect(try receive(7, at: noon()) == 7)
    #expect(DownloadRecord(at: noon(), in: scratch.path).bytes == 7)
  }
}
