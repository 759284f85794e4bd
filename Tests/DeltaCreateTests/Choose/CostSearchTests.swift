import TestSupport
import Testing

@testable import DeltaCreate

@Suite("Search of costs")
struct CostSearchTests {
  private let options = PatchMaker.Options()

  /// Records with the same words and other numbers.
  private static func text(seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed)
    let kinds = ["village", "town", "hamlet", "peak", "station", "island"]
    return (0..<3000).flatMap { number in
      let kind = kinds[Int(random.next() % 6)]
      let coordinates = "[\(random.next() % 1_000_000),\(random.next() % 1_000_000)]"
      return Array("{\"type\":\"Feature\",\"kind\":\"\(kind)\",\"coordinates\":\(coordinates)},\n".utf8)
    }
  }

  /// The best script, and the size of the one that is chosen with constant costs.
  private func search(old: [UInt8], new: [UInt8]) throws -> (best: ScriptRanking.Ranked, constant: Int) {
    try old.withUnsafeBufferPointer { old in
      try new.withUnsafeBufferPointer { new in
        let plan = SearchBudget.choose(old: old.count, new: new.count, limit: .max)
        let finder = try CopyFinder(old: old, new: new, plan: plan)
        let found = finder.copies(options.matchings)
        let choice = try #require(CopyChoice(old: old, new: new, among: found, lines: []))
        let constant = PatchScript(
          old: old, output: .file(new),
          operations: choice.operations(options.costs, literals: LiteralCosts(new)))
        var ranking = ScriptRanking(options, measures: true)
        let first = try #require(try ranking.add(constant, costs: options.costs))
        var search = CostSearch(choice, numbers: nil, old: old, new: new, options: options)
        try search.run(&ranking, after: first)
        return (try #require(ranking.best), first.size)
      }
    }
  }

  @Test("in a text that repeats itself, words that the compressor finds again are not copied")
  func text() throws {
    let (best, constant) = try search(old: Self.text(seed: 1), new: Self.text(seed: 2))
    #expect(best.size * 10 < constant * 9, "\(best.size) instead of \(constant)")
  }

  @Test("a small patch that the first costs make no smaller is searched no further", arguments: [1000, 8000])
  func smallPatch(inserted: Int) throws {
    let old = Self.text(seed: 1)
    var random = SeededGenerator(3)
    var new = old
    for _ in 0..<inserted { new.insert(0x30, at: Int(random.next() % UInt64(new.count))) }
    let (best, constant) = try search(old: old, new: new)
    let isSmall = constant <= 16 << 10
    #expect(isSmall == (inserted == 1000), "\(constant)")
    // Other costs would make both smaller.
    #expect((best.costs == options.costs) == isSmall)
  }
}
