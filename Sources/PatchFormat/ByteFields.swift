package import Crypto

extension RawSpan {
  /// The little-endian integer at `offset`; nil if the bytes end before it does.
  package func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    _ type: Integer.Type = Integer.self, at offset: Int
  ) -> Integer? {
    guard offset >= 0, offset <= byteCount - MemoryLayout<Integer>.size else { return nil }
    return Integer(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: type))
  }

  /// The little-endian integer of `size` bytes, at most 8, at `offset`; nil if the bytes end before it does.
  func integer(at offset: Int, size: Int) -> UInt64? {
    var value: UInt64 = 0
    for index in (0..<size).reversed() {
      guard let byte: UInt8 = integer(at: offset + index) else { return nil }
      value = value << 8 | UInt64(byte)
    }
    return value
  }
}

extension Array where Element == UInt8 {
  /// Appends the little-endian bytes of `value`.
  mutating func append(littleEndian value: some FixedWidthInteger) {
    append(littleEndian: value, size: value.bitWidth / 8)
  }

  /// Appends the first `size` of the little-endian bytes of `value`.
  mutating func append(littleEndian value: some FixedWidthInteger, size: Int) {
    for byte in 0..<size { append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
  }

  /// Appends the 32 bytes of a digest.
  mutating func append(digest: Digest) {
    for index in 0..<Digest.size { append(digest.bytes[index]) }
  }
}

extension Digest {
  /// The first eight bytes as a little-endian number: enough against accidents.
  package var check: UInt64 {
    var value: UInt64 = 0
    for index in (0..<8).reversed() { value = value << 8 | UInt64(bytes[index]) }
    return value
  }
}
