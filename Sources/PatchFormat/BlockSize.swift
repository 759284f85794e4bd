/// The size of a block, which precedes it: LEB128 in at most four bytes, parsed byte by byte as a section is decoded.
package struct BlockSize {
  private var value: UInt64 = 0
  private var count = 0

  /// What a byte of a size led to.
  package enum Step: Equatable {
    /// More bytes follow.
    case partial
    /// The size of the block, which follows.
    case whole(Int)
    /// This is not a size of at most `maximum`, or not in its shortest form.
    case invalid
  }

  package init() {}

  /// Whether no byte of a size was taken.
  package var isEmpty: Bool { count == 0 }

  package static func append(_ size: Int, to bytes: inout [UInt8]) { Varint.append(UInt64(size), to: &bytes) }

  /// Takes the next byte; after `whole` or `invalid` there is none.
  package mutating func take(_ byte: UInt8, maximum: Int) -> Step {
    value |= UInt64(byte & 0x7f) << (7 * UInt64(count))
    count += 1
    guard value <= UInt64(maximum), count < 4 || byte < 0x80 else { return .invalid }
    guard byte < 0x80 else { return .partial }
    guard value > 0, byte != 0 else { return .invalid }
    return .whole(Int(value))
  }
}
