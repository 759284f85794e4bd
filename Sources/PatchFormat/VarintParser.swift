/// Parses a number in LEB128 byte by byte; `Varint` says which forms are valid.
struct VarintParser {
  private var value: UInt64 = 0
  /// How many bytes were taken.
  private(set) var count = 0

  /// What a byte of a number led to.
  enum Step {
    /// More bytes follow.
    case partial
    /// The number is complete.
    case whole(UInt64)
    /// The number has too many bytes, or is not in its shortest form.
    case invalid
  }

  /// Takes the next byte; after `whole` or `invalid` there is none.
  mutating func take(_ byte: UInt8) -> Step {
    value |= UInt64(byte & 0x7f) << (7 * UInt64(count))
    count += 1
    if byte >= 0x80 { return count < Varint.maximumSize ? .partial : .invalid }
    return byte != 0 || count == 1 ? .whole(value) : .invalid
  }
}
