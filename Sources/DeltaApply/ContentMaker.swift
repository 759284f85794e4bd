internal import Codec
internal import PatchFormat

/// Makes a deflate stream of the new file: of its content, which is told against the content of an old one.
struct ContentMaker: ~Copyable {
  /// The inflated old stream.
  private var source: [UInt8]
  private(set) var sourceSize = 0
  private var inflater: Inflater
  /// Nil before the first stream.
  private var deflater: Deflater?
  private var packed: [UInt8]
  /// Where the stream goes in the new file, and how much of that is written.
  private var places: [Extent] = []
  private var place = 0
  private var written: UInt64 = 0

  init(maximumContent: UInt32) throws(DeltaError) {
    do throws(CodecError) { inflater = try Inflater(.raw) } catch { throw .codec(error) }
    source = [UInt8](repeating: 0, count: Int(maximumContent))
    packed = [UInt8](repeating: 0, count: BufferSizes.deflated)
  }

  /// The memory that streams take at most, in bytes: the places of one of them and the claims of all included.
  static func memoryNeeded(maximumContent: UInt32) -> UInt64 {
    UInt64(maximumContent) + Inflater.memoryNeeded + Deflater.maximumMemory + UInt64(BufferSizes.deflated)
      + 2 * UInt64(PatchLimits.maximumExtents * MemoryLayout<Extent>.size)
  }

  /// The bytes of the old content from `offset`, which must be there.
  @_lifetime(borrow self)
  borrowing func bytes(from offset: UInt64, _ count: Int) -> Span<UInt8> {
    source.span.extracting(Int(offset)..<Int(offset) + count)
  }

  // MARK: - The old stream

  /// Gets ready for an old stream; none is an empty one.
  mutating func beginSource(_ wrapper: DeflateParameters.Wrapper?) throws(DeltaError) {
    sourceSize = 0
    guard let wrapper else { return }
    do throws(CodecError) { try inflater.reset(wrapper) } catch { throw .codec(error) }
  }

  /// Takes the next bytes of the old stream.
  mutating func takeSource(_ bytes: RawSpan) throws(DeltaError) {
    var taken = 0
    while taken < bytes.byteCount {
      let start = sourceSize
      let end = source.count
      let rest = bytes.extracting(taken...)
      let counts: CodedBytes
      do throws(CodecError) {
        counts = try ContentMaker.inflate(&inflater, rest, &source, start..<end)
      } catch { throw .codec(error) }
      taken += counts.read
      sourceSize += counts.written
      // The stream ends before its bytes do, or is larger than the head says.
      guard counts.read + counts.written > 0 else { throw .codec(.corrupt) }
    }
  }

  /// Two properties at once, which a method cannot change.
  private static func inflate(
    _ inflater: inout Inflater, _ input: RawSpan, _ output: inout [UInt8], _ range: Range<Int>
  ) throws(CodecError) -> CodedBytes {
    try output.withMutableBytes(range) { (room) throws(CodecError) in
      try inflater.inflate(input, into: &room)
    }
  }

  /// Says that the old stream has no more bytes; it must be whole.
  func endSource() throws(DeltaError) { guard inflater.isFinished else { throw .codec(.truncated) } }

  // MARK: - The new stream

  /// Gets ready for a stream that goes to these places, one after the other.
  mutating func begin(_ parameters: DeflateParameters, into places: [Extent]) throws(DeltaError) {
    self.places = places
    place = 0
    written = 0
    do throws(CodecError) {
      if deflater == nil {
        deflater = try Deflater(parameters)
      } else {
        // swift-format-ignore: NeverForceUnwrap
        try deflater!.reset(parameters)
      }
    } catch { throw .codec(error) }
  }

  /// Takes the next bytes of the content; with the last ones the stream is complete, and must fill its places.
  ///
  /// `made` is told in errors.
  mutating func take<Files: PatchFiles & ~Copyable>(
    _ content: RawSpan, isLast: Bool, made: UInt64, _ files: inout Files
  ) throws(DeltaError) {
    var taken = 0
    while true {
      let rest = content.extracting(taken...)
      let counts: CodedBytes
      do throws(CodecError) {
        counts = try packed.withMutableBytes(0..<packed.count) { (room) throws(CodecError) in
          try ContentMaker.deflate(&deflater, rest, into: &room, isLast: isLast)
        }
      } catch { throw .codec(error) }
      taken += counts.read
      try write(counts.written, made, &files)
      if counts.read == 0 && counts.written == 0 { break }
    }
    guard isLast else { return }
    guard place == places.count else { throw .badBlock(at: made) }
    // Before those of the next stream are there: memory is declared for one of them.
    places = []
  }

  private static func deflate(
    _ deflater: inout Deflater?, _ input: RawSpan, into output: inout MutableRawSpan, isLast: Bool
  ) throws(CodecError) -> CodedBytes {
    try deflater?.deflate(input, into: &output, isLast: isLast) ?? CodedBytes(read: 0, written: 0)
  }

  /// Writes the first bytes of `packed` where they belong.
  private mutating func write<Files: PatchFiles & ~Copyable>(
    _ count: Int, _ made: UInt64, _ files: inout Files
  ) throws(DeltaError) {
    var done = 0
    while done < count {
      guard place < places.count else { throw .badBlock(at: made) }
      let extent = places[place]
      let piece = Int(min(UInt64(count - done), extent.size - written))
      try files.write(packed.span.bytes.extracting(done..<done + piece), at: extent.start + written)
      written += UInt64(piece)
      done += piece
      if written == extent.size {
        place += 1
        written = 0
      }
    }
  }
}
