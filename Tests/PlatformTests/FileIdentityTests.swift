import TestSupport
import Testing

@testable import Platform

@Suite("FileIdentity")
struct FileIdentityTests {
  @Test("a file keeps its identity under another name, and another file has another one")
  func identity() throws {
    let scratch = try Scratch("identity")
    try scratch.write("log", "one")
    let directory = try Directory(opening: scratch.path)
    let file = try directory.open("log")
    let before = try file.identity()
    #expect(try directory.identity(of: "log") == before)
    try directory.rename("log", to: "log.1")
    try scratch.write("log", "two")
    #expect(try file.identity() == before)
    #expect(try directory.identity(of: "log.1") == before)
    #expect(try directory.identity(of: "log") != before)
    #expect(try directory.identity(of: "none") == nil)
  }
}
