internal import Crypto
internal import PatchFormat

/// Gathers the bytes of a patch into one frame at a time and releases it only if its digest is right.
///
/// The catalog holds the digest of the head and the first frame together, each frame that of the next.
struct FrameGatherer: ~Copyable {
  /// Nil if it is not known before the last frame.
  private let containerSize: UInt64?
  private let maximumPayload: UInt32
  private var hasher: Crypto.Hasher
  private var expectation: Expectation
  private var buffer: [UInt8]
  private var count = 0
  /// The header of the frame that is being gathered; nil until it is complete.
  private var header: FrameHeader?
  /// Offset in the patch of the frame.
  private(set) var offset: UInt64

  /// What is known of the next frame.
  private enum Expectation {
    case digest(Digest)
    /// Its digest is not known: the first frame of a bare patch.
    case any
    /// No frame follows.
    case end
  }

  /// Begins with the first frame, after a head of these bytes; `digest` is that of both together.
  init(
    headBytes: RawSpan, digest: Digest?, containerSize: UInt64?, maximumPayload: UInt32
  ) throws(DeltaError) {
    let hasher: Crypto.Hasher
    do throws(HasherError) {
      var head = try Crypto.Hasher()
      try head.update(headBytes)
      hasher = head
    } catch { throw .hashing }
    self.init(
      hasher, at: UInt64(headBytes.byteCount), expecting: digest.map { .digest($0) } ?? .any,
      containerSize: containerSize,
      maximumPayload: maximumPayload)
  }

  /// Expects nothing after a head of these bytes: the new file is empty.
  init(nothingAfter headBytes: RawSpan, digest: Digest?) throws(DeltaError) {
    let hasher: Crypto.Hasher
    let found: Digest
    do throws(HasherError) {
      found = try Crypto.Hasher.digest(of: headBytes)
      hasher = try Crypto.Hasher()
    } catch { throw .hashing }
    guard digest == nil || digest == found else { throw .wrongHead }
    self.init(hasher, at: UInt64(headBytes.byteCount), expecting: .end, containerSize: nil, maximumPayload: 1)
  }

  /// Begins with the frame of a checkpoint.
  init(from checkpoint: Checkpoint, containerSize: UInt64?) throws(DeltaError) {
    let hasher: Crypto.Hasher
    do throws(HasherError) { hasher = try Crypto.Hasher() } catch { throw .hashing }
    self.init(
      hasher, at: checkpoint.containerOffset, expecting: .digest(checkpoint.frame),
      containerSize: containerSize,
      maximumPayload: checkpoint.head.shape.maximumPayload)
  }

  private init(
    _ hasher: consuming Crypto.Hasher, at offset: UInt64, expecting expectation: Expectation,
    containerSize: UInt64?,
    maximumPayload: UInt32
  ) {
    self.hasher = hasher
    self.offset = offset
    self.expectation = expectation
    self.containerSize = containerSize
    self.maximumPayload = maximumPayload
    buffer = [UInt8](repeating: 0, count: FrameHeader.maximumSize + Int(maximumPayload))
  }

  /// Offset in the patch of the next byte for `gather`.
  var position: UInt64 { offset + UInt64(count) }

  /// Whether the last frame was gathered.
  var isAtEnd: Bool { if case .end = expectation { true } else { false } }

  /// The header of the complete and authentic frame; nil until there is one.
  var frame: FrameHeader? { isWhole ? header : nil }

  private var isWhole: Bool { header != nil && count == wanted }

  private var headerSize: Int {
    count < FrameHeader.prefix ? FrameHeader.prefix : FrameHeader.size(of: buffer.span.bytes)
  }

  private var wanted: Int {
    guard let header else { return headerSize }
    return headerSize + Int(header.payloadSize)
  }

  /// The payload of the complete frame.
  var payload: RawSpan {
    @_lifetime(borrow self)
    borrowing get { buffer.span.bytes.extracting(headerSize..<count) }
  }

  /// The digest of the frame after the complete one; nil after the last.
  var next: Digest? { header?.next }

  /// Takes bytes from the front of `bytes` up to the end of the frame; returns how many.
  ///
  /// A complete frame must be discarded with `release()` first.
  mutating func gather(_ bytes: RawSpan) throws(DeltaError) -> Int {
    guard !isAtEnd else { throw .trailingBytes(at: offset) }
    var taken = take(bytes)
    if header == nil && count >= FrameHeader.prefix {
      taken += take(bytes.extracting(taken...))  // the rest of the header, whose size is known now
      guard count == headerSize else { return taken }
      header = try parseHeader()
      taken += take(bytes.extracting(taken...))
    }
    if isWhole { try authenticate() }
    return taken
  }

  /// Discards the complete frame; the next one must have the digest that it held.
  mutating func release() {
    guard let header, isWhole else { return }
    expectation = header.next.map { .digest($0) } ?? .end
    offset += UInt64(count)
    count = 0
    self.header = nil
  }

  private mutating func take(_ bytes: RawSpan) -> Int {
    let start = count
    let taken = min(wanted - start, bytes.byteCount)
    buffer.withMutableBytes(start..<start + taken) { room in
      room.withUnsafeMutableBytes { room in
        bytes.extracting(0..<taken).withUnsafeBytes { room.copyMemory(from: $0) }
      }
    }
    count += taken
    return taken
  }

  /// The header is not yet authenticated: its sizes are only compared with the head's.
  private func parseHeader() throws(DeltaError) -> FrameHeader {
    guard let header = FrameHeader(parsing: buffer.span.bytes), header.payloadSize <= maximumPayload else {
      throw .badFrame(at: offset)
    }
    let end = offset + UInt64(count) + UInt64(header.payloadSize)
    if let containerSize {
      guard header.next == nil ? end == containerSize : end < containerSize else {
        throw .badFrame(at: offset)
      }
    }
    return header
  }

  private mutating func authenticate() throws(DeltaError) {
    let digest: Digest
    do throws(HasherError) {
      let frame = buffer  // the same storage; a span of `self` would make `hasher` inaccessible
      try hasher.update(frame.span.bytes.extracting(0..<count))
      digest = try hasher.finish()
    } catch { throw .hashing }
    switch expectation {
    case .digest(let expected): guard digest == expected else { throw .wrongFrame(at: offset) }
    case .any: break
    case .end: throw .trailingBytes(at: offset)  // not reached: no byte of such a frame was taken
    }
  }
}
