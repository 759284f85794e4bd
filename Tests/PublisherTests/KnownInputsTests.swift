import Platform
import TestSupport
import Testing

@testable import Catalog
@testable import Crypto
@testable import MapModel
@testable import Publisher

/// Files of the input that are not read again.
@Suite("Known inputs")
struct KnownInputsTests {
  private let scratch: TestRepository
  private var file: String { "\(scratch.input)/malta/base.x" }

  init() throws {
    scratch = try TestRepository()
    try scratch.write("malta/base.x", Maps.data(1))
  }

  private func lines() throws -> [String] {
    let text = String(decoding: try scratch.served(".inputs"), as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }

  /// The first release, made when its input is old enough to be remembered.
  private func settled() async throws -> CatalogEntry {
    Clock.sleep(milliseconds: 4100)
    return try component(try await scratch.release("1"), id: "malta").entry
  }

  private func line(_ version: FileVersion, _ digest: Digest) -> String {
    "\(version.device) \(version.inode) \(version.size) \(version.modified) \(version.changed) \(digest.hex)"
  }

  @Test("a file of the version that made the last component is not read, and any other is")
  func unread() async throws {
    let first = try await settled()
    #expect(try lines() == ["inputs 1", line(try File(opening: file).version(), first.digest)])
    // On a busy machine a release may take so long that the file is old at its end.
    for attempt in 0..<30 {
      let started = Clock.milliseconds
      // Another content, and a line that says that it made the same component: only a reader would know better.
      try scratch.write("malta/base.x", Maps.data(2))
      let lie = line(try File(opening: file).version(), first.digest)
      try scratch.write(".inputs", Array("inputs 1\n\(lie)\n".utf8), in: "repository")
      let second = try component(try await scratch.release("2.\(attempt)"), id: "malta").entry
      #expect(second.digest == first.digest)
      guard Clock.milliseconds - started < 2500 else { continue }
      // Written a moment ago: it may be written again in the same tick of the clock.
      #expect(try lines() == ["inputs 1"])
      #expect(try component(try await scratch.release("3"), id: "malta").entry.digest != first.digest)
      return
    }
    Issue.record("no release took less than 2.5 s")
  }

  @Test("a file that changed is read, though its size and modification time are the old ones")
  func sameTime() async throws {
    let first = try await settled()
    #expect(try lines().count == 2)
    try Directory(opening: scratch.path).replace("before", with: [])
    _ = try ChildProcess.run("touch", ["-r", file, "\(scratch.path)/before"])
    let before = try File(opening: file).version()
    let open = try File(opening: file, to: .update)
    try open.write(Maps.data(2).span.bytes, at: 0)
    try open.close()
    _ = try ChildProcess.run("touch", ["-r", "\(scratch.path)/before", file])
    let after = try File(opening: file).version()
    #expect(after.modified == before.modified && after.size == before.size && after.inode == before.inode)
    #expect(try component(try await scratch.release("2"), id: "malta").entry.digest != first.digest)
  }

  @Test(
    "a list that is damaged or of another version is as good as none",
    arguments: ["", "inputs 2\nLINE\n", "inputs 1\nLINE x\n", "inputs 1\nLINE\nrubbish", "\u{0}", "LINE\n"])
  func damaged(list: String) async throws {
    let first = try component(try await scratch.release("1"), id: "malta").entry
    try scratch.write("malta/base.x", Maps.data(2))
    let lie = line(try File(opening: file).version(), first.digest)
    let text = list.replacing("LINE", with: lie)
    try scratch.write(".inputs", Array(text.utf8), in: "repository")
    let second = try component(try await scratch.release("2"), id: "malta").entry
    #expect(second.digest != first.digest)
    // On a busy machine the file may be old enough by now to be remembered as what it is.
    let remembered = line(try File(opening: file).version(), second.digest)
    #expect([["inputs 1"], ["inputs 1", remembered]].contains(try lines()))
  }

  @Test("what an archive was unpacked to is not remembered")
  func unpacked() async throws {
    let archive = "\(scratch.path)/maps.tar"
    _ = try ChildProcess.run("tar", ["-cf", archive, "-C", scratch.input, "."])
    try await scratch.release("1", from: archive)
    #expect(try Directory(opening: scratch.repository).status(of: ".inputs") == nil)
  }
}
