import Crypto
import Platform
import TestSupport
import Testing

@testable import Store

@Suite("Staging")
struct StagingTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("staging") }

  private func open() throws -> LockedStore { try LockedStore(opening: scratch.path) }

  @Test("a complete file gets its digest as its name")
  func complete() throws {
    let store = try open()
    let digest = try Fixture.digest("alpha")
    try scratch.write("staging/\(digest.hex).part", "alpha")
    #expect(try !store.reading.staging.isComplete(digest, size: 5))
    #expect(try store.reading.staging.stored(digest) == 5)
    try store.staging.complete(digest, size: 5)
    #expect(try store.reading.staging.isComplete(digest, size: 5))
    #expect(try !store.reading.staging.isComplete(digest, size: 6))
    #expect(try scratch.names("staging") == [digest.hex])
    #expect(try store.reading.staging.size() == 5)
  }

  @Test("a wrong file is removed when it is completed", arguments: ["alphA", "alph", "alphaa", ""])
  func wrongDigest(text: String) throws {
    let store = try open()
    let digest = try Fixture.digest("alpha")
    try scratch.write("staging/\(digest.hex).part", text)
    let error = Fixture.error { () throws(Failure) in try store.staging.complete(digest, size: 5) }
    #expect(error == .wrongContent(path: "\(scratch.path)/staging/\(digest.hex).part"))
    #expect(try scratch.names("staging") == [])
  }

  @Test("a partial download resumes where it ends")
  func part() throws {
    let store = try open()
    let digest = try Fixture.digest("alpha")
    try store.staging.openPart(digest).write("al")
    let part = try store.staging.openPart(digest)
    try part.seek(to: part.size())
    try part.write("pha")
    try store.staging.complete(digest, size: 5)
    #expect(try scratch.read("staging/\(digest.hex)") == Array("alpha".utf8))
  }

  @Test("removing takes the file, the partial download, and nothing else")
  func remove() throws {
    let store = try open()
    let (one, two) = (try Fixture.digest("1"), try Fixture.digest("2"))
    for name in [one.hex, "\(one.hex).part", two.hex, "\(two.hex).part"] {
      try scratch.write("staging/\(name)", "x")
    }
    try store.staging.removePart(two)
    try store.staging.remove(one)
    try store.staging.remove(one)
    #expect(try scratch.names("staging") == [two.hex])
  }

  @Test("clearing takes whatever is there, directories too")
  func clear() throws {
    let store = try open()
    try scratch.write("staging/x/y/z", "x")
    try scratch.write("staging/.hidden", "x")
    try store.staging.clear()
    #expect(try scratch.names("staging") == [])
    #expect(try store.reading.staging.size() == 0)
  }

  @Test("a symbolic link in the place of a partial download is refused")
  func link() throws {
    let store = try open()
    let digest = try Fixture.digest("alpha")
    try scratch.write("precious", "x")
    try Directory(opening: "\(scratch.path)/staging").makeSymbolicLink(
      "\(digest.hex).part", to: "../precious")
    #expect(throws: Failure.self) { try store.staging.complete(digest, size: 5) }
    #expect(try scratch.read("precious") == Array("x".utf8))
  }
}
