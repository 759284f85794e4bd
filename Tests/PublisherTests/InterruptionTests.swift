import MapModel
import Platform
import TestSupport
import Testing

@testable import Catalog
@testable import Publisher

@Suite("Interruption")
struct InterruptionTests {
  private let scratch: TestRepository
  private let whole: TestRepository

  init() throws {
    scratch = try TestRepository()
    whole = try TestRepository()
  }

  @Test("what an interrupted run left is removed or used, and the result is the same")
  func repeated() async throws {
    for scratch in [scratch, whole] {
      try Maps.write(to: scratch)
      try await scratch.release("1")
      try Maps.write(to: scratch) { Maps.changed($0) }
    }
    let before = try scratch.tree()
    try await whole.release("2")
    let after = try whole.tree()

    // Any part of the new files may have its name already, and any part of one may lie in the work directory.
    let new = after.keys.filter { before[$0] == nil }.sorted()
    for count in 0...new.count {
      let partial = try TestRepository()
      try Maps.write(to: partial) { Maps.changed($0) }
      for (name, bytes) in before { try partial.write(name, bytes, in: "repository") }
      for (index, name) in new.enumerated() {
        let bytes = try #require(after[name])
        if index < count {
          try partial.write(name, bytes, in: "repository")
        } else {
          try partial.write(".work/\(index).part", Array(bytes.prefix(bytes.count / 2)), in: "repository")
        }
      }
      try await partial.release("2")
      #expect(try partial.tree() == after)
    }
  }

  @Test("payloads of older releases are not opened, whichever release names them")
  func named() async throws {
    var payloads: [String] = []
    for release in 1...4 {
      try scratch.write("malta/base.x", Maps.data(UInt64(release)))
      let entry = try component(try await scratch.release("\(release)", patchReleases: 1), id: "malta").entry
      payloads.append(try #require(entry.packed).url)
    }
    let root = try Directory(opening: scratch.repository)
    // A directory cannot be opened as a payload.
    for url in [payloads[0], payloads[3]] {
      try root.remove(url)
      try root.makeDirectory(url)
    }
    try scratch.write("malta/base.x", Maps.data(5))
    try await scratch.release("5", patchReleases: 1)
  }

  @Test("a damaged payload that would be used again is made again")
  func damaged() async throws {
    // Large enough that payloads have several frames, and their names say nothing of the last one.
    for scratch in [scratch, whole] {
      try scratch.write("malta/base.x", Maps.data(1, size: 300_000))
      try await scratch.release("1")
      try scratch.write("malta/base.x", Maps.data(2, size: 300_000))
    }
    let before = try scratch.tree()
    try await whole.release("2")
    let after = try whole.tree()
    #expect(after.keys.contains { before[$0] == nil && $0.hasPrefix("payloads/") })
    for (name, bytes) in after where before[name] == nil && name.hasPrefix("payloads/") {
      // The head, and with it the name, is right.
      try scratch.write(name, bytes.dropLast() + [bytes[bytes.count - 1] ^ 1], in: "repository")
    }
    try await scratch.release("2")
    #expect(try scratch.tree() == after)
  }

  @Test("a component that power loss left with its name and size, but without its bytes, is written again")
  func blank() async throws {
    for scratch in [scratch, whole] {
      try Maps.write(to: scratch)
      try await scratch.release("1")
      try Maps.write(to: scratch) { Maps.changed($0) }
    }
    let before = try scratch.tree()
    try await whole.release("2")
    let after = try whole.tree()
    let new = after.filter { before[$0.key] == nil && $0.key.hasPrefix("components/") }
    #expect(!new.isEmpty)
    for (name, bytes) in new {
      try scratch.write(name, [UInt8](repeating: 0, count: bytes.count), in: "repository")
    }
    try await scratch.release("2")
    #expect(try scratch.tree() == after)
  }

  @Test("a component that changes while it is read is not published")
  func changing() throws {
    try scratch.write("malta/base.x", [1, 2, 3])
    let release = Release(number: 1, label: "1")
    let input = try #require(
      try InputScanner.scan(InputSource(directory: scratch.input), release: release).components.first)
    try scratch.write("malta/base.x", [1, 2, 3, 4])
    #expect(throws: PublisherError.input(.changedWhileRead(path: input.path))) {
      try HashedComponent(input, previous: nil, release: release)
    }
    try scratch.write("malta/base.x", [1, 2, 3])
    let hashed = try HashedComponent(input, previous: nil, release: release)
    try scratch.write("malta/base.x", [1, 2, 4])
    try scratch.initialize()
    let repository = try Repository(opening: scratch.repository)
    let directory = try repository.open()
    try Workspace.make(directory)
    let workspace = try Workspace(repository)
    #expect(throws: PublisherError.input(.changedWhileRead(path: input.path))) { try workspace.store(hashed) }
    #expect(try workspace.size(of: hashed.url) == nil)
  }
}
