internal import Codec
internal import DeltaApply
internal import PatchFormat

/// Decodes the payloads of frames, and splits them into blocks.
struct BlockSplitter: ~Copyable {
  private let maximumBlock: Int
  /// Nil: sections are stored.
  private var decoder: LZMA2Decoder?
  /// Decoded bytes that were not taken yet.
  private var decoded: ArraySlice<UInt8> = []
  private var size = BlockSize()
  private var block: [UInt8] = []
  /// Bytes that the block still lacks; nil until its size is known.
  private var missing: Int?

  init(_ head: PatchHead) throws(DeltaError) {
    maximumBlock = Int(head.shape.maximumBlock)
    if head.shape.dictionarySize > 0 {
      do throws(CodecError) { decoder = try LZMA2Decoder(dictionarySize: head.shape.dictionarySize) } catch {
        throw .codec(error)
      }
    }
  }

  /// Whether no part of a block is left.
  var isEmpty: Bool { missing == nil && size.isEmpty && decoded.isEmpty }

  mutating func beginSection() throws(DeltaError) {
    guard decoder != nil else { return }
    // swift-format-ignore: NeverForceUnwrap
    do throws(CodecError) { try decoder!.reset() } catch { throw .codec(error) }
  }

  /// The next block, without its size; nil if `payload` is used up.
  mutating func next(from payload: inout ArraySlice<UInt8>) throws(DeltaError) -> [UInt8]? {
    while true {
      while let byte = decoded.first {
        guard let missing else {
          decoded = decoded.dropFirst()
          try take(byte)
          continue
        }
        block += decoded.prefix(missing)
        self.missing = missing - min(missing, decoded.count)
        decoded = decoded.dropFirst(missing)
        guard self.missing == 0 else { break }
        defer { (block, self.missing, size) = ([], nil, BlockSize()) }
        return block
      }
      guard try decode(&payload) else { return nil }
    }
  }

  /// Takes a byte of the size of the next block.
  private mutating func take(_ byte: UInt8) throws(DeltaError) {
    switch size.take(byte, maximum: maximumBlock) {
    case .partial: break
    case .whole(let size): missing = size
    case .invalid: throw .codec(.corrupt)
    }
  }

  /// Decodes the next bytes of `payload`; false if there are none.
  private mutating func decode(_ payload: inout ArraySlice<UInt8>) throws(DeltaError) -> Bool {
    guard decoder != nil else {
      decoded = payload
      payload = []
      return !decoded.isEmpty
    }
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    do throws(CodecError) {
      var span = piece.mutableSpan
      var output = span.mutableBytes
      // swift-format-ignore: NeverForceUnwrap
      let counts = try decoder!.decode(payload.span.bytes, into: &output)
      payload = payload.dropFirst(counts.read)
      decoded = piece[..<counts.written]
      // Without progress the decoder waits for the next frame.
      return counts.read + counts.written > 0
    } catch { throw .codec(error) }
  }
}
