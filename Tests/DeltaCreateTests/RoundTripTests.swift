import DeltaApply
import DeltaCreate
import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@Suite("Round trips")
struct RoundTripTests {
  @Test(
    "a patch makes the new file from the old one",
    arguments: FilePair.pairs(seed: 1, size: 3000) + FilePair.pairs(seed: 2, size: 30_000))
  func roundTrip(pair: FilePair) throws {
    let patch = try PatchMaker().make(old: pair.old.span, new: pair.new.span)
    var applier = MemoryApplier(old: pair.old)
    #expect(try applier.apply(patch.bytes, expectedHead: patch.headDigest) == pair.new)
    #expect(applier.largestWrite <= 64 << 10)
  }

  @Test(
    "small blocks, frames and sections make the same file", arguments: FilePair.pairs(seed: 3, size: 6000))
  func smallParts(pair: FilePair) throws {
    var options = PatchMaker.Options()
    options.blockSize = 512
    options.payloadSize = 64
    options.sectionSize = 500
    options.sectionOutput = 1500
    let patch = try PatchMaker(options).make(old: pair.old.span, new: pair.new.span)
    var applier = MemoryApplier(old: pair.old)
    applier.piece = 37
    #expect(try applier.apply(patch.bytes, expectedHead: patch.headDigest) == pair.new)
    #expect(pair.new.count < 5000 || applier.points.count >= 2)
  }

  /// Lines of 50 points whose coordinates have all of their bits.
  private static func lines(_ seed: UInt64, count: Int) -> [[Double]] {
    var random = SeededGenerator(seed)
    return (0..<count).map { _ in (0..<100).map { _ in Double.random(in: 2...64, using: &random) } }
  }

  private static func bytes(_ lines: [[Double]]) -> [UInt8] {
    lines.flatMap { line in
      line.flatMap { number in (0..<8).map { UInt8(number.bitPattern >> (8 * $0) & 0xff) } } + [7]
    }
  }

  @Test(
    "lines that were turned round cost little, also if all their numbers are a little off",
    arguments: [128 << 10, 512])
  func turnedRound(blockSize: UInt32) throws {
    let lines = Self.lines(1, count: 60)
    let turned = lines.map { line in
      stride(from: 98, through: 0, by: -2).flatMap { line[$0...$0 + 1] }
    }
    let moved = turned.map { line in
      line.enumerated().map { Double(bitPattern: $1.bitPattern + UInt64($0 % 3)) }
    }
    var options = PatchMaker.Options()
    options.blockSize = blockSize
    let old = Self.bytes(lines)
    for (new, most) in [(Self.bytes(turned), 500), (Self.bytes(moved), 1000)] {
      let patch = try PatchMaker(options).make(old: old.span, new: new.span)
      var applier = MemoryApplier(old: old)
      #expect(try applier.apply(patch.bytes, expectedHead: patch.headDigest) == new)
      #expect(patch.bytes.count < (blockSize > 512 ? most : 3 * most), "\(patch.bytes.count) bytes")
    }
  }

  @Test("a line that a file has twice, in both directions, is packed once")
  func packedLines() throws {
    let lines = Self.lines(2, count: 40)
    let turned = lines.map { line in
      stride(from: 98, through: 0, by: -2).flatMap { line[$0...$0 + 1] }
    }
    let once = Self.bytes(lines)
    let new = once + Self.bytes(turned)
    let packed = try PatchMaker().make(old: Span(), new: new.span)
    #expect(packed.bytes.count < once.count + 500, "\(packed.bytes.count) of \(once.count)")
    var applier = MemoryApplier(old: [])
    #expect(try applier.apply(packed.bytes, expectedHead: packed.headDigest) == new)
  }

