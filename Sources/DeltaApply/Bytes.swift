extension RawSpan {
  /// The little-endian integer at `offset`; nil if the bytes end before it does.
  func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
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

  /// Lets `body` write to a part of the array.
  mutating func withMutableBytes<Result, Failure>(
    _ range: Range<Int>, _ body: (inout MutableRawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var span = mutableSpan
    return try span.withUnsafeMutableBytes { (bytes) throws(Failure) in
      var part = UnsafeMutableRawBufferPointer(rebasing: bytes[range]).mutableBytes
      return try body(&part)
    }
  }
}
