import DeltaApply
import DeltaCreate
import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

/// What holds for every pair of files: `make pairs` looks at thousands, `make test` at a few.
@Suite("Generated pairs")
struct GeneratedPairTests {
  /// As many as the environment says, from a seed that it says.
  private static let seeds: [UInt64] = {
    let count = environment("TINYUPDATER_PAIRS").flatMap { UInt64($0) } ?? 100
    let first = environment("TINYUPDATER_SEED").flatMap { UInt64($0) } ?? 1
    return Array(first..<first + count)
  }()

  @Test("a patch makes the new file from the old one, whatever the sizes of its parts", arguments: seeds)
  func pair(seed: UInt64) throws {
    var generator = PairGenerator(seed: seed)
    let pair = try generator.pair()
    let options = Self.options(&generator)
    let patch = try PatchMaker(options).make(old: pair.old.span, new: pair.new.span)
    #expect(patch.head.oldSize == UInt64(pair.old.count), "seed \(seed)")
    #expect(patch.head.newSize == UInt64(pair.new.count), "seed \(seed)")

    var applier = MemoryApplier(old: pair.old)
    applier.memoryLimit = patch.head.memoryNeeded
    applier.newSize = UInt64(pair.new.count)
    applier.piece = generator.chance(1...10) == 1 ? 1 : generator.chance(1...20_000)
    let made = try applier.apply(patch.bytes, expectedHead: patch.headDigest)
    Self.expectEqual(made, to: pair.new, comment: "seed \(seed), \(pair.name)")
    #expect(applier.largestWrite <= 64 << 10, "seed \(seed)")

    guard let point = applier.points.randomElement(using: &generator.random) else { return }
    let partial = Array(pair.new[..<Int(point.completed)])
    let again = try applier.apply(patch.bytes, expectedHead: patch.headDigest, from: point, partial: partial)
    Self.expectEqual(again, to: pair.new, comment: "seed \(seed), \(pair.name), from \(point.completed)")
  }

  @Test("what a scan says is not read again can be overwritten at every checkpoint", arguments: seeds)
  func inPlace(seed: UInt64) throws {
    var generator = PairGenerator(seed: seed)
    let pair = try generator.pair()
    var options = Self.options(&generator)
    options.sectionOutput = generator.chance(64...20_000)
    let patch = try PatchMaker(options).make(old: pair.old.span, new: pair.new.span)
    let expectation = PatchExpectation(
      head: patch.headDigest, containerSize: UInt64(patch.bytes.count), oldSize: UInt64(pair.old.count),
      newSize: UInt64(pair.new.count))
    var scan = try ReadScan(
      expectation, memoryLimit: patch.head.memoryNeeded, block: UInt64(generator.chance(1...300)))
    try scan.consume(patch.bytes.span.bytes)
    let reads = try scan.finish()

    let files = ConsumedFiles(old: pair.old, reads: reads)
    try files.apply(patch.bytes, expectation, from: nil)
    Self.expectEqual(files.new, to: pair.new, comment: "seed \(seed), \(pair.name)")
    #expect(files.peak <= reads.peak(interval: 0) { $0 }, "seed \(seed)")
    for state in files.states {
      let resumed = ConsumedFiles(old: state.old, reads: reads)
      resumed.new = Array(pair.new[..<Int(state.point.completed)])
      try resumed.apply(patch.bytes, expectation, from: state.point)
      Self.expectEqual(resumed.new, to: pair.new, comment: "seed \(seed) from \(state.point.completed)")
    }
  }

  @Test("generated files have deflate streams, and patches rebuild them")
  func streams() throws {
    for seed in 1...200 as ClosedRange<UInt64> {
      var generator = PairGenerator(seed: seed)
      let pair = try generator.pair()
      let patch = try PatchMaker(Self.options(&generator)).make(old: pair.old.span, new: pair.new.span)
      if patch.head.shape.maximumContent > 0 { return }
    }
    Issue.record("no patch makes a stream")
  }

  @Test("a section that is not compressed is one frame")
  func storedSection() throws {
    var random = SeededGenerator(1)
    let new = random.bytes(100)
    let nothing: [UInt8] = []
    var options = PatchMaker.Options()
    options.payloadSize = 50
    let patch = try PatchMaker(options).make(old: nothing.span, new: new.span)
    var applier = MemoryApplier(old: [])
    let made = try applier.apply(patch.bytes, expectedHead: patch.headDigest)
    #expect(made == new)
  }

  @Test("a large number among numbers with many digits comes back")
  func largeAmongLong() throws {
    let numbers = [0.123456789, 1e8 + 0.5, 0.987654321, -0.111111111, 2e9, 0.5]
    let new = numbers.flatMap { number in
      (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) }
    }
    let old: [UInt8] = [0]
    let patch = try PatchMaker().make(old: old.span, new: new.span)
    var applier = MemoryApplier(old: old)
    let made = try applier.apply(patch.bytes, expectedHead: patch.headDigest)
    #expect(made == new)
  }

  @Test("a line that goes round several times comes back")
  func round() throws {
    let ring = [1.1, 2.2, 1.3, 2.5, 1.7, 2.9, 1.2, 2.1]
    let numbers = (0..<10).flatMap { _ in ring }
    let new = numbers.flatMap { number in
      (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) }
    }
    let old: [UInt8] = [0]
    let patch = try PatchMaker().make(old: old.span, new: new.span)
    var applier = MemoryApplier(old: old)
    let made = try applier.apply(patch.bytes, expectedHead: patch.headDigest)
    #expect(made == new)
  }

  /// Says where files begin to differ, and not all of their bytes.
  private static func expectEqual(_ made: [UInt8], to new: [UInt8], comment: Comment) {
    guard made != new else { return }
    let offset = zip(made, new).enumerated().first { $1.0 != $1.1 }?.offset ?? min(made.count, new.count)
    let front = max(0, offset - 16)
    Issue.record(
      """
      \(comment): \(made.count) bytes made of \(new.count), from \(offset) on others: \
      \(made[front...].prefix(40)) for \(new[front...].prefix(40))
      """)
  }

  /// Sizes of all magnitudes that the format allows, and few matchings, which take the most time.
  private static func options(_ generator: inout PairGenerator) -> PatchMaker.Options {
    var options = PatchMaker.Options()
    func size(_ exponents: ClosedRange<Int>) -> Int {
      let size = 1 << generator.chance(exponents)
      return size + generator.chance(0...size)
    }
    options.dictionarySize = UInt32(size(12...20))
    options.payloadSize = UInt32(size(4...16))
    options.blockSize = UInt32(size(9...17))
    options.sectionSize = size(6...22)
    options.sectionOutput = size(6...26)
    if generator.chance(0...9) > 0 {
      options.matchings = [options.matchings[generator.chance(0...options.matchings.count - 1)]]
      options.models = [options.models[generator.chance(0...1)]]
    }
    return options
  }
}
