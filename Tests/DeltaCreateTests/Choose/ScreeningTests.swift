import DeltaTestSupport
import TestSupport
import Testing

@testable import DeltaCreate

@Suite("Screening of scripts")
struct ScreeningTests {
  private let options = PatchMaker.Options()

  /// Records with the same words and other numbers.
  private static func text(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed)
    let kinds = ["village", "town", "hamlet", "peak", "station", "island"]
    return (0..<count).flatMap { _ in
      Array("{\"kind\":\"\(kinds[Int(random.next() % 6)])\",\"at\":[\(random.next() % 1_000_000)]},\n".utf8)
    }
  }

  @Test("parts of a small file say too little", arguments: [0, 100_000, 500_000])
  func small(count: Int) {
    [UInt8](repeating: 0, count: count).withUnsafeBufferPointer { bytes in
      let range = SearchRange(old: bytes, new: bytes)
      for extent in [Estimate.Extent.sample, .whole] {
        #expect(Screening(range, Estimate(extent: extent, compressor: .fast), options: options) == nil)
      }
    }
  }

  @Test("parts are at most half of the file, spread over it", arguments: [600_000, 5_000_000, 90_000_000])
  func parts(count: Int) throws {
    let base = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
    defer { base.deallocate() }
    let range = SearchRange(
      old: UnsafeBufferPointer(start: nil, count: 0), new: UnsafeBufferPointer(start: base, count: count))
    for extent in [Estimate.Extent.sample, .whole] {
      let estimate = Estimate(extent: extent, compressor: .fast)
      let ranges = try #require(Screening(range, estimate, options: options)).ranges
      #expect(ranges.reduce(0) { $0 + $1.count } <= count / 2 + 8192)
      #expect(ranges.first?.lowerBound ?? count < count / 10)
      #expect(ranges.last?.upperBound ?? 0 > count - count / 10)
      #expect(zip(ranges, ranges.dropFirst()).allSatisfy { pair in pair.0.upperBound <= pair.1.lowerBound })
    }
  }

  @Test("parts rank scripts as the whole file does, and what is chosen for them alone is worth as much there")
  func ranks() throws {
    let old = Self.text(30_000, seed: 1)
    let new = Self.text(15_000, seed: 2) + old.prefix(600_000)
    try old.withUnsafeBufferPointer { old in
      try new.withUnsafeBufferPointer { new in
        let range = SearchRange(old: old, new: new)
        let estimate = Estimate(extent: .whole, compressor: .fast)
        let screening = try #require(Screening(range, estimate, options: options))
        let choice = try #require(
          CopyChoice(
            old: old, new: new, among: try range.copies(options), lines: [], screened: screening.ranges))
        let literals = LiteralCosts(new)
        let cheap = PatchMaker.CopyCosts(literal: 64, difference: 64, run: 1, operation: 1, delta: 1)
        var sizes: [(whole: Int, parts: Int)] = []
        for costs in [options.learnedCosts, cheap] {
          let script = range.script(choice.operations(costs, literals: literals, in: choice.pieces))
          let parts = range.script(choice.operations(costs, literals: literals, in: choice.screened))
          #expect(
            parts.operations.allSatisfy { operation in
              screening.ranges.contains { $0.lowerBound <= operation.new && operation.end <= $0.upperBound }
            })
          let whole = try Candidate(script, .literals, by: estimate, options: options).size
          let (inParts, alone) = (try screening.size(of: script), try screening.size(of: parts))
          #expect(abs(alone - inParts) * 100 <= inParts, "\(alone) instead of \(inParts)")
          sizes.append((whole, inParts))
        }
        #expect(sizes[0].whole < sizes[1].whole * 95 / 100, "\(sizes)")
        #expect(screening.isTooLarge(sizes[1].parts, beside: sizes[0].parts), "\(sizes)")
        #expect(!screening.isTooLarge(sizes[0].parts, beside: sizes[1].parts), "\(sizes)")
        #expect(!screening.isTooLarge(sizes[0].parts, beside: sizes[0].parts))
      }
    }
  }
}
