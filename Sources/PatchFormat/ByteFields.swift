package import Crypto

extension RawSpan {
  /// The little-endian integer at `offset`; nil if the bytes end before it does.
  package func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
    _ type: Integer.Type = Integer.self, at offset: Int
  ) -> Integer? {
    guard offset >= 0, offset <= byteCount - MemoryLayout<Integer>.size else { return nil }
    return Integer(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: type))
  }
}

extension Array where Element == UInt8 {
  /// Appends the little-endian bytes of `value`.
  mutating func append(littleEndian value: some FixedWidthInteger) {
    for byte in 0..<value.bitWidth / 8 { append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
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
