internal import Codec
internal import PatchFormat

/// Assembles the decoder's output into one block at a time.
package struct BlockAssembly: ~Copyable {
  private let maximumBlock: Int
  private var buffer: [UInt8]
  private var count = 0
  /// The size of the block; nil until it is known.
  private var size: Int?
  private var partialSize = BlockSize()

  init(maximumBlock: UInt32) {
    self.maximumBlock = Int(maximumBlock)
    buffer = [UInt8](repeating: 0, count: Int(maximumBlock))
  }

  /// Whether no byte of a block has arrived.
  var isEmpty: Bool { count == 0 && partialSize.isEmpty }

  /// Whether a block is complete.
  var isWhole: Bool { size == count }

  /// The whole block, without its size.
  package var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { buffer.span.extracting(0..<count) }
  }

  /// Decodes no further than to the end of the block, or of its size.
  ///
  /// `position`: for errors, the output position.
  mutating func fill(
    from decoder: inout SectionDecoder, input: RawSpan, at position: UInt64
  ) throws(DeltaError) -> CodedBytes {
    // A byte of the size goes to the front of the buffer, where the block overwrites it.
    let range = size == nil ? 0..<1 : count..<(size ?? count)
    let counts = try buffer.withMutableBytes(range) { (room) throws(DeltaError) in
      try decoder.decode(input, into: &room)
    }
    if size != nil {
      count += counts.written
    } else if counts.written > 0 {
      switch partialSize.take(buffer[0], maximum: maximumBlock) {
      case .partial: break
      case .whole(let size): self.size = size
      case .invalid: throw .badBlock(at: position)
      }
    }
    return counts
  }

  /// Discards the block.
  mutating func release() {
    count = 0
    size = nil
    partialSize = BlockSize()
  }
}
