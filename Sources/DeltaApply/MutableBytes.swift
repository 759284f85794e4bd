extension Array where Element == UInt8 {
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
