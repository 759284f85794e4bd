import Codec
import Crypto
import DeltaApply
import DeltaTestSupport
import TestSupport
import Testing

/// Patches whose digests are all right and whose contents contradict themselves.
@Suite("Contradictions")
struct ContradictionTests {
  private static let old = Array(0..<100 as Range<UInt8>)

  private static func apply(_ crafted: CraftedPatch) throws -> [UInt8] {
    let patch = try crafted.build()
    var applier = MemoryApplier(old: crafted.oldSize == 0 ? [] : old)
    return try applier.apply(patch.bytes, expectedHead: patch.head)
  }

  private static func one(_ block: [UInt8], newSize: UInt64 = 10) -> CraftedPatch {
    CraftedPatch(oldSize: 100, newSize: newSize, sections: [.init(completed: 0, blocks: block)])
  }

  @Test("a block does what its streams say")
  func block() throws {
    let block = craftBlock(
      newSize: 12, covers: [2, 20, 4, 0, 5, 3], runs: [1, 2, 2, 1], differences: [100, 200, 1],
      extras: [50, 51, 52, 53, 54])
    // Extras 50 and 51; old 10 to 13, of which 11 and 12 differ; old 11 to 13, of which 12 differs; the rest.
    #expect(
      try Self.apply(Self.one(block, newSize: 12)) == [50, 51, 10, 111, 212, 13, 11, 13, 13, 52, 53, 54])
  }

  @Test(
    "a contradictory block is refused",
    arguments: [
      craftBlock(newSize: 10, extras: [1]),  // makes less
      craftBlock(newSize: 10, extras: [UInt8](repeating: 1, count: 11)),  // makes more
      craftBlock(newSize: 10, covers: [0, 0, 11]),  // a cover makes more
      craftBlock(newSize: 10, covers: [0, 0, 9]),  // covers make less
      craftBlock(newSize: 10, covers: [0, 0, 0, 0, 0, 10]),  // a cover of nothing
      craftBlock(newSize: 10, covers: [1, 0, 10]),  // an extra byte that is not there
      craftBlock(newSize: 10, covers: [0, 0]),  // a cover without its length
      craftBlock(newSize: 10, covers: [0, 0, 10, 0]),  // a number too many
      craftBlock(newSize: 10, covers: [0, 0, 10], runs: [3]),  // half a pair
      craftBlock(newSize: 10, covers: [0, 0, 10], runs: [3, 1]),  // a difference that is not there
      craftBlock(newSize: 10, covers: [0, 0, 10], differences: [1]),  // one that nothing uses
      craftBlock(newSize: 10, covers: [0, 0, 10], runs: [11, 0]),  // a run longer than the covers
      craftBlock(newSize: 10, covers: [0, 0, 10], runs: [10, 1], differences: [1]),
      craftBlock(newSize: 10, covers: [0, 0, 10], runs: [3, 2, 5, 1], differences: [1, 1, 1]),
      craftBlock(newSize: 10, covers: [0, 0, 10], runs: [1 << 62, 1 << 62]),
      craftBlock(newSize: 11, extras: [UInt8](repeating: 1, count: 11)),  // more than the new file
      craftBlock(newSize: 0, extras: [1]), craftBlock(newSize: 0), craftBlock(newSize: 10),
      craftBlock(newSize: .max, covers: [0, 0, 10]),
    ])
  func badBlock(block: [UInt8]) {
    #expect(throws: DeltaError.badBlock(at: 0)) { _ = try Self.apply(Self.one(block)) }
  }

  @Test(
    "a cover outside the old file is refused",
    arguments: [
      [0, 182, 10], [0, 1, 10], [0, 200, 10], [0, 1 << 62, 10], [0, (1 << 63) - 1, 10], [0, 184, 9, 0, 1, 1],
    ]
      as [[UInt64]])
  func outside(covers: [UInt64]) {
    #expect(throws: DeltaError.outsideOldFile(at: 0)) {
      _ = try Self.apply(Self.one(craftBlock(newSize: 10, covers: covers)))
    }
  }

  @Test("a packed component has no old file to cover")
  func packed() {
    var crafted = Self.one(craftBlock(newSize: 10, covers: [0, 0, 10]))
    crafted.oldSize = 0
    #expect(throws: DeltaError.outsideOldFile(at: 0)) { _ = try Self.apply(crafted) }
  }

  @Test("a block over the head's limit is refused")
  func largeBlock() {
    var crafted = Self.one(craftBlock(newSize: 10, extras: [UInt8](repeating: 1, count: 10)))
    crafted.shape = .init(dictionarySize: 4096, maximumPayload: 50, maximumBlock: 9)
    #expect(throws: DeltaError.badBlock(at: 0)) { _ = try Self.apply(crafted) }
  }

  @Test("a frame over the head's limit, or empty, is refused")
  func largeFrame() {
    var crafted = Self.one(craftBlock(newSize: 10, extras: [UInt8](repeating: 1, count: 10)))
    crafted.shape = .init(dictionarySize: 4096, maximumPayload: 9, maximumBlock: 4096)
    #expect(throws: DeltaError.badFrame(at: 160)) { _ = try Self.apply(crafted) }
    crafted.shape = .init(dictionarySize: 4096, maximumPayload: 50, maximumBlock: 4096)
    crafted.changeHeader = { header, _, _ in
      FrameHeader(payloadSize: 0, startsSection: true, completed: header.completed, next: header.next)
    }
    #expect(throws: DeltaError.badFrame(at: 160)) { _ = try Self.apply(crafted) }
  }

  private static let half = craftBlock(newSize: 5, covers: [0, 20, 5])

  private static func two(_ first: [UInt8], _ second: [UInt8], at completed: UInt64) -> CraftedPatch {
    CraftedPatch(
      oldSize: 100, newSize: 10,
      sections: [.init(completed: 0, blocks: first), .init(completed: completed, blocks: second)])
  }

  @Test("each section begins its steps at the old file's beginning")
  func sections() throws {
    let crafted = Self.two(Self.half, Self.half, at: 5)
    #expect(try Self.apply(crafted) == [10, 11, 12, 13, 14, 10, 11, 12, 13, 14])
  }

  @Test("a section that begins elsewhere than it says is refused")
  func sectionStart() {
    for completed in [0, 4, 6, .max] as [UInt64] {
      #expect(throws: DeltaError.self) { _ = try Self.apply(Self.two(Self.half, Self.half, at: completed)) }
    }
  }

  @Test("a section that ends within a block is refused")
  func cutBlock() {
    let cut = Array((Self.half + Self.half).dropLast(1))
    #expect(throws: DeltaError.badSection(0)) { _ = try Self.apply(Self.one(cut)) }
    #expect(throws: DeltaError.badSection(0)) { _ = try Self.apply(Self.two(cut, Self.half, at: 5)) }
  }

  @Test("sections that make less than the new file are refused")
  func tooLittle() {
    #expect(throws: DeltaError.badSection(1)) { _ = try Self.apply(Self.one(Self.half)) }
  }

  @Test("another number of sections than the head's is refused")
  func sectionCount() {
    var crafted = Self.two(Self.half, Self.half, at: 5)
    crafted.sectionCount = 1
    #expect(throws: DeltaError.badSection(1)) { _ = try Self.apply(crafted) }
    crafted.payloadSize = 10  // enough bytes for three sections
    crafted.sectionCount = 3
    #expect(throws: DeltaError.badSection(2)) { _ = try Self.apply(crafted) }
  }

  @Test("bytes behind the end of a section's stream are refused")
  func trailingStream() {
    var crafted = Self.one(Self.half + Self.half)
    crafted.changeStream = { $0.append(0) }
    #expect(throws: DeltaError.badSection(0)) { _ = try Self.apply(crafted) }
  }

  @Test("a stream without its end is refused")
  func cutStream() {
    var crafted = Self.one(Self.half + Self.half)
    crafted.changeStream = { $0.removeLast() }
    #expect(throws: DeltaError.badSection(1)) { _ = try Self.apply(crafted) }
    crafted = Self.two(Self.half, Self.half, at: 5)
    crafted.changeStream = { $0.removeLast() }
    #expect(throws: DeltaError.badSection(1)) { _ = try Self.apply(crafted) }
  }

  @Test("frames that disagree about their section are refused")
  func frameFields() {
    var random = SeededGenerator(9)
    let long = craftBlock(newSize: 10, covers: [0, 0, 10])
    let noise = craftBlock(newSize: 200, extras: random.bytes(200))
    for change in [
      { FrameHeader(payloadSize: $0.payloadSize, startsSection: false, completed: 0, next: $0.next) },
      { FrameHeader(payloadSize: $0.payloadSize, startsSection: true, completed: 1, next: $0.next) },
      {
        FrameHeader(
          payloadSize: $0.payloadSize, startsSection: true, completed: 0,
          next: Digest(hex: String(repeating: "a", count: 64)))
      },
    ] as [(FrameHeader) -> FrameHeader] {
      var crafted = Self.one(long)
      crafted.changeHeader = { header, _, _ in change(header) }
      #expect(throws: DeltaError.badFrame(at: 160)) { _ = try Self.apply(crafted) }
    }
    for change in [
      { FrameHeader(payloadSize: $0.payloadSize, startsSection: true, completed: 0, next: $0.next) },
      { FrameHeader(payloadSize: $0.payloadSize, startsSection: false, completed: 1, next: $0.next) },
      { FrameHeader(payloadSize: $0.payloadSize, startsSection: false, completed: 0, next: nil) },
    ] as [(FrameHeader) -> FrameHeader] {
      var crafted = Self.one(noise, newSize: 200)
      crafted.changeHeader = { header, _, frame in frame == 1 ? change(header) : header }
      #expect(throws: DeltaError.self) { _ = try Self.apply(crafted) }
    }
  }

  @Test("bytes behind the last frame are refused even if the head counts them")
  func trailer() {
    var crafted = Self.one(Self.half + Self.half)
    crafted.trailer = [0]
    #expect(throws: DeltaError.badFrame(at: 160)) { _ = try Self.apply(crafted) }
  }
}
