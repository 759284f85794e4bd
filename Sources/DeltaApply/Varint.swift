/// A number in LEB128: seven bits a byte, the lowest first, the top bit set on all but the last.
///
/// Nine bytes hold 63 bits: no number reaches 2^63. Each has one form only, the shortest.
package enum Varint {
  /// The most bytes that one number takes.
  package static let maximumSize = 9

  package static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// The bytes that a number takes.
  package static func size(of value: UInt64) -> Int { max(1, (70 - value.leadingZeroBitCount) / 7) }

  /// Folds a signed step: 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4.
  package static func folded(_ step: Int64) -> UInt64 { UInt64(bitPattern: step << 1 ^ step >> 63) }

  static func unfolded(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}

/// A place in a stream of a block.
///
/// It holds no bytes, so that the four of a block can move side by side.
struct StreamCursor {
  private(set) var offset: Int
  let end: Int

  var remaining: Int { end - offset }

  /// Passes over `count` bytes, of which there must be as many.
  mutating func advance(by count: Int) { offset += count }

  /// Takes the next number; nil if the stream ends first or the number is not in its one form.
  mutating func number(in block: Span<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for index in 0..<min(Varint.maximumSize, remaining) {
      let byte = block[offset + index]
      value |= UInt64(byte & 0x7f) << (7 * UInt64(index))
      if byte < 0x80 {
        guard byte != 0 || index == 0 else { return nil }
        offset += index + 1
        return value
      }
    }
    return nil
  }
}
