import DeltaTestSupport
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

  /// The best script, the size of the one that is chosen with constant costs, and all that were tried.
  private func search(
    old: [UInt8], new: [UInt8]
  ) throws -> (best: Candidate, constant: Int, trials: [ScriptTrial]) {
    try old.withUnsafeBufferPointer { old in
      try new.withUnsafeBufferPointer { new in
        let range = SearchRange(old: old, new: new)
        let found = try range.copies(options)
        let unchanged = UnchangedRanges()
        let choice = try #require(CopyChoice(old: old, new: new, among: found, lines: []))
        let operations = choice.operations(options.costs, literals: LiteralCosts(new), in: choice.pieces)
        let constant = try Candidate(
          range.script(operations), .matched(0, numbers: false), options: options)
        let doubles = FoundDoubles(range, unchanged: unchanged)
        let search = CostSearch(
          range, among: found, doubles, unchanged: unchanged, after: constant, options: options)
        let contest = try search.run()
        return (try #require(contest.best), constant.size, contest.trials)
      }
    }
  }

  @Test("in a text that repeats itself, words that the compressor finds again are not copied")
  func text() throws {
    let (best, constant, _) = try search(old: Self.text(seed: 1), new: Self.text(seed: 2))
    #expect(best.size * 100 < constant * 96, "\(best.size) instead of \(constant)")
  }

  @Test("a small patch that the first costs make no smaller is searched no further", arguments: [500, 8000])
  func smallPatch(inserted: Int) throws {
    let old = Self.text(seed: 1)
    var random = SeededGenerator(3)
    var new = old
    for _ in 0..<inserted { new.insert(0x30, at: Int(random.next() % UInt64(new.count))) }
    let (_, constant, trials) = try search(old: old, new: new)
    let isSmall = constant <= 16 << 10
    #expect(isSmall == (inserted == 500), "\(constant)")
    let learned = trials.count {
      if case .costs(let costs, _) = $0.origin { costs.operation < 1000 } else { false }
    }
    // Constant costs, and those of literals that were learned.
    #expect(isSmall ? learned <= 2 : learned > 3, "\(learned)")
  }

  @Test("numbers that have all changed a little are copied although hardly a byte is equal")
  func numbers() throws {
    var random = SeededGenerator(4)
    let numbers = (0..<20_000).map { _ in UInt64(random.next() % 1 << 40) }
    func bytes(_ numbers: [UInt64]) -> [UInt8] {
      numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    }
    let header = random.bytes(200)
    let old = header + bytes(numbers)
    let new = header + bytes(numbers.map { $0 &+ 0x01_0101_0101_0101 &* UInt64(random.next() % 3 + 1) })
    let (best, _, _) = try search(old: old, new: new)
    let copied = best.script.operations.reduce(0) { $0 + $1.length }
    #expect(copied > new.count * 9 / 10, "\(copied) of \(new.count)")
    #expect(best.size < new.count / 4, "\(best.size) of \(new.count)")
  }

  @Test("a file whose contents have moved is not compressed whole as differences at the same offsets")
  func moved() throws {
    let old = Self.text(seed: 1)
    let new = Array("moved".utf8) + old.dropLast(5)
    let trials = try old.withUnsafeBufferPointer { old in
      try new.withUnsafeBufferPointer { new in
        let plan = SearchBudget.choose(old: old.count, new: new.count, limit: 1 << 30)
        return try PatchMaker(options).pack(old: old, new: new, plan: plan).trials
      }
    }
    #expect(trials.contains { $0.origin == .aligned && $0.verdict == .rejected(.farAboveBest) })
  }

  @Test("a script whose operations were tried has the size of that one, and is not taken")
  func known() throws {
    let old = Self.text(seed: 1)
    let (_, _, trials) = try search(old: old, new: Array(old.dropFirst(100)))
    let same = trials.filter { $0.verdict == .rejected(.same) }
    let others = trials.filter { $0.verdict != .rejected(.same) }
    #expect(!same.isEmpty)
    for trial in same { #expect(others.contains { $0.size == trial.size }) }
  }

  @Test("in noise that shares nothing with a file of the same size, nothing is chosen")
  func noise() throws {
    var random = SeededGenerator(6)
    let (old, new) = (random.bytes(300_000), random.bytes(300_000))
    let trials = try old.withUnsafeBufferPointer { old in
      try new.withUnsafeBufferPointer { new in
        let plan = SearchBudget.choose(old: old.count, new: new.count, limit: 1 << 30)
        return try PatchMaker(options).pack(old: old, new: new, plan: plan).trials
      }
    }
    #expect(trials.count == 2, "\(trials.map(\.origin))")
  }

  @Test("of all scripts that are tried one is taken, and each other one has a reason")
  func verdicts() throws {
    let (best, _, trials) = try search(old: Self.text(seed: 1), new: Self.text(seed: 2))
    let taken = trials.filter { $0.verdict == .taken }
    #expect(taken.count == 1 && taken.first?.size == best.size && taken.first?.origin == best.origin)
    #expect(trials.allSatisfy { $0.verdict == .taken || $0.size >= best.size })
  }
}
