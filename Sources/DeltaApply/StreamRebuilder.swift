internal import Codec
internal import PatchFormat

/// Rebuilds a deflate stream of the new file from its content, which is made from the content of an old stream.
struct StreamRebuilder: ~Copyable {
  /// The content of the old stream.
  var source: SourceContent
  /// Nil before the first stream; what makes one kind of streams is freed before what makes the other.
  private var deflater: Deflater?
  private var guided: GuidedDeflater?
  private var deflated: [UInt8]
  /// Where the stream goes in the new file.
  private var destinations: [Extent] = []
  /// The destination that is being written, and how many of its bytes are.
  private var destination = 0
  private var written: UInt64 = 0

  init(maximumContent: UInt32) throws(DeltaError) {
    source = try SourceContent(capacity: maximumContent)
    deflated = [UInt8](repeating: 0, count: BufferSizes.deflated)
  }

  /// The most memory that streams take, in bytes, with the sources and destinations of one of them and the reserved
  /// extents of all.
  static func memoryNeeded(maximumContent: UInt32) -> UInt64 {
    UInt64(maximumContent) + Inflater.memoryNeeded + max(Deflater.maximumMemory, GuidedDeflater.memoryNeeded)
      + UInt64(BufferSizes.deflated)
      + 3 * UInt64(PatchLimits.maximumExtents * MemoryLayout<Extent>.size)
  }

  // MARK: - The new stream

  /// Starts a stream that goes to its destinations, one after the other.
  mutating func begin(_ target: DeflateTarget) throws(DeltaError) {
    destinations = target.destinations
    destination = 0
    written = 0
    switch target.encoder {
    case .zlib(let parameters):
      guided = nil
      do throws(CodecError) {
        if deflater == nil {
          deflater = try Deflater(parameters)
        } else {
          // swift-format-ignore: NeverForceUnwrap
          try deflater!.reset(parameters)
        }
      } catch { throw .codec(error) }
    case .guide(let parameters, let size):
      deflater = nil
      if guided == nil { guided = GuidedDeflater() }
      do throws(CodecError) {
        // swift-format-ignore: NeverForceUnwrap
        try guided!.reset(parameters, guideSize: size, contentSize: target.contentSize)
      } catch { throw .codec(error) }
    }
  }

  /// Takes the next bytes of the content; with the last ones the stream is complete, and must fill its destinations.
  ///
  /// `position`: for errors, the output position.
  mutating func take(
    _ content: RawSpan, isLast: Bool, at position: UInt64, files: any PatchFiles
  ) throws(DeltaError) {
    var taken = 0
    while true {
      let rest = content.extracting(taken...)
      let counts: CodedBytes
      do throws(CodecError) {
        counts = try deflated.withMutableBytes(0..<deflated.count) { (room) throws(CodecError) in
          try StreamRebuilder.deflate(&deflater, &guided, input: rest, into: &room, isLast: isLast)
        }
      } catch { throw .codec(error) }
      taken += counts.read
      try write(counts.written, at: position, to: files)
      if counts.read == 0 && counts.written == 0 { break }
    }
    guard isLast else { return }
    guard destination == destinations.count else { throw .badBlock(at: position) }
    // Released before the next stream's are parsed: the declared memory has room for those of one stream.
    destinations = []
  }

  private static func deflate(
    _ deflater: inout Deflater?, _ guided: inout GuidedDeflater?, input: RawSpan,
    into output: inout MutableRawSpan, isLast: Bool
  ) throws(CodecError) -> CodedBytes {
    if deflater == nil {
      return try guided?.deflate(input, into: &output) ?? CodedBytes(read: 0, written: 0)
    }
    return try deflater?.deflate(input, into: &output, isLast: isLast) ?? CodedBytes(read: 0, written: 0)
  }

  /// Writes the first bytes of `deflated` where they belong.
  private mutating func write(
    _ count: Int, at position: UInt64, to files: any PatchFiles
  ) throws(DeltaError) {
    var done = 0
    while done < count {
      guard destination < destinations.count else { throw .badBlock(at: position) }
      let extent = destinations[destination]
      let piece = Int(min(UInt64(count - done), extent.size - written))
      try files.write(deflated.span.bytes.extracting(done..<done + piece), at: extent.start + written)
      written += UInt64(piece)
      done += piece
      if written == extent.size {
        destination += 1
        written = 0
      }
    }
  }
}
