import Platform
import TestSupport
import Testing

@testable import TinyUpdater

@Suite("Tar archives")
struct TarWriterTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("tar") }

  @Test("tar(1) reads what is written, whatever its size", arguments: [0, 1, 511, 512, 513, 70_000])
  func roundTrip(size: Int) throws {
    let content = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    var tar = TarWriter(try File(opening: "\(scratch.path)/a.tar", to: .makePrivate), at: 1_719_835_200)
    try tar.append("folder/first", content)
    try tar.append("second", [1])
    let written = try tar.finish()
    let whole = try scratch.read("a.tar")
    #expect(UInt64(whole.count) == written && whole.count % 512 == 0)
    let list = try ChildProcess.run(
      "sh", ["-c", "cd \(scratch.path) && tar --utc -tvf a.tar && tar -xf a.tar"])
    #expect(list.status == 0 && list.error.isEmpty, "\(list)")
    #expect(list.output.contains("-rw------- 0/0") && list.output.contains("2024-07-01 12:00 folder/first"))
    #expect(try scratch.read("folder/first") == content)
    #expect(try scratch.read("second") == [1])
  }

  @Test("a header has numbers in octal and the sum of its bytes")
  func header() {
    let header = TarWriter.header("name", size: 8, time: 0)
    #expect(header.count == 512 && Array(header[124..<136]) == Array("00000000010\0".utf8))
    let blank = header[..<148] + Array(repeating: 32, count: 8) + header[156...]
    let sum = String(blank.reduce(0) { $0 + Int($1) }, radix: 8)
    #expect(String(decoding: header[148..<154], as: UTF8.self).hasSuffix(sum))
    #expect(header[154] == 0 && header[155] == 32)
  }
}