  @Test("a patch is hardly larger than the new file without an old one")
  func noBase() throws {
    // The old file has all that a record consists of, but in other places.
    let records = (0..<3000).map { "\($0 * 7919 % 100_003);name of \($0 * 31 % 977);\($0 % 17)\n" }
    let old = Array(records.sorted().joined().utf8.reversed())
    let new = Array(records.joined().utf8)
    let patch = try PatchMaker().make(old: old.span, new: new.span)
    let packed = try PatchMaker().make(old: Span(), new: new.span)
    #expect(patch.bytes.count <= packed.bytes.count + 8)
    var applier = MemoryApplier(old: old)
    #expect(try applier.apply(patch.bytes, expectedHead: patch.headDigest) == new)
  }

  @Test("random edits make the same file", arguments: (10..<40) as Range<UInt64>)
  func randomEdits(seed: UInt64) throws {
    var random = SeededGenerator(seed)
    let old = random.bytes(
      Int.random(in: 1...4000, using: &random), values: Int.random(in: 2...256, using: &random))
    var new = old
    for _ in 0..<Int.random(in: 1...20, using: &random) {
      let offset = Int.random(in: 0...new.count, using: &random)
      let end = min(offset + Int.random(in: 0...200, using: &random), new.count)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: new.removeSubrange(offset..<end)
      case 1: new.insert(contentsOf: random.bytes(end - offset), at: offset)
      case 2: new.insert(contentsOf: new[offset..<end], at: Int.random(in: 0...new.count, using: &random))
      default: for index in offset..<end { new[index] &+= UInt8.random(in: 0...3, using: &random) }
      }
    }
    let patch = try PatchMaker().make(old: old.span, new: new.span)
    var applier = MemoryApplier(old: old)
    #expect(try applier.apply(patch.bytes, expectedHead: patch.headDigest) == new, "seed \(seed)")
  }

  @Test("the same files and options give the same bytes")
  func deterministic() throws {
    for pair in FilePair.pairs(seed: 4, size: 2000) {
      let first = try PatchMaker().make(old: pair.old.span, new: pair.new.span)
      let second = try PatchMaker().make(old: pair.old.span, new: pair.new.span)
      #expect(first.bytes == second.bytes, "\(pair.name)")
    }
  }

  @Test("what did not change costs next to nothing")
  func identicalIsSmall() throws {
    var random = SeededGenerator(5)
    let file = random.bytes(100_000)
    let patch = try PatchMaker().make(old: file.span, new: file.span)
    #expect(patch.bytes.count <= 34)
    var changed = file
    changed[50_000] &+= 1
    let small = try PatchMaker().make(old: file.span, new: changed.span)
    #expect(small.bytes.count <= 41)
  }

  @Test("long runs of equal bytes take no long time")
  func longRuns() throws {
    let old = [UInt8](repeating: 7, count: 300_000)
    var new = [UInt8](repeating: 7, count: 400_000)
    for index in stride(from: 1000, to: new.count, by: 1999) { new[index] = 8 }
    let seconds = try processorSeconds {
      let patch = try PatchMaker().make(old: old.span, new: new.span)
      var applier = MemoryApplier(old: old)
      #expect(try applier.apply(patch.bytes, expectedHead: patch.headDigest) == new)
    }
    #expect(seconds < 2)
  }

  @Test("options out of the format's bounds are refused")
  func badOptions() {
    let changes: [(inout PatchMaker.Options) -> Void] = [
      { $0.dictionarySize = 4095 }, { $0.dictionarySize = 1 << 27 }, { $0.payloadSize = 0 },
      { $0.payloadSize = 2 << 20 }, { $0.blockSize = 511 }, { $0.blockSize = 8 << 20 },
      { $0.sectionSize = 0 },
      { $0.sectionOutput = 0 }, { $0.models = [] }, { $0.matchings = [] },
      { $0.matchings = [.init(gain: 0)] },
      { $0.matchings = [.init(gain: 1, equal: 0)] },
    ]
    let bytes: [UInt8] = [1, 2, 3]
    for change in changes {
      var options = PatchMaker.Options()
      change(&options)
      #expect(throws: DeltaCreateError.badOption) {
        _ = try PatchMaker(options).make(old: bytes.span, new: bytes.span)
      }
    }
  }
}
