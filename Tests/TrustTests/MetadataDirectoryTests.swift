import JSONReading
import Platform
import TestSupport
import Testing
import TrustTestSupport

@testable import Trust

/// What is stored, and how late it must be: pitfalls P13 and P14.
@Suite("Metadata directory")
struct MetadataDirectoryTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("metadata") }

  private func open() throws -> MetadataDirectory { try MetadataDirectory(Directory(opening: scratch.path)) }

  @Test("what power loss left half written is removed, and everything else stays")
  func leftovers() throws {
    try scratch.write("timestamp.json.new", "half")
    try scratch.write("timestamp.json", "whole")
    try scratch.write("floor", "1\n")
    _ = try open()
    #expect(try scratch.names() == ["floor", "timestamp.json"])
  }

  @Test("a file replaces the one before, and nothing else is left")
  func replace() throws {
    let directory = try open()
    try directory.write(Name("a/b"), bytes: [1])
    try directory.write(Name("a/b"), bytes: [2, 3])
    #expect(try scratch.names() == ["a%2Fb.json"])
    #expect(try directory.read(Name("a/b"), upTo: 2) == [2, 3])
    #expect(try directory.read(Name("a/b"), upTo: 1) == nil)
    #expect(try directory.read(Name("c"), upTo: 1) == nil)
  }

  @Test("a symbolic link is not followed, neither to read nor to write")
  func links() throws {
    try scratch.write("victim", "safe")
    try Directory(opening: scratch.path).makeSymbolicLink("root.json", to: "victim")
    try Directory(opening: scratch.path).makeSymbolicLink("a.json", to: "victim")
    let directory = try open()
    #expect(try directory.read(Name("root"), upTo: 100) == nil)
    try directory.write(Name("a"), bytes: [1])
    #expect(try scratch.read("victim") == Array("safe".utf8))
    #expect(try scratch.read("a.json") == [1])
  }

  // MARK: - Time

  private let built: Int64 = 1000

  @Test("P14: a device whose clock is in 1970 begins with the day of its program")
  func noClock() throws {
    #expect(try open().startTime(.strict, clock: 5, built: built) == 1000)
    #expect(try open().startTime(.strict, clock: 5000, built: built) == 5000)
    #expect(try open().startTime(.floor, clock: 5000, built: built) == 1000)
  }

  @Test("P14: the floor rises, is kept, and never falls")
  func rising() throws {
    try open().raiseTimeFloor(to: 1_000_000)
    try open().raiseTimeFloor(to: 500_000)
    #expect(try open().startTime(.floor, clock: 5, built: built) == 1_000_000)
    #expect(try open().startTime(.strict, clock: 5, built: built) == 1_000_000)
  }

  @Test("the floor is not written again for less than an hour: flash wears")
  func wear() throws {
    try open().raiseTimeFloor(to: 1_000_000)
    try open().raiseTimeFloor(to: 1_003_599)
    #expect(try scratch.read("floor") == Array("1000000\n".utf8))
    try open().raiseTimeFloor(to: 1_003_600)
    #expect(try scratch.read("floor") == Array("1003600\n".utf8))
  }

  @Test(
    "a damaged floor is as good as none",
    arguments: ["", "12", "x\n", "-5\n", "99999999999999999999\n", "9223372036854775807\n", "1\n2\n"])
  func damaged(_ text: String) throws {
    try scratch.write("floor", text)
    #expect(try open().startTime(.floor, clock: 5, built: built) == 1000)
    try open().raiseTimeFloor(to: 1_000_000)
    #expect(try open().startTime(.floor, clock: 5, built: built) == 1_000_000)
  }

  @Test(
    "P14: only a refresh that went well raises the floor: a clock that is far ahead cannot stop a device for ever"
  )
  func clockAhead() throws {
    let repository = try SignedRepository()
    let device = try TrustingDevice(repository)
    device.now = 4_000_000_000
    #expect(throws: TrustError.self) { try device.refresh() }
    device.now = SignedRepository.now
    try device.refresh()
    let floor = try String(decoding: device.scratch.read("floor"), as: UTF8.self)
    #expect(floor == "\(SignedRepository.now)\n")
  }

  @Test("P14: a device learns from the timestamp how late it is at least")
  func issued() throws {
    let repository = try SignedRepository()
    repository.timestamp["issued"] = "2024-12-01T00:00:00Z"
    try repository.publishTimestamp()
    let device = try TrustingDevice(repository)
    try device.refresh()
    let floor = try String(decoding: device.scratch.read("floor"), as: UTF8.self)
    #expect(floor == "1733011200\n")
  }
}
