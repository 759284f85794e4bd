import Crypto
import MapModel
import TestSupport
import Testing

@testable import Catalog

@Suite("Patch chain")
struct PatchChainTests {
  /// Versions are one letter each; "z" is the entry's own file.
  private func entry(_ patches: [(ends: String, size: UInt64)]) -> CatalogEntry {
    var entry = Fixture.entry("a")
    entry.patches = patches.map { ends, size in
      let ends = Array(ends.utf8)
      let to = ends[1] == UInt8(ascii: "z") ? nil : Intermediate(digest: Fixture.digest(ends[1]), size: 10)
      return Patch(from: Fixture.digest(ends[0]), to: to, container: container(ends, size: size))
    }
    return entry
  }

  private func container(_ ends: [UInt8], size: UInt64) -> Container {
    Container(
      url: "payloads/" + String(decoding: ends, as: UTF8.self), size: size, head: Fixture.digest(1),
      memory: UInt64(ends[0]))
  }

  private func chains(_ entry: CatalogEntry, from base: Character, memory: UInt64 = .max) -> [String] {
    let base = Fixture.digest(base.asciiValue ?? 0)
    let chains = entry.chains(from: base) { $0.container.memory <= memory }
    return chains.map { $0.map { String($0.container.url.utf8.suffix(2)) ?? "" }.joined(separator: " ") }
  }

  @Test("the cheapest of each length, the cheapest first")
  func lengths() {
    let entry = entry([("bz", 1), ("ab", 9), ("ac", 2), ("cb", 3), ("az", 1), ("cz", 100)])
    #expect(chains(entry, from: "a") == ["ac cb bz", "ab bz"])
    #expect(chains(entry, from: "c") == ["cb bz"])
    #expect(chains(entry, from: "b") == [] && chains(entry, from: "x") == [])
  }

  @Test("a chain has at most four patches, and goes round no circle for ever")
  func bounds() {
    let line = entry([("fz", 1), ("ef", 1), ("de", 1), ("cd", 1), ("bc", 1)])
    #expect(chains(line, from: "c") == ["cd de ef fz"])
    #expect(chains(line, from: "b") == [])
    #expect(chains(entry([("ab", 1), ("ba", 1)]), from: "a") == [])
    #expect(chains(entry([("ab", 1), ("ba", 1), ("bz", 1)]), from: "a") == ["ab bz", "ab ba ab bz"])
  }

  @Test("what is not admitted is not part of a chain")
  func admission() {
    let entry = entry([("bz", 1), ("cz", 50), ("ab", 1), ("ac", 1)])
    #expect(chains(entry, from: "a") == ["ab bz"])
    #expect(chains(entry, from: "a", memory: 97) == [])
    #expect(chains(entry, from: "a", memory: 98) == ["ab bz"])
  }

  @Test("a chain whose size overflows is not used")
  func endless() {
    let entry = entry([("bz", .max), ("ab", 1)])
    #expect(chains(entry, from: "a") == [])
    #expect(entry.patches.download == .max)
  }

  @Test("as many patches as a catalog may have are gone through in a moment")
  func many() {
    let hops = (0..<UInt8(CatalogLimits.hops)).map { hop in
      (
        hop: hop,
        patch: Patch(
          from: Fixture.digest(hop % 4), to: Intermediate(digest: Fixture.digest((hop + 1) % 4), size: 1),
          container: container([0, hop], size: 1))
      )
    }
    var entry = Fixture.entry("a")
    entry.patches =
      hops.map(\.patch)
      + (0..<UInt8(CatalogLimits.patches)).map {
        Patch(from: Fixture.digest($0), container: container([0, $0], size: 1000))
      }
    #expect(entry.chains(from: Fixture.digest(0)).map(\.count) == [2, 3, 4])
  }
}
