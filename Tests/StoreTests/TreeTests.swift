import Crypto
import Platform
import TestSupport
import Testing

@testable import Store

/// Components of many files: their front, their bytes in one sequence, and what is written where.
@Suite("Tree")
struct TreeTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("tree") }

  private struct Made {
    let files: [(name: String, bytes: [UInt8])]
    let front: [UInt8]
    var bytes: [UInt8] { front + files.flatMap(\.bytes) }
    var size: UInt64 { UInt64(bytes.count) }
  }

  private static func number(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// Makes a component of files with these sizes; each piece of its front describes 64 of them.
  private static func make(_ sizes: [Int], seed: UInt64 = 1, changing changed: Set<Int> = []) throws -> Made {
    let files = sizes.enumerated().map { index, size in
      var generator = SeededGenerator(changed.contains(index) ? seed + 1000 + UInt64(index) : UInt64(index))
      let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
      return (name: "\(1000 + index / 30)/\(1000 + index).pbf", bytes: bytes)
    }
    let names = files.flatMap { Array($0.name.utf8) }
    var front = TreeFront.magic + number(files.count, 4) + number(names.count, 4) + number(0, 4)
    for file in files { front += number(file.bytes.count, 8) }
    for file in files {
      let digest = try Hasher.digest(of: file.bytes.span.bytes)
      front += (0..<Digest.size).map { digest.bytes[$0] }
    }
    for file in files { front += number(file.name.utf8.count, 2) }
    return Made(files: files, front: front + names)
  }

  private static let sizes = (0..<150).map { index in index % 7 == 3 ? 0 : index * 37 % 500 + 1 }

  /// Writes a component to staging in pieces of some size, and completes it.
  private func stage(
    _ made: Made, in store: borrowing LockedStore, pieces: Int, base: TreeReader? = nil
  ) throws -> Digest {
    let digest = try Hasher.digest(of: made.bytes.span.bytes)
    let writer = try store.staging.openTree(digest, size: made.size, completed: 0, base: base)
    var offset = 0
    while offset < made.bytes.count {
      let end = min(offset + pieces, made.bytes.count)
      try writer.write(made.bytes.span.bytes.extracting(offset..<end), at: UInt64(offset))
      offset = end
    }
    try store.staging.completeTree(digest, size: made.size)
    return digest
  }

  private func read(_ tree: TreeReader, _ size: Int) throws -> [UInt8] {
    var all: [UInt8] = []
    while true {
      var buffer = [UInt8](repeating: 0, count: size)
      var span = buffer.mutableSpan
      var space = span.mutableBytes
      let count = try tree.read(into: &space, at: UInt64(all.count))
      if count == 0 { return all }
      all += buffer[..<count]
    }
  }

  @Test(
    "what is written in pieces of any size is read in pieces of any size", arguments: [1, 7, 512, 100_000])
  func roundTrip(pieces: Int) throws {
    let store = try LockedStore(opening: scratch.path)
    let made = try Self.make(Self.sizes)
    let digest = try stage(made, in: store, pieces: pieces)
    #expect(try store.reading.staging.isComplete(digest, size: made.size))
    let tree = try #require(try store.reading.staging.openTree(digest, size: made.size))
    #expect(try read(tree, 1000) == made.bytes)
    #expect(try read(tree, pieces + 1) == made.bytes)
    for file in made.files {
      #expect(try scratch.read("staging/\(digest.hex)/files/\(file.name)") == file.bytes)
    }
    for index in stride(from: 0, to: 150, by: 11) where !made.files[index].bytes.isEmpty {
      let member = try tree.front.member(index)
      #expect(member.name == made.files[index].name)
      #expect(
        try tree.front.index(of: member.offset) == index && tree.front.index(of: member.end - 1) == index)
    }
  }

  @Test("files that the older component has are linked and never written to, also by a later run")
  func linking() throws {
    let store = try LockedStore(opening: scratch.path)
    let (old, new) = (try Self.make(Self.sizes), try Self.make(Self.sizes, changing: [5, 70, 149]))
    let oldDigest = try stage(old, in: store, pieces: 4096)
    let tree = try #require(try store.reading.staging.openTree(oldDigest, size: old.size))
    let digest = try Hasher.digest(of: new.bytes.span.bytes)
    let name = "staging/\(digest.hex).part"
    // An earlier run ends in the middle.
    let first = try store.staging.openTree(digest, size: new.size, completed: 0, base: tree)
    try first.write(new.bytes.span.bytes.extracting(0..<new.front.count + 9000), at: 0)
    let links = try Directory(opening: scratch.path)
    func count(_ index: Int) throws -> UInt64? {
      try links.status(of: "\(name)/files/\(new.files[index].name)")?.links
    }
    #expect(try count(0) == 2 && count(100) == 2)
    // The next one has nothing to link: it must not write to what is installed.
    let second = try store.staging.openTree(digest, size: new.size, completed: 0, base: nil)
    try second.write(new.bytes.span.bytes, at: 0)
    #expect(try count(0) == 1 && count(100) == 1)
    try store.staging.completeTree(digest, size: new.size)
    #expect(try read(tree, 5000) == old.bytes)
    // With the base, only what changed is written.
    try store.staging.remove(digest)
    #expect(try stage(new, in: store, pieces: 333, base: tree) == digest)
    let changed = try (0..<150).filter { index in
      try links.status(of: "staging/\(digest.hex)/files/\(new.files[index].name)")?.links == 1
    }
    #expect(changed == [5, 70, 149])
  }

  @Test("a run resumes after its front, and in the middle of it")
  func resuming() throws {
    let store = try LockedStore(opening: scratch.path)
    let made = try Self.make(Self.sizes)
    let digest = try Hasher.digest(of: made.bytes.span.bytes)
    for place in [0, 10, made.front.count - 1, made.front.count, made.front.count + 1, made.bytes.count - 5] {
      let first = try store.staging.openTree(digest, size: made.size, completed: 0, base: nil)
      try first.write(made.bytes.span.bytes.extracting(0..<min(place + 50, made.bytes.count)), at: 0)
      let second = try store.staging.openTree(digest, size: made.size, completed: UInt64(place), base: nil)
      try second.write(made.bytes.span.bytes.extracting(place...), at: UInt64(place))
      try store.staging.completeTree(digest, size: made.size)
      try store.staging.remove(digest)
    }
    #expect(try scratch.names("staging") == [])
  }

  @Test("a tree that was removed in part is not complete, and neither is a file in its place")
  func halfRemoved() throws {
    let store = try LockedStore(opening: scratch.path)
    let made = try Self.make(Self.sizes)
    let digest = try stage(made, in: store, pieces: 5000)
    try Directory(opening: scratch.path).remove("staging/\(digest.hex)/files/\(made.files[9].name)")
    #expect(try !store.reading.staging.isComplete(digest, size: made.size))
    #expect(try stage(made, in: store, pieces: 5000) == digest)
    #expect(try store.reading.staging.isComplete(digest, size: made.size, isTree: true))
    #expect(try !store.reading.staging.isComplete(digest, size: made.size, isTree: false))
    // The same bytes as one file, as between two patches, and as many again.
    let part = try store.staging.openPart(digest)
    try part.write(made.bytes.span.bytes)
    try store.staging.complete(digest, size: made.size)
    #expect(try !store.reading.staging.isComplete(digest, size: made.size, isTree: true))
    #expect(try stage(made, in: store, pieces: 5000) == digest)
    #expect(try store.reading.staging.isComplete(digest, size: made.size, isTree: true))
  }

  @Test("longer files that were there before are not part of a component that is complete")
  func longer() throws {
    let store = try LockedStore(opening: scratch.path)
    let made = try Self.make(Self.sizes)
    let digest = try Hasher.digest(of: made.bytes.span.bytes)
    let first = try store.staging.openTree(digest, size: made.size, completed: 0, base: nil)
    try first.write(made.bytes.span.bytes, at: 0)
    let name = "staging/\(digest.hex).part/files/\(made.files[4].name)"
    try scratch.write(name, made.files[4].bytes + [1, 2, 3])
    #expect(throws: Failure.self) { try store.staging.completeTree(digest, size: made.size) }
    // Nothing of it is left for a run that begins anew.
    let second = try store.staging.openTree(digest, size: made.size, completed: 0, base: nil)
    try second.write(made.bytes.span.bytes, at: 0)
    try scratch.write(name, made.files[4].bytes + [1, 2, 3])
    let third = try store.staging.openTree(digest, size: made.size, completed: 0, base: nil)
    try third.write(made.bytes.span.bytes, at: 0)
    try store.staging.completeTree(digest, size: made.size)
    #expect(try scratch.read("staging/\(digest.hex)/files/\(made.files[4].name)") == made.files[4].bytes)
  }

  @Test("a front with a name twice, or with another number of files than the catalog says, is refused")
  func twice() throws {
    let store = try LockedStore(opening: scratch.path)
    let (old, made) = (try Self.make([40, 40, 40]), try Self.make([40, 40, 40], changing: [0]))
    let oldDigest = try stage(old, in: store, pieces: 1000)
    let base = try #require(try store.reading.staging.openTree(oldDigest, size: old.size))
    var bytes = made.bytes
    // "1000/1001.pbf" becomes "1000/1000.pbf" once more.
    let names = 16 + 42 * 3
    bytes.replaceSubrange(names + 13..<names + 26, with: bytes[names..<names + 13])
    let digest = try Hasher.digest(of: bytes.span.bytes)
    let writer = try store.staging.openTree(digest, size: made.size, completed: 0, base: base)
    #expect(throws: Failure.self) { try writer.write(bytes.span.bytes, at: 0) }
    #expect(try read(base, 100) == old.bytes)
    let other = try store.staging.openTree(digest, size: made.size, files: 4, completed: 0, base: nil)
    #expect(throws: Failure.self) { try other.write(made.bytes.span.bytes, at: 0) }
    let again = try store.staging.openTree(digest, size: made.size, files: 3, completed: 0, base: nil)
    try again.write(made.bytes.span.bytes.extracting(0..<made.front.count + 50), at: 0)
    try again.restart()
    try again.write(made.bytes.span.bytes, at: 0)
  }

  @Test("a component with wrong bytes is refused and removed")
  func wrong() throws {
    let store = try LockedStore(opening: scratch.path)
    let made = try Self.make(Self.sizes)
    var bytes = made.bytes
    bytes[bytes.count - 3] ^= 1
    let digest = try Hasher.digest(of: made.bytes.span.bytes)
    let writer = try store.staging.openTree(digest, size: made.size, completed: 0, base: nil)
    try writer.write(bytes.span.bytes, at: 0)
    #expect(throws: Failure.self) { try store.staging.completeTree(digest, size: made.size) }
    #expect(try scratch.names("staging") == [])
  }

  @Test(
    "hostile fronts are refused: no file leaves the directory, no sum overflows, nothing is allocated by their word"
  )
  func hostile() throws {
    let made = try Self.make([10, 20, 30])
    func refused(_ change: (inout [UInt8]) -> Void, total: UInt64? = nil) throws -> Bool {
      var front = made.front
      change(&front)
      try scratch.write("front", front)
      do {
        let tree = try TreeFront(
          try File(opening: "\(scratch.path)/front"), total: total ?? UInt64(front.count + 60))
        for index in 0..<tree.count { _ = try tree.member(index) }
      } catch { return true }
      return false
    }
    #expect(try !refused { _ in })
    #expect(try refused { $0[0] = 0 })
    for (offset, value) in [(4, 0), (4, 200), (7, 255), (8, 1), (11, 255), (16, 11), (23, 255), (23, 127)] {
      #expect(try refused { $0[offset] = UInt8(value) }, "\(offset) \(value)")
    }
    #expect(try refused({ _ in }, total: UInt64(made.front.count + 59)))
    #expect(try refused({ _ in }, total: 3))
    #expect(try refused { $0.removeLast() })
    let names = 16 + 42 * 3
    for text in ["../x", "/100", "a//b", ".abc", "a\u{7}bc", "10/\\"] {
      #expect(
        try refused { front in for (index, byte) in text.utf8.enumerated() { front[names + index] = byte } },
        "\(text)")
    }
    for length in 0..<made.front.count { #expect(try refused { $0.removeLast($0.count - length) }) }
    let store = try LockedStore(opening: scratch.path)
    let digest = try Hasher.digest(of: made.bytes.span.bytes)
    for (offset, value) in [(0, 1), (4, 255), (9, 255), (16, 99)] {
      var bytes = made.bytes
      bytes[offset] = UInt8(value)
      let writer = try store.staging.openTree(digest, size: made.size, completed: 0, base: nil)
      #expect(throws: Failure.self, "\(offset)") { try writer.write(bytes.span.bytes, at: 0) }
    }
  }
}
