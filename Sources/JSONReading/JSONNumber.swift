internal import Platform

/// Whole numbers of 64 bits, as JSON writes them.
enum JSONNumber {
  /// The value of an optional minus sign and digits; nil beyond 64 bits.
  static func whole(_ text: ArraySlice<UInt8>) -> Int64? {
    guard text.first == UInt8(ascii: "-") else { return UInt64(ascii: text).flatMap { Int64(exactly: $0) } }
    guard let magnitude = UInt64(ascii: text.dropFirst()), magnitude <= Int64.min.magnitude else {
      return nil
    }
    return Int64(truncatingIfNeeded: 0 &- magnitude)
  }
}
