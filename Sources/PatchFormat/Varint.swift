/// A number in LEB128: seven bits a byte, the lowest first, the top bit set on all but the last.
///
/// Nine bytes hold 63 bits: every number is less than 2^63. Each has one valid form, the shortest.
/// `ByteCursor.number(in:)` parses it.
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

  /// Encodes a signed number: 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4.
  package static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }

  /// Decodes a signed number; the inverse of `zigzag(_:)`.
  package static func unzigzag(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}
