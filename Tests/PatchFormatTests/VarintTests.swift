import Testing

@testable import PatchFormat

@Suite("Varint")
struct VarintTests {
  @Test(
    "a number comes back, in as few bytes as it needs",
    arguments: [
      (0, 1), (1, 1), (127, 1), (128, 2), (16_383, 2), (16_384, 3), (1 << 56 - 1, 8), (1 << 63 - 1, 9),
    ] as [(UInt64, Int)])
  func roundTrip(value: UInt64, size: Int) {
    var bytes: [UInt8] = []
    Varint.append(value, to: &bytes)
    #expect(bytes.count == size)
    var cursor = ByteCursor(offset: 0, end: bytes.count)
    #expect(cursor.number(in: bytes.span) == value)
    #expect(cursor.remaining == 0)
  }

  @Test(
    "a number that ends too early, too late, or in a longer form is refused",
    arguments: [
      [], [0x80], [0xff, 0xff], [0x80, 0], [0x81, 0x80, 0], [UInt8](repeating: 0xff, count: 9),
      [UInt8](repeating: 0x80, count: 9) + [1],
    ] as [[UInt8]])
  func refused(bytes: [UInt8]) {
    var cursor = ByteCursor(offset: 0, end: bytes.count)
    #expect(cursor.number(in: bytes.span) == nil)
    #expect(cursor.offset == 0)
  }

  @Test(
    "a signed number is zigzag-encoded and decoded",
    arguments: [(0, 0), (-1, 1), (1, 2), (-2, 3), (2, 4), (1 << 48, 1 << 49)] as [(Int64, UInt64)])
  func zigzag(value: Int64, encoded: UInt64) {
    #expect(Varint.zigzag(value) == encoded)
    #expect(Varint.unzigzag(encoded) == value)
  }
}
