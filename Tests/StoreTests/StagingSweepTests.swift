import Crypto
import Glibc
import Platform
import TestSupport
import Testing

@testable import Store

@Suite("Staging, by digest")
struct StagingSweepTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("sweep") }

  @Test("digests come in their order, each once, and in portions", arguments: [1, 2, 3, 7, 100])
  func digests(limit: Int) throws {
    let store = try LockedStore(opening: scratch.path)
    let all = try (0..<20).map { try Fixture.digest("\($0)") }.sorted()
    for (index, digest) in all.enumerated() {
      for ending in ["", ".part", ".index.log"].prefix(index % 3 + 1) {
        try scratch.write("staging/\(digest.hex)\(ending)", "x")
      }
    }
    try scratch.write("staging/stray.part", "x")
    var found: [Digest] = []
    while true {
      let next = try store.reading.staging.digests(after: found.last, limit: limit)
      if next.isEmpty { break }
      #expect(next.count <= limit)
      found += next
    }
    #expect(found == all)
  }

  @Test("removing takes everything of the digests, whatever has none, and nothing else")
  func remove() throws {
    let store = try LockedStore(opening: scratch.path)
    let all = try ["a", "b", "c"].map { try Fixture.digest($0) }.sorted()
    for digest in all {
      for ending in ["", ".part", ".restart", ".index.part-wal"] {
        try scratch.write("staging/\(digest.hex)\(ending)", "x")
      }
    }
    try scratch.write("staging/stray/file", "x")
    // Names are bytes: this one is not UTF-8.
    let foreign = (Array("\(scratch.path)/staging/x".utf8) + [0xff, 0]).map { CChar(bitPattern: $0) }
    #expect(mkdir(foreign, 0o755) == 0)
    try store.staging.remove([all[0], all[2]])
    #expect(try scratch.names("staging").allSatisfy { $0.hasPrefix(all[1].hex) })
    #expect(try scratch.names("staging").count == 4)
  }

  @Test("containers that are of no use are remembered, as many as are asked for")
  func unusable() throws {
    let store = try LockedStore(opening: scratch.path)
    let heads = try ["a", "b"].map { try Fixture.digest($0) }.sorted()
    for head in heads { try store.staging.note(unusable: head) }
    #expect(try store.reading.staging.unusable(limit: 9).sorted() == heads)
    #expect(try store.reading.staging.unusable(limit: 1).count == 1)
    try store.staging.clear()
    #expect(try store.reading.staging.unusable(limit: 9) == [])
  }
}
