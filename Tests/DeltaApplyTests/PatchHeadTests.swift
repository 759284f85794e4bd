import Crypto
import DeltaApply
import DeltaTestSupport
import Testing

@Suite("Head of a patch")
struct PatchHeadTests {
  private static func head(newSize: UInt64 = 20, sections: UInt32 = 1) -> PatchHead {
    let digest = Digest(hex: String(repeating: "ab", count: 32)) ?? Digest()
    return PatchHead(
      old: .init(size: 10, digest: digest), new: .init(size: newSize, digest: digest), containerSize: 300,
      shape: .init(dictionarySize: 1 << 20, maximumPayload: 64 << 10, maximumBlock: 128 << 10),
      sectionCount: sections, firstFrame: digest)
  }

  @Test("the sizes of the format are what the document says")
  func sizes() {
    #expect(PatchHead.size == 160)
    #expect(FrameHeader.size == 44)
    #expect(BlockHeader.size == 24)
    #expect(Varint.maximumSize == 9)
    #expect(Self.head().encoded().count == 160)
    #expect(FrameHeader(payloadSize: 1, startsSection: true, completed: 2, next: nil).encoded().count == 44)
    #expect(BlockHeader(newSize: 1, covers: 2, runs: 3, differences: 4, extras: 5).encoded().count == 24)
  }

  @Test("the bytes of a head stand where the document says")
  func layout() {
    let bytes = Self.head().encoded()
    #expect(Array(bytes[..<8]) == Array("TUPATCH1".utf8))
    #expect(Array(bytes[8..<16]) == [10, 0, 0, 0, 0, 0, 0, 0])
    #expect(Array(bytes[16..<48]) == [UInt8](repeating: 0xab, count: 32))
    #expect(bytes[48] == 20)
    #expect(Array(bytes[88..<92]) == [44, 1, 0, 0])
    #expect(Array(bytes[100..<116]) == [0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 0, 0, 0])
    #expect(Array(bytes[116..<128]) == [UInt8](repeating: 0, count: 12))
  }

  @Test("a head is parsed to what was encoded")
  func roundTrip() throws {
    let bytes = Self.head().encoded()
    #expect(try PatchHead(parsing: bytes.span.bytes) == Self.head())
  }

  @Test("every prefix of a head is too short")
  func prefixes() {
    let bytes = Self.head().encoded()
    for count in 0..<160 {
      #expect(throws: DeltaError.truncated(at: UInt64(count))) {
        _ = try PatchHead(parsing: bytes.span.bytes.extracting(0..<count))
      }
    }
  }

  @Test(
    "a field out of its bounds is refused by name",
    arguments: [
      (0, [0], .notAPatch), (7, [0x32], .notAPatch), (8, [0], .badHead(.oldFile)),
      (15, [1], .badHead(.oldFile)),
      (55, [0x80], .badHead(.newFile)), (48, [0], .badHead(.sections)),
      (88, [203, 0], .badHead(.containerSize)),
      (95, [1], .badHead(.containerSize)), (98, [0], .badHead(.memory)),
      (100, [0, 0, 0], .badHead(.dictionary)), (103, [5], .badHead(.dictionary)),
      (106, [0], .badHead(.payload)), (106, [17], .badHead(.payload)), (110, [0], .badHead(.block)),
      (110, [65], .badHead(.block)), (112, [0], .badHead(.sections)), (112, [21], .badHead(.sections)),
      (116, [1], .badHead(.reserved)), (127, [1], .badHead(.reserved)),
      (128, [UInt8](repeating: 0, count: 32), .badHead(.firstFrame)),
    ] as [(Int, [UInt8], DeltaError)])
  func bounds(offset: Int, change: [UInt8], error: DeltaError) {
    var bytes = Self.head().encoded()
    bytes.replaceSubrange(offset..<offset + change.count, with: change)
    #expect(throws: error) { _ = try PatchHead(parsing: bytes.span.bytes) }
  }

  @Test("the memory is the sum of what is allocated")
  func memory() {
    let head = Self.head()
    let parts: [UInt64] = [
      1 << 20, 96 << 10, 44, 64 << 10, 24, 128 << 10, 64 << 10, 64 << 10, 16 << 10, 4 << 10,
    ]
    #expect(head.memoryNeeded == parts.reduce(0, +))
    #expect(UInt64(head.memory) == head.memoryNeeded)
  }

  @Test("the head must be the one that is expected")
  func expected() throws {
    let bytes = Self.head().encoded()
    let digest = try Hasher.digest(of: bytes.span.bytes)
    #expect(try PatchHead(bytes.span.bytes, expected: digest) == Self.head())
    #expect(throws: DeltaError.wrongHead) { _ = try PatchHead(bytes.span.bytes, expected: Digest()) }
  }
}
