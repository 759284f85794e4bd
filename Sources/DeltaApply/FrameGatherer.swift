internal import Crypto

/// Gathers the bytes of a patch into one frame at a time and lets it out only if its digest is right.
///
/// The chain: the head holds the digest of the first frame, each frame that of the next.
struct FrameGatherer: ~Copyable {
  private let containerSize: UInt64
  private let maximumPayload: UInt32
  private var hasher: Crypto.Hasher
  private var expected: Digest?
  private var buffer: [UInt8]
  private var count = 0
  /// The header of the frame that is being gathered; nil until it is complete.
  private var header: FrameHeader?
  /// Where in the container the frame begins.
  private(set) var offset: UInt64

  /// Begins with the frame that `point` names.
  init(head: PatchHead, from point: RestartPoint) throws(DeltaError) {
    do throws(HasherError) { hasher = try Crypto.Hasher() } catch { throw .hashing }
    containerSize = head.containerSize
    maximumPayload = head.maximumPayload
    offset = point.containerOffset
    expected = point.containerOffset < head.containerSize ? point.frame : nil
    buffer = [UInt8](repeating: 0, count: FrameHeader.size + Int(head.maximumPayload))
  }

  /// Where the next byte that `gather` takes stands in the container.
  var position: UInt64 { offset + UInt64(count) }

  /// Whether the last frame was taken whole.
  var isAtEnd: Bool { expected == nil }

  /// The whole and authentic frame; nil while there is none.
  var frame: FrameHeader? { isWhole ? header : nil }

  private var isWhole: Bool { header != nil && count == wanted }

  private var wanted: Int {
    guard let header else { return FrameHeader.size }
    return FrameHeader.size + Int(header.payloadSize)
  }

  /// The payload of the whole frame.
  var payload: RawSpan {
    @_lifetime(borrow self)
    borrowing get { buffer.span.bytes.extracting(FrameHeader.size..<max(count, FrameHeader.size)) }
  }

  /// Takes bytes from the front of `bytes` up to the end of the frame; returns how many.
  ///
  /// There must be no whole frame: `next()` lets go of it.
  mutating func gather(_ bytes: RawSpan) throws(DeltaError) -> Int {
    guard !isAtEnd else { throw .trailingBytes(at: offset) }
    var taken = take(bytes)
    if header == nil && count == FrameHeader.size {
      header = try parseHeader()
      taken += take(bytes.extracting(taken...))
    }
    if isWhole { try authenticate() }
    return taken
  }

  /// Lets go of the whole frame; the next one is expected by the digest that it held.
  mutating func next() {
    guard let header, isWhole else { return }
    expected = header.next
    offset += UInt64(count)
    count = 0
    self.header = nil
  }

  private mutating func take(_ bytes: RawSpan) -> Int {
    let start = count
    let taken = min(wanted - start, bytes.byteCount)
    buffer.withMutableBytes(start..<start + taken) { place in
      place.withUnsafeMutableBytes { place in
        bytes.extracting(0..<taken).withUnsafeBytes { place.copyMemory(from: $0) }
      }
    }
    count += taken
    return taken
  }

  /// The header is not yet authenticated: its sizes are only compared with the head's.
  private func parseHeader() throws(DeltaError) -> FrameHeader {
    let left = containerSize - offset
    guard let header = FrameHeader(parsing: buffer.span.bytes),
      (1...maximumPayload).contains(header.payloadSize)
    else { throw .badFrame(at: offset) }
    let size = UInt64(FrameHeader.size) + UInt64(header.payloadSize)
    guard header.next == nil ? size == left : size < left else { throw .badFrame(at: offset) }
    return header
  }

  private mutating func authenticate() throws(DeltaError) {
    let digest: Digest
    do throws(HasherError) {
      let frame = buffer  // the same storage; a span of `self` would bar the way to `hasher`
      try hasher.update(frame.span.bytes.extracting(0..<count))
      digest = try hasher.finish()
    } catch { throw .hashing }
    guard digest == expected else { throw .wrongFrame(at: offset) }
  }
}
