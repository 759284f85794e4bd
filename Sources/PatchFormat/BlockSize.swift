/// The size of a block, which precedes it: LEB128, parsed byte by byte as a section is decoded.
package struct BlockSize {
  private var number = VarintParser()

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

  /// The most bytes that the size of a block takes, or of one of its columns.
  static var maximumSize: Int { Varint.size(of: PatchLimits.block.upperBound) }

  /// Whether no byte of a size was taken.
  package var isEmpty: Bool { number.count == 0 }

  package static func append(_ size: Int, to bytes: inout [UInt8]) { Varint.append(UInt64(size), to: &bytes) }

  /// Takes the next byte; after `whole` or `invalid` there is none.
  package mutating func take(_ byte: UInt8, maximum: Int) -> Step {
    switch number.take(byte) {
    case .partial: number.count < BlockSize.maximumSize ? .partial : .invalid
    case .whole(let size): size > 0 && size <= UInt64(maximum) ? .whole(Int(size)) : .invalid
    case .invalid: .invalid
    }
  }
}
