import Platform
import TestSupport
import Testing

@testable import Store

@Suite("The format of a store")
struct StoreFormatTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("format") }

  private func check() -> Failure? {
    Fixture.error { () throws(Failure) in try StoreFormat.check(scratch.path) }
  }

  private func change() -> Failure? {
    Fixture.error { () throws(Failure) in _ = try LockedStore(opening: scratch.path) }
  }

  private func text() throws -> String {
    String(decoding: try contents("\(scratch.path)/format"), as: UTF8.self)
  }

  @Test("who makes a store writes it down, and who only looks at one does not")
  func made() throws {
    #expect(check() == nil)
    #expect(try scratch.names() == [])
    #expect(change() == nil)
    #expect(try text() == "1\n")
    #expect(check() == nil && change() == nil)
  }

  @Test("a store without it has the format of today, and gets it from the first who changes something")
  func older() throws {
    #expect(change() == nil)
    try Directory(opening: scratch.path).remove("format")
    #expect(check() == nil)
    _ = try Store(opening: scratch.path)
    #expect(try !scratch.exists("format"))
    #expect(change() == nil)
    #expect(try text() == "1\n")
  }

  @Test("it is written once")
  func once() throws {
    #expect(change() == nil)
    let first = try File(opening: "\(scratch.path)/format").identity()
    #expect(change() == nil)
    #expect(try File(opening: "\(scratch.path)/format").identity() == first)
  }

  @Test("a newer one is refused with both numbers, before anything changes", arguments: [2, UInt64.max])
  func newer(number: UInt64) throws {
    try scratch.write("format", "\(number)\n")
    try scratch.write("current.new", "x")
    let failure = Failure.unusableStore(path: scratch.path, .newerFormat(number, known: 1))
    #expect(check() == failure && change() == failure)
    #expect(failure.result == .unusable)
    #expect(failure.sentence.contains("format \(number), and this one knows formats up to 1"))
    #expect(try scratch.names() == ["current.new", "format"])
  }

  @Test(
    "whatever is not a number in a line is refused, and stays",
    arguments: [
      "", "\n", "1", "0\n", "1\n\n", "1\n1\n", " 1\n", "1 \n", "-1\n", "+1\n", "1\r\n", "one\n", "\0\n",
      "18446744073709551616\n", "000000000000000000001\n", String(repeating: "1", count: 100_000) + "\n",
    ])
  func garbage(text: String) throws {
    try scratch.write("format", text)
    let failure = Failure.unusableStore(path: scratch.path, .badFormat)
    #expect(check() == failure && change() == failure)
    #expect(try self.text() == text)
  }

  @Test("something else in its place is refused, and stays", arguments: ["directory", "link"])
  func otherKind(kind: String) throws {
    if kind == "directory" {
      try scratch.makeDirectory("format")
    } else {
      try scratch.write("elsewhere", "1\n")
      try Directory(opening: scratch.path).makeSymbolicLink("format", to: "elsewhere")
    }
    let failure = Failure.unusableStore(path: scratch.path, .badFormat)
    #expect(check() == failure && change() == failure)
  }

  @Test("what an interrupted creation has left is removed")
  func leftover() throws {
    try scratch.write("format.new", "1")
    #expect(check() == nil && change() == nil)
    #expect(try scratch.names() == ["format", "generations", "staging"])
    #expect(try text() == "1\n")
  }

  @Test("a store that cannot take it now can still be changed")
  func unwritable() throws {
    // Deeper than any removal goes: stands for a disk that refuses the file.
    defer { _ = try? ChildProcess.run("rm", ["-rf", "\(scratch.path)/format.new"]) }
    try scratch.makeDirectory("format.new" + String(repeating: "/x", count: 40))
    #expect(change() == nil)
    #expect(try !scratch.exists("format"))
  }
}
