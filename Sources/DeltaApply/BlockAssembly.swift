internal import Codec

/// Assembles the decoder's bytes to one block at a time.
///
/// A block begins with its size, a number in LEB128.
struct BlockAssembly: ~Copyable {
  private let maximumBlock: Int
  private var buffer: [UInt8]
  private var count = 0
  /// The size of the block, without that number; nil until it is known.
  private var size: Int?
  private var sizeBytes = 0
  private var partialSize: UInt64 = 0

  init(maximumBlock: UInt32) {
    self.maximumBlock = Int(maximumBlock)
    buffer = [UInt8](repeating: 0, count: Int(maximumBlock))
  }

  /// Whether nothing of a block is here.
  var isEmpty: Bool { count == 0 && sizeBytes == 0 }

  /// Whether all of a block is here.
  var isWhole: Bool { size == count }

  /// The whole block, without its size.
  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { buffer.span.extracting(0..<count) }
  }

  /// Decodes no further than to the end of the block, or of its size.
  ///
  /// `made` is told in errors: the bytes of the new file so far.
  mutating func fill(
    from decoder: inout SectionDecoder, _ input: RawSpan, made: UInt64
  ) throws(DeltaError) -> CodedBytes {
    // A byte of the size comes to the buffer's front, where the block overwrites it.
    let place = size == nil ? 0..<1 : count..<(size ?? count)
    let counts = try buffer.withMutableBytes(place) { (room) throws(DeltaError) in
      try decoder.decode(input, into: &room)
    }
    if size != nil {
      count += counts.written
    } else if counts.written > 0 {
      try takeSize(buffer[0], made)
    }
    return counts
  }

  private mutating func takeSize(_ byte: UInt8, _ made: UInt64) throws(DeltaError) {
    partialSize |= UInt64(byte & 0x7f) << (7 * UInt64(sizeBytes))
    sizeBytes += 1
    // The largest block's size has four bytes.
    guard partialSize <= maximumBlock, sizeBytes < 4 || byte < 0x80 else { throw .badBlock(at: made) }
    guard byte < 0x80 else { return }
    guard partialSize > 0, byte != 0 else { throw .badBlock(at: made) }
    size = Int(partialSize)
  }

  /// Lets go of the block.
  mutating func release() {
    count = 0
    size = nil
    sizeBytes = 0
    partialSize = 0
  }
}
