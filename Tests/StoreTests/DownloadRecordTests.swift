import Platform
import TestSupport
import Testing

@testable import Store

@Suite("Record of downloads")
struct DownloadRecordTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("downloads") }

  @Test("it is of one day, and any other day begins with nothing")
  func day() throws {
    #expect(DownloadRecord(of: "2024-06-30", in: scratch.path).bytes == 0)
    var record = DownloadRecord(of: "2024-06-30", in: scratch.path)
    record.bytes = 5 << 40
    try record.write(in: scratch.path)
    #expect(DownloadRecord(of: "2024-06-30", in: scratch.path) == record)
    #expect(DownloadRecord(of: "2024-07-01", in: scratch.path).bytes == 0)
    #expect(DownloadRecord(of: "2024-06-30", in: "\(scratch.path)/nowhere").bytes == 0)
  }

  @Test("one that is torn, changed, too long or no file at all counts as none")
  func damaged() throws {
    var record = DownloadRecord(of: "2024-06-30", in: scratch.path)
    record.bytes = 1000
    try record.write(in: scratch.path)
    let whole = try scratch.read("downloads")
    for end in 0..<whole.count {
      try scratch.write("downloads", Array(whole[..<end]))
      #expect(DownloadRecord(of: "2024-06-30", in: scratch.path).bytes == 0)
    }
    try scratch.write("downloads", String(decoding: whole, as: UTF8.self).replacing("1000", with: "0001"))
    #expect(DownloadRecord(of: "2024-06-30", in: scratch.path).bytes == 0)
    try scratch.write("downloads", whole + [UInt8](repeating: 10, count: 300))
    #expect(DownloadRecord(of: "2024-06-30", in: scratch.path).bytes == 0)
    let root = try Directory(opening: scratch.path)
    try root.remove("downloads")
    try root.makeDirectory("downloads")
    #expect(DownloadRecord(of: "2024-06-30", in: scratch.path).bytes == 0)
    // A directory in its place is replaced.
    try record.write(in: scratch.path)
    #expect(DownloadRecord(of: "2024-06-30", in: scratch.path) == record)
  }
}
