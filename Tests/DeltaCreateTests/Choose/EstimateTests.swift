import DeltaTestSupport
import TestSupport
import Testing

@testable import DeltaCreate

@Suite("Estimates of scripts")
struct EstimateTests {
  private let options = PatchMaker.Options()

  /// How scripts like the one that copies all of the old file are compared.
  private func estimate(old: [UInt8], new: [UInt8]) throws -> Estimate {
    try old.withUnsafeBufferPointer { old in
      try new.withUnsafeBufferPointer { new in
        let all = Copy(new: 0, old: 0, length: min(old.count, new.count))
        let script = SearchRange(old: old, new: new).script([ScriptOperation(all)])
        let candidate = try Candidate(script, .matched(0, numbers: false), options: options)
        let better = try candidate.estimatedBetter(options)
        let again = try Candidate(script, candidate.origin, by: better.estimate, options: options)
        #expect(again.size == better.size)
        return better.estimate
      }
    }
  }

  @Test("all of a small patch is compressed, of a large one a sample")
  func extent() throws {
    var random = SeededGenerator(1)
    let old = random.bytes(2_000_000)
    #expect(try estimate(old: old, new: old + random.bytes(10_000)).extent == .whole)
    #expect(try estimate(old: old, new: random.bytes(2_000_000)).extent == .sample)
  }

  @Test("what sorting makes smaller is sorted, noise is not")
  func compressor() throws {
    var random = SeededGenerator(2)
    // Digits that depend on the ones before: no long repetitions, but few that may follow.
    var text: [UInt8] = []
    for _ in 0..<60_000 { text.append(0x30 + ((text.last ?? 0) &* 3 &+ UInt8(random.next() % 3)) % 10) }
    #expect(try estimate(old: [1], new: text).compressor == .sorting)
    #expect(try estimate(old: [1], new: random.bytes(60_000)).compressor == .fast)
  }

  @Test("a sample of all of it is what the script is encoded as")
  func whole() throws {
    var random = SeededGenerator(3)
    let (old, new) = (random.bytes(900_000), random.bytes(900_000))
    try old.withUnsafeBufferPointer { old in
      try new.withUnsafeBufferPointer { new in
        let script = SearchRange(old: old, new: new).script([])
        let sample = try ScriptSample(script, .whole, options: options)
        #expect(sample.blocks.count >= new.count && sample.whole(1000) == 1000)
        #expect(try sample.blocks.count > 3 * ScriptSample(script, .sample, options: options).blocks.count)
      }
    }
  }
}
