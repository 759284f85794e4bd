internal import Codec

/// Assembles the decoder's bytes to one block at a time.
struct BlockAssembly: ~Copyable {
  private let maximumBlock: UInt64
  private var buffer: [UInt8]
  private var count = 0
  /// The header of the block that is being assembled; nil until it is complete.
  private var header: BlockHeader?

  init(maximumBlock: UInt32) {
    self.maximumBlock = UInt64(maximumBlock)
    buffer = [UInt8](repeating: 0, count: BlockHeader.size + Int(maximumBlock))
  }

  /// Whether nothing of a block is here.
  var isEmpty: Bool { count == 0 }

  /// The header of the whole block; nil while there is none.
  var block: BlockHeader? { count == wanted ? header : nil }

  /// Header and streams of the whole block.
  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { buffer.span.extracting(0..<count) }
  }

  /// The size up to which the block is known; never more than the buffer holds, as every header is checked.
  private var wanted: Int {
    guard let header else { return BlockHeader.size }
    return BlockHeader.size + Int(header.streamsSize)
  }

  /// Decodes no further than to the end of the block.
  ///
  /// `left` bytes of the new file are still to be made; `made` is told in errors.
  mutating func fill(
    from decoder: inout LZMA2Decoder, _ input: RawSpan, left: UInt64, made: UInt64
  ) throws(DeltaError) -> CodedBytes {
    let counts: CodedBytes
    do throws(CodecError) {
      counts = try buffer.withMutableBytes(count..<wanted) { (room) throws(CodecError) in
        try decoder.decode(input, into: &room)
      }
    } catch { throw .codec(error) }
    count += counts.written
    if header == nil && count == BlockHeader.size {
      guard let parsed = BlockHeader(parsing: buffer.span.bytes),
        (1...maximumBlock).contains(parsed.streamsSize),
        parsed.newSize > 0, parsed.newSize <= left
      else { throw .badBlock(at: made) }
      header = parsed
    }
    return counts
  }

  /// Lets go of the block.
  mutating func next() {
    count = 0
    header = nil
  }
}
