import Crypto
import PatchFormat
import Testing

@Suite("Head of a patch")
struct PatchHeadTests {
  private static let digest = Digest(hex: "0102030405060708" + String(repeating: "ab", count: 24)) ?? Digest()

  private static func head(old: UInt64 = 10, new: UInt64 = 20) -> PatchHead {
    PatchHead(
      old: old == 0 ? nil : (old, digest), new: (new, digest),
      shape: .init(dictionarySize: 1 << 20, maximumPayload: 64 << 10, maximumBlock: 128 << 10))
  }

  private static func parse(_ bytes: [UInt8]) throws(PatchFormatError) -> PatchHead {
    try PatchHead(parsing: bytes.span.bytes)
  }

  @Test("the sizes of the format are what the document says")
  func sizes() {
    #expect(PatchHead.prefix == 4)
    #expect(PatchHead.maximumSize == 42)
    #expect(FrameHeader.maximumSize == 41)
    #expect(Varint.maximumSize == 9)
    #expect(Checkpoint.encodedSize == 108)
  }

  @Test("the bytes of a head are where the document says")
  func layout() {
    let fields: [UInt8] = [16, 0x80, 0x80, 4, 0x80, 0x80, 8, 0, 20]
    // The old file is 10 bytes shorter: -10 is zigzag-encoded as 19, and one more.
    #expect(
      Self.head().encoded() == Array("TUP".utf8) + [26] + fields + [20, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4])
    #expect(Self.head(old: 0).encoded() == Array("TUP".utf8) + [22] + fields + [0, 1, 2, 3, 4, 5, 6, 7, 8])
  }

  @Test(
    "a head is parsed to what was encoded",
    arguments: [(10, 20), (0, 0), (0, 1), (1, 0), (1 << 48, 1 << 48), (1, 1 << 48), (1 << 48, 0), (20, 10)]
      as [(UInt64, UInt64)])
  func roundTrip(old: UInt64, new: UInt64) throws {
    let head = Self.head(old: old, new: new)
    let bytes = head.encoded()
    #expect(try Self.parse(bytes) == head)
    #expect(head.isNew(Self.digest) && !head.isNew(Digest()))
    #expect(old == 0 || head.isOld(Self.digest) && !head.isOld(Digest()))
  }

  @Test("the largest head is not too large")
  func largest() throws {
    let shape = PatchHead.Shape(
      dictionarySize: 64 << 20, maximumPayload: 1 << 20, maximumBlock: 4 << 20, maximumContent: 4 << 20)
    for (old, new) in [(1, 1 << 48), (1 << 48, 1 << 48), (1 << 48, 0), (1 << 48, 1 << 47)]
      as [(UInt64, UInt64)]
    {
      let head = PatchHead(old: (old, Self.digest), new: (new, Self.digest), shape: shape)
      let bytes = head.encoded()
      #expect(bytes.count <= PatchHead.maximumSize)
      #expect(try Self.parse(bytes) == head)
      let point = Checkpoint(containerOffset: 1, completed: 0, frame: Self.digest, head: head)
      let stored = try point.encoded()
      #expect(Checkpoint(parsing: stored.span.bytes) == point)
    }
  }

  @Test("every dictionary of the format comes back, rounded up to two or three times a power of two")
  func dictionaries() throws {
    for exponent in 12...25 as ClosedRange<UInt32> {
      for size in [2 << (exponent - 1), 3 << (exponent - 1)] as [UInt32] where size > 4096 {
        for isSorted in [false, true] {
          let shape = PatchHead.Shape(
            dictionarySize: size, hasSortedSections: isSorted, maximumPayload: 1, maximumBlock: 1)
          let bytes = PatchHead(old: nil, new: (1, Self.digest), shape: shape).encoded()
          #expect(try Self.parse(bytes).shape == shape)
        }
        #expect(DictionaryCode.rounded(size) == size)
        #expect(DictionaryCode.rounded(size - 1) == size)
        #expect(DictionaryCode.rounded(size + 1) > size)
      }
    }
    let odd = PatchHead.Shape(dictionarySize: 100_000, maximumPayload: 1, maximumBlock: 1)
    let head = PatchHead(old: nil, new: (1, Self.digest), shape: odd)
    #expect(head.shape.dictionarySize == 128 << 10)
    #expect(try Self.parse(head.encoded()) == head)
    #expect(DictionaryCode.rounded(0) == 0)
    #expect(DictionaryCode.rounded(1) == 6 << 10)
    #expect(DictionaryCode.rounded(64 << 20) == 64 << 20)
  }

  @Test("every prefix of a head is too short, and so is every longer one")
  func prefixes() {
    let bytes = Self.head().encoded()
    for count in 0..<bytes.count {
      #expect(throws: count < 4 ? PatchFormatError.truncated(at: UInt64(count)) : .badHead(.size)) {
        _ = try Self.parse(Array(bytes[..<count]))
      }
    }
    #expect(throws: PatchFormatError.badHead(.size)) { _ = try Self.parse(bytes + [0]) }
  }

  /// A head with these fields and the checks after them, with the right size.
  private static func raw(
    code: UInt8 = 16, payload: [UInt8] = [1], block: [UInt8] = [1], content: [UInt8] = [0],
    new: [UInt8] = [20], old: [UInt8] = [0], checks: Int = 8
  ) -> [UInt8] {
    let fields = [code] + payload + block + content + new + old + [UInt8](repeating: 9, count: checks)
    return Array("TUP".utf8) + [UInt8(fields.count + 4)] + fields
  }

  private static func number(_ value: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    Varint.append(value, to: &bytes)
    return bytes
  }

  @Test("the fields at their bounds are taken")
  func atBounds() throws {
    for bytes in [
      Self.raw(), Self.raw(code: 0), Self.raw(code: 1), Self.raw(code: 28),
      Self.raw(payload: Self.number(1 << 20)),
      Self.raw(block: Self.number(4 << 20)), Self.raw(content: Self.number(4 << 20)),
      Self.raw(new: Self.number(1 << 48)), Self.raw(new: [0]),
      Self.raw(new: [0], old: Self.number(1 << 49 + 1), checks: 12), Self.raw(old: [38], checks: 12),
    ] { #expect(throws: Never.self) { _ = try Self.parse(bytes) } }
  }

  @Test(
    "a field out of its bounds is refused by name",
    arguments: [
      ([0, 0, 0, 0] + [UInt8](repeating: 0, count: 18), .notAPatch),
      (Array("TUQ".utf8) + raw()[3...], .notAPatch),
      (Array("TUP".utf8) + [17] + raw()[4...], .badHead(.size)),
      (Array("TUP".utf8) + [43] + raw()[4...], .badHead(.size)),
      (Array("TUP".utf8) + [21] + raw()[4...], .badHead(.size)),
      (raw(code: 29), .badHead(.dictionary)), (raw(code: 255), .badHead(.dictionary)),
      (raw(payload: [0]), .badHead(.payload)), (raw(payload: number(1 << 20 + 1)), .badHead(.payload)),
      (raw(payload: [0x81, 0]), .badHead(.size)),  // not the shortest form
      (raw(block: [0]), .badHead(.block)), (raw(block: number(4 << 20 + 1)), .badHead(.block)),
      (raw(content: number(4 << 20 + 1)), .badHead(.content)),
      (raw(new: number(1 << 48 + 1)), .badHead(.newFile)),
      (raw(new: number(1 << 63 - 1)), .badHead(.newFile)),
      // 20 - 20 would be an empty old file, and 20 - 21 a negative size.
      (raw(old: [40], checks: 12), .badHead(.oldFile)), (raw(old: [42], checks: 12), .badHead(.oldFile)),
      (raw(old: number(1 << 49 + 2), checks: 12), .badHead(.oldFile)),
      (raw(old: number(1 << 49 + 1), checks: 12), .badHead(.oldFile)),  // 20 + 2^48
      (raw(old: number(1 << 63 - 1), checks: 12), .badHead(.oldFile)),
      (raw(checks: 9), .badHead(.size)), (raw(checks: 12), .badHead(.size)),
      (raw(old: [1], checks: 8), .badHead(.size)), (raw(old: [1], checks: 11), .badHead(.size)),
      (raw(old: [1], checks: 13), .badHead(.size)),
    ] as [([UInt8], PatchFormatError)])
  func bounds(bytes: [UInt8], error: PatchFormatError) {
    #expect(throws: error) { _ = try Self.parse(bytes) }
  }
}
