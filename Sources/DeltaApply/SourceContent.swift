internal import Codec
internal import PatchFormat

/// The content of an old stream, inflated as far as copies have come: whole if it fits, else a window of it.
struct SourceContent: ~Copyable {
  private var inflater: Inflater
  private var buffer: [UInt8]
  /// The offset in the content of the first byte of `buffer`.
  private var start: UInt64 = 0
  /// The bytes of `buffer` that are inflated.
  private var count = 0
  /// The stream in the old file, and how far it was read.
  private var extents: [Extent] = []
  private var extent = 0
  private var read: UInt64 = 0

  /// - `capacity`: the bytes that are held.
  init(capacity: UInt32) throws(DeltaError) {
    do throws(CodecError) { inflater = try Inflater(.raw) } catch { throw .codec(error) }
    buffer = [UInt8](repeating: 0, count: Int(capacity))
  }

  /// Starts a stream in these extents; without a wrapper there is none, and the content is empty.
  mutating func begin(_ wrapper: DeflateParameters.Wrapper?, extents: [Extent]) throws(DeltaError) {
    start = 0
    count = 0
    self.extents = extents
    extent = 0
    read = 0
    guard let wrapper else { return }
    do throws(CodecError) { try inflater.reset(wrapper) } catch { throw .codec(error) }
  }

  /// What was not read of the stream's current extent; empty after the last one.
  var unread: Extent {
    guard extent < extents.count else { return Extent(start: 0, size: 0) }
    return Extent(start: extents[extent].start + read, size: extents[extent].size - read)
  }

  /// The end of what is inflated.
  var end: UInt64 { start + UInt64(count) }

  /// Whether all of the content is inflated, and the stream complete.
  var isComplete: Bool { extents.isEmpty || inflater.isFinished && extent == extents.count }

  /// Where copies may begin at the earliest: earlier bytes may be gone.
  var floor: UInt64 {
    // Until something is dropped, all of it is here.
    start == 0 ? 0 : end - ContentWindow.kept(of: UInt64(buffer.count))
  }

  /// Whether the content is known to fit, or what is held is enough of a window.
  var isUsable: Bool { isComplete || buffer.count >= ContentWindow.smallest }

  /// Inflates from the front of `bytes`, the next ones of the stream, up to `end` of the content.
  ///
  /// After the last bytes, none are taken until all of the content is inflated: the inflater may hold some.
  ///
  /// Returns false without room.
  mutating func take(_ bytes: RawSpan, upTo end: UInt64) throws(DeltaError) -> Bool {
    let room = Int(min(UInt64(buffer.count - count), end - min(end, self.end)))
    let range = count..<count + room
    let counts: CodedBytes
    do throws(CodecError) {
      counts = try SourceContent.inflate(&inflater, input: bytes, into: &buffer, range: range)
    } catch { throw .codec(error) }
    count += counts.written
    read += UInt64(counts.read)
    if extent < extents.count && read == extents[extent].size {
      extent += 1
      read = 0
    }
    // The stream ends before its bytes do, or its bytes before the stream.
    guard !inflater.isFinished || isComplete else { throw .codec(.corrupt) }
    if counts.read + counts.written > 0 { return true }
    guard room == 0 || extent < extents.count || inflater.isFinished else { throw .codec(.truncated) }
    return false
  }

  /// Makes room for more by dropping the earliest bytes that are held.
  mutating func slide() {
    let kept = Int(ContentWindow.kept(of: UInt64(buffer.count)))
    guard count == buffer.count else { return }
    let dropped = count - kept
    buffer.withUnsafeMutableBytes { bytes in
      UnsafeMutableRawBufferPointer(rebasing: bytes[0..<kept])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[dropped..<dropped + kept]))
    }
    start += UInt64(dropped)
    count = kept
  }

  /// How many bytes from `offset` are held.
  func available(from offset: UInt64) -> Int {
    offset < start || offset >= end ? 0 : Int(end - offset)
  }

  /// Bytes of the content, which are held.
  @_lifetime(borrow self)
  borrowing func bytes(from offset: UInt64, count: Int) -> Span<UInt8> {
    let first = Int(offset - start)
    return buffer.span.extracting(first..<first + count)
  }

  /// Changes two properties at once, which a method cannot.
  private static func inflate(
    _ inflater: inout Inflater, input: RawSpan, into output: inout [UInt8], range: Range<Int>
  ) throws(CodecError) -> CodedBytes {
    try output.withMutableBytes(range) { (room) throws(CodecError) in
      try inflater.inflate(input, into: &room)
    }
  }
}
