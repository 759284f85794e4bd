import CatalogWriting
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

  /// The line of a file that made this component, or is said to have.
  private func line(_ version: FileVersion, _ component: CatalogEntry) throws -> String {
    let nothing: [UInt8] = []
    let digest = try Hasher.digest(of: nothing.span.bytes)
    return """
      \(version.device) \(version.inode) \(version.size) \(version.modified) \(version.changed) \(digest.hex) \
      \(component.digest.hex)
      """
  }

  @Test("a file of the version that made the last component is not read, and any other is")
  func unread() async throws {
    let first = try await settled()
    #expect(try lines() == ["inputs 2", line(File(opening: file).version(), first)])
    // On a busy machine a release may take so long that the file is old at its end.
    for attempt in 0..<30 {
      let started = Clock.milliseconds
      // Another content, and a line that says that it made the same component: only a reader would know better.
      try scratch.write("malta/base.x", Maps.data(2))
      let lie = try line(File(opening: file).version(), first)
      try scratch.write(".inputs", Array("inputs 2\n\(lie)\n".utf8), in: "repository")
      let second = try component(try await scratch.release("2.\(attempt)"), id: "malta").entry
      #expect(second.digest == first.digest)
      guard Clock.milliseconds - started < 2500 else { continue }
      // Written a moment ago: it may be written again in the same tick of the clock.
      #expect(try lines() == ["inputs 2"])
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
    arguments: ["", "inputs 1\nLINE\n", "inputs 2\nLINE x\n", "inputs 2\nLINE\nrubbish", "\u{0}", "LINE\n"])
  func damaged(list: String) async throws {
    let first = try component(try await scratch.release("1"), id: "malta").entry
    try scratch.write("malta/base.x", Maps.data(2))
    let lie = try line(File(opening: file).version(), first)
    let text = list.replacing("LINE", with: lie)
    try scratch.write(".inputs", Array(text.utf8), in: "repository")
    let second = try component(try await scratch.release("2"), id: "malta").entry
    #expect(second.digest != first.digest)
    // On a busy machine the file may be old enough by now to be remembered as what it is.
    let remembered = try line(File(opening: file).version(), second)
    #expect([["inputs 2"], ["inputs 2", remembered]].contains(try lines()))
  }

  @Test(
    "a release after a plan reads neither the input nor the component again, unless the component was written anew"
  )
  func planned() async throws {
    Clock.sleep(milliseconds: 4100)
    try scratch.initialize()
    let publication = try Publication(
      of: .files(scratch.input), label: "1", in: try Repository(opening: scratch.repository),
      options: {
        var options = Publication.Options { TestRepository.now }
        options.form = .dat
        return options
      }())
    let plan = try await publication.jobList()
    let component = try #require(plan.jobs.first).new
    // A reader would see that neither is what it was: the sizes are the same.
    let version = try File(opening: file).version()
    try scratch.write("malta/base.x", Maps.data(2))
    let other = try File(opening: file).version()
    let inputs = try String(decoding: scratch.served(".inputs"), as: UTF8.self)
    func text(_ version: FileVersion) -> String {
      "\(version.device) \(version.inode) \(version.size) \(version.modified) \(version.changed)"
    }
    let size = try scratch.served(component.url).count
    try scratch.write(component.url, [UInt8](repeating: 0, count: size), in: "repository")
    Clock.sleep(milliseconds: 50)
    try scratch.write(
      ".inputs", Array(inputs.replacing(text(version), with: text(other)).utf8), in: "repository")
    let repository = try Repository(opening: scratch.repository)
    let release = Release(number: 1, label: "1")
    func hashed(_ release: Release) throws -> HashedComponent {
      let found = try InputScanner.scan(
        InputSource(directory: scratch.input), release: release, form: .dat)
      return try HashedComponent(
        try #require(found.components.first), previous: nil, release: release,
        known: KnownInputs(of: repository.open()))
    }
    let known = try hashed(release)
    #expect(known.digest == component.digest && known.size == UInt64(size))
    #expect(try Workspace(repository).store(known) == .present)
    // For another release it would be another component.
    #expect(try hashed(Release(number: 2, label: "2")).durableSince == nil)
  }

  @Test("a component that was written after the list, as by a release that power loss ended, is read")
  func rewritten() async throws {
    Clock.sleep(milliseconds: 4100)
    try scratch.initialize()
    let publication = try Publication(
      of: .files(scratch.input), label: "1", in: try Repository(opening: scratch.repository),
      options: Publication.Options { TestRepository.now })
    let component = try #require(try await publication.jobList().jobs.first).new
    let stored = try scratch.served(component.url)
    Clock.sleep(milliseconds: 50)
    try scratch.write(component.url, [UInt8](repeating: 0, count: stored.count), in: "repository")
    try await scratch.release("1")
    #expect(try scratch.served(component.url) == stored)
  }

  @Test("what an archive was unpacked to is not remembered")
  func unpacked() async throws {
    let archive = "\(scratch.path)/maps.tar"
    _ = try ChildProcess.run("tar", ["-cf", archive, "-C", scratch.input, "."])
    try await scratch.release("1", from: archive)
    #expect(try Directory(opening: scratch.repository).status(of: ".inputs") == nil)
  }
}
