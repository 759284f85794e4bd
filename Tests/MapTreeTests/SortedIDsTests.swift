import Catalog
import MapModel
import MapTestSupport
import TestSupport
import Testing

@testable import MapTree

@Suite("Sorted ids")
struct SortedIDsTests {
  /// Ids of three levels, among them names that are beginnings of others, and names that sort before a slash.
  private let candidates: [PackageID] = ["a", "a-b", "ab", "b"].flatMap { first in
    [first] + ["a", "a.c", "b"].flatMap { ["\(first)/\($0)", "\(first)/\($0)/x"] }
  }.compactMap { PackageID($0) }

  @Test("what is looked up among them is what a look at each of them finds")
  func lookup() throws {
    var random = SeededGenerator(3)
    for _ in 0..<300 {
      let chosen = Array(
        candidates.shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random)))
      let ids = SortedIDs(chosen + chosen.prefix(1))
      #expect(ids.all == chosen.sorted())
      for id in candidates {
        #expect(ids.includes(id) == chosen.contains { $0.contains(id) }, "\(chosen) \(id)")
        #expect(
          Set(ids.indices(containing: id).map { ids.all[$0] }) == Set(chosen.filter { $0.contains(id) }))
      }
      let ends = candidates.shuffled(using: &random).prefix(2).sorted()
      let part = CatalogPart(
        from: ends[0], to: ends[1], level: 0, packages: 2, url: "x",
        file: CatalogReference(digest: try Fixture.digest("a"), size: 1))
      #expect(
        ids.includesAll(of: part)
          == chosen.contains { $0.contains(part.first) && $0.contains(part.last) }, "\(chosen) \(ends)")
      #expect(ids.mayBe(in: part) == part.mayList(chosen), "\(chosen) \(ends)")
      #expect(
        Set(ids.indices(in: part).map { ids.all[$0] }) == Set(chosen.filter { part.mayList([$0]) }),
        "\(chosen) \(ends)")
    }
  }
}
