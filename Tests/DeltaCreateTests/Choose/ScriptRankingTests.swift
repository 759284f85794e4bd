import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@testable import DeltaCreate

@Suite("Ranking of scripts")
struct ScriptRankingTests {
  private let old: [UInt8]
  private let new: [UInt8]
  private let options = PatchMaker.Options()
  private let costs = PatchMaker.Options().learnedCosts

  init() {
    var random = SeededGenerator(7)
    old = random.bytes(1_500_000)
    new = old[..<400_000] + random.bytes(700_000) + old[600_000...]
  }

  /// Copies the first part of the old file, of `count` bytes; all others are literals.
  ///
  /// - `size`: of the front of the new file that is made.
  private func withScript<Result>(
    copying count: Int, of size: Int = .max, _ body: (PatchScript) throws -> Result
  ) throws -> Result {
    try old.withUnsafeBufferPointer { old in
      try new.withUnsafeBufferPointer { new in
        let copy = ScriptOperation(operation: .copyOld, new: 0, source: 0, length: count)
        let new = UnsafeBufferPointer(rebasing: new.prefix(size))
        return try body(PatchScript(old: old, output: .file(new), operations: count > 0 ? [copy] : []))
      }
    }
  }

  @Test("a script that is like one that was compressed is estimated as it would be compressed")
  func like() throws {
    try withScript(copying: 0) { first in
      try withScript(copying: 400_000) { better in
        try withScript(copying: 100_000) { worse in
          var ranking = ScriptRanking(options, measures: true)
          let base = try ranking.add(first)
          #expect(try ranking.add(better, like: base))
          #expect(try !ranking.add(worse, like: base))
          let best = try #require(ranking.best)
          let real = try #require(
            try CompressedSections(better, model: options.models[0], options: options, below: .max))
          #expect(abs(best.size - real.size) < real.size / 40, "\(best.size) for \(real.size)")
        }
      }
    }
  }

  @Test("the smallest script that was compared as a whole stays a finalist beside a variant")
  func finalists() throws {
    try withScript(copying: 0) { first in
      try withScript(copying: 300_000) { second in
        try withScript(copying: 390_000) { variant in
          var ranking = ScriptRanking(options, measures: true)
          let base = try ranking.add(first)
          try ranking.add(second, like: base)
          #expect(try ranking.addVariant(variant, costs: costs))
          #expect(try !ranking.addVariant(second, costs: costs))
          let finalists = ranking.finalists
          #expect(finalists.map { $0.script.operations.first?.length } == [390_000, 300_000])
          // Without streams, a fast compressor compares them.
          #expect(finalists.allSatisfy { $0.sections == nil })
        }
      }
    }
  }

  @Test("a script that is not like another is compressed, and so is the best one, to compare them")
  func unlike() throws {
    try withScript(copying: 390_000) { best in
      try withScript(copying: 0) { other in
        var ranking = ScriptRanking(options, measures: true)
        try ranking.add(best)
        #expect(ranking.best?.sections == nil)
        let ranked = try ranking.add(other)
        #expect(ranked == nil)
        #expect(ranking.best?.script.operations.count == 1)
        #expect(ranking.best?.sections?.size == ranking.best?.size)
        #expect(ranking.finalists.count == 1)
      }
    }
  }

  @Test("a script far above the best one is known by a sample")
  func farAbove() throws {
    try withScript(copying: 390_000, of: 450_000) { best in
      try withScript(copying: 385_000, of: 450_000) { near in
        try withScript(copying: 0, of: 450_000) { far in
          var ranking = ScriptRanking(options, measures: true)
          #expect(try !ranking.isFarAboveBest(sampleOf: far))
          try ranking.add(best)
          #expect(try !ranking.isFarAboveBest(sampleOf: near))
          #expect(try ranking.isFarAboveBest(sampleOf: far))
        }
      }
    }
  }

  @Test("without a comparison, the only script is not compressed")
  func only() throws {
    try withScript(copying: 400_000) { script in
      var ranking = ScriptRanking(options, measures: false)
      let ranked = try ranking.add(script)
      #expect(ranked?.size == 0 && ranking.finalists.count == 1)
    }
  }

  @Test("all scripts for a file are sampled at the same pieces", arguments: [0, 100_000, 400_000])
  func pieces(copied: Int) throws {
    // Every fourth piece of 16 KiB, which is all of its bytes where nothing is copied.
    var expected: [UInt8] = []
    for start in stride(from: 2 << 14, to: new.count, by: 4 << 14) {
      expected += new[max(start, min(copied, start + (1 << 14)))..<min(start + (1 << 14), new.count)]
    }
    let blocks = try withScript(copying: copied) { try ScriptSample($0, options: options).blocks }
    #expect(blocks.count >= expected.count && blocks.count < expected.count + 1000)
  }
}
