import Codec
import Crypto
import DeltaApply
import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

/// Patches whose digests are all right and whose blocks, sections and frames contradict themselves.
@Suite("Contradictions")
struct ContradictionTests {
  private static let ten = craftBlock(copies: [0, 0, 10])
  private static let half = craftBlock(copies: [0, 20, 5])
  /// The size of the head of `CraftedPatch.one`.
  private static let firstFrame: UInt64 = 24

  // MARK: - Blocks

  @Test(
    "a block whose header contradicts it",
    arguments: [
      [0], [0, 1, 2, 3], [0x80, 1], [0xc0, 1, 1, 1], [0xff, 1, 1, 1, 1, 1, 1, 1], [0b100_0010],
      [0b100_0010, 0x80],
      [0b100_0010, 9, 0, 0, 4], [0b100_0010, 4, 0, 0, 4], [0b100_0010, 0x83, 0, 0, 0, 10], [0b11, 1],
      [0b111_1111, 0, 3, 0, 0, 0], [0b111_1111, 0, 3, 0, 0, 0, 1, 0, 0, 10],
      [0b100_0010, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0, 10],
      [0b11_1110, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, 0, 10],
    ] as [[UInt8]])
  func header(block: [UInt8]) {
    #expect(throws: DeltaError.badBlock(at: 0)) {
      _ = try CraftedPatch.one([UInt8(block.count)] + block).apply()
    }
  }

  @Test("a stream may be there and have no bytes")
  func emptyStreams() throws {
    let copies: [UInt8] = [0, 20, 10]
    #expect(try CraftedPatch.one([5, 0b110, 3] + copies).apply() == Array(10..<20))
    #expect(
      try CraftedPatch.one([10, 0b111_1111, 0, 3, 0, 0, 0, 0] + copies.dropLast(1) + [10]).apply()
        == Array(10..<20))
  }

  @Test(
    "a block's size that cannot be",
    arguments: [
      [0], [0x80, 0], [0x84, 0], [0x84, 0x80, 0], [0x84, 0x80, 0x80, 0], [0x84, 0x80, 0x80, 0x80, 0],
      [0x81, 0x20],
      [0x80, 0x80, 1], [0xff, 0xff, 0xff, 0x7f], [0x80, 0x80, 0x80, 0x80], [UInt8](repeating: 0xff, count: 9),
    ] as [[UInt8]])
  func blockSize(size: [UInt8]) {
    let rest = Self.ten.dropFirst() + [UInt8](repeating: 0, count: 5000)
    #expect(throws: DeltaError.badBlock(at: 0)) { _ = try CraftedPatch.one(size + rest).apply() }
    #expect(throws: DeltaError.badBlock(at: 10)) {
      _ = try CraftedPatch.one(Self.ten + size + rest, newSize: 20).apply()
    }
  }

  @Test("a block as large as the head allows, and one byte larger")
  func largeBlock() throws {
    var crafted = CraftedPatch.one(craftBlock(literals: [UInt8](repeating: 1, count: 10)))
    crafted.shape = .init(dictionarySize: 4096, maximumPayload: 50, maximumBlock: 11)
    #expect(try crafted.apply() == [UInt8](repeating: 1, count: 10))
    crafted.shape = .init(dictionarySize: 4096, maximumPayload: 50, maximumBlock: 10)
    #expect(throws: DeltaError.badBlock(at: 0)) { _ = try crafted.apply() }
  }

  @Test("blocks that make less or more than the new file")
  func newSize() {
    #expect(throws: DeltaError.badSection(at: 5)) { _ = try CraftedPatch.one(Self.half).apply() }
    #expect(throws: DeltaError.badBlock(at: 9)) { _ = try CraftedPatch.one(Self.ten, newSize: 9).apply() }
    #expect(throws: DeltaError.badBlock(at: 14)) {
      _ = try CraftedPatch.one(Self.ten + Self.half, newSize: 14).apply()
    }
    #expect(throws: DeltaError.badSection(at: 10)) { _ = try CraftedPatch.one(Self.ten, newSize: 11).apply() }
  }

  // MARK: - Sections

  @Test("each section begins its steps at the old file's beginning")
  func sections() throws {
    let crafted = CraftedPatch.two(Self.half, Self.half, at: 5, newSize: 10)
    #expect(try crafted.apply() == [10, 11, 12, 13, 14, 10, 11, 12, 13, 14])
  }

  @Test(
    "a section that begins elsewhere than it says", arguments: [0, 4, 6, 1 << 47, 1 << 48 - 1] as [UInt64])
  func sectionStart(completed: UInt64) throws {
    let crafted = CraftedPatch.two(Self.half, Self.half, at: completed, newSize: 10)
    let error = #expect(throws: DeltaError.self) { _ = try crafted.apply() }
    guard case .badFrame(let offset) = error, offset > Self.firstFrame else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("a section without a block", arguments: [0, 4096] as [UInt32])
  func emptySection(dictionarySize: UInt32) {
    var crafted = CraftedPatch.two([], Self.ten, at: 0, newSize: 10)
    crafted.shape = .init(dictionarySize: dictionarySize, maximumPayload: 50, maximumBlock: 100)
    crafted.changeHeader = { header, section, _ in
      section == 0 ? header : FrameHeader(payloadSize: header.payloadSize, start: 0, next: header.next)
    }
    #expect(throws: DeltaError.self) { _ = try crafted.apply() }
  }

  @Test("a section after the end of the new file", arguments: [[], [1, 0x40]] as [[UInt8]])
  func sectionAfterEnd(blocks: [UInt8]) {
    let error = #expect(throws: DeltaError.self) {
      _ = try CraftedPatch.two(Self.ten, blocks, at: 10, newSize: 10).apply()
    }
    guard case .badFrame(let offset) = error, offset > Self.firstFrame else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("a section that ends within a block", arguments: [0, 4096] as [UInt32])
  func cutBlock(dictionarySize: UInt32) {
    let cut = Array((Self.half + Self.half).dropLast(1))
    for var crafted in [
      CraftedPatch.one(cut), .two(cut, Self.half, at: 5, newSize: 10), .one(Self.half + [4]),
    ] {
      crafted.shape = .init(dictionarySize: dictionarySize, maximumPayload: 50, maximumBlock: 100)
      #expect(throws: DeltaError.badSection(at: 5)) { _ = try crafted.apply() }
    }
  }

  @Test("a stored section of two frames")
  func storedFrames() {
    var crafted = CraftedPatch.one(Self.half + Self.half)
    crafted.shape = .init(dictionarySize: 0, maximumPayload: 50, maximumBlock: 100)
    crafted.payloadSize = Self.half.count
    #expect(throws: DeltaError.badFrame(at: 63)) { _ = try crafted.apply() }
  }

  @Test("a section's end that does not come, or comes early")
  func sectionEnd() {
    var crafted = CraftedPatch.one(Self.ten)
    crafted.changeStream = { $0.removeLast() }
    #expect(throws: DeltaError.badSection(at: 10)) { _ = try crafted.apply() }
    crafted.changeStream = { $0.append(0) }
    #expect(throws: DeltaError.badSection(at: 10)) { _ = try crafted.apply() }
    crafted = CraftedPatch.two(Self.half, Self.half, at: 5, newSize: 10)
    crafted.changeStream = { $0.removeLast() }
    #expect(throws: DeltaError.self) { _ = try crafted.apply() }
  }

  // MARK: - Frames

  @Test("a frame over the head's limit")
  func largeFrame() {
    var crafted = CraftedPatch.one(Self.ten)
    crafted.shape = .init(dictionarySize: 4096, maximumPayload: 8, maximumBlock: 4096)
    #expect(throws: DeltaError.badFrame(at: Self.firstFrame)) { _ = try crafted.apply() }
  }

  private static let unknown = Digest(hex: String(repeating: "a", count: 64))

  @Test("the only frame, with a header that is another's", arguments: [true, false])
  func frameFields(hasNext: Bool) {
    var crafted = CraftedPatch.one(Self.ten)
    crafted.changeHeader = { header, _, _ in
      FrameHeader(
        payloadSize: header.payloadSize, start: hasNext ? nil : 1, next: hasNext ? Self.unknown : nil)
    }
    #expect(throws: DeltaError.badFrame(at: Self.firstFrame)) { _ = try crafted.apply() }
  }

  @Test("a frame in the middle of a section, with a header that is another's")
  func middleFrame() {
    var random = SeededGenerator(9)
    let noise = craftBlock(literals: random.bytes(200))
    for change in [
      { FrameHeader(payloadSize: $0.payloadSize, start: 0, next: $0.next) },
      { FrameHeader(payloadSize: $0.payloadSize, start: 200, next: $0.next) },
      { FrameHeader(payloadSize: $0.payloadSize, start: nil, next: nil) },
      { FrameHeader(payloadSize: $0.payloadSize - 1, start: nil, next: $0.next) },
    ] as [(FrameHeader) -> FrameHeader] {
      var crafted = CraftedPatch.one(noise, newSize: 200)
      crafted.changeHeader = { header, _, frame in frame == 1 ? change(header) : header }
      #expect(throws: DeltaError.self) { _ = try crafted.apply() }
      crafted.changeHeader = { header, _, _ in header }
      #expect(throws: Never.self) { _ = try crafted.apply() }
    }
  }

  @Test("a section whose first frame does not say so")
  func missingStart() {
    var crafted = CraftedPatch.two(Self.half, Self.half, at: 5, newSize: 10)
    crafted.changeHeader = { header, _, _ in
      FrameHeader(payloadSize: header.payloadSize, start: nil, next: header.next)
    }
    #expect(throws: DeltaError.self) { _ = try crafted.apply() }
  }

  @Test("bytes after the last frame")
  func trailer() throws {
    var crafted = CraftedPatch.one(Self.ten)
    crafted.trailer = [0]
    // The container's size is known, and the last frame ends before it.
    #expect(throws: DeltaError.badFrame(at: Self.firstFrame)) { _ = try crafted.apply() }
  }
}
