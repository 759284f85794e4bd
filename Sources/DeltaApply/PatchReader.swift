internal import PatchFormat

/// Reads a patch piece by piece: gathers the head, and then hands out one authenticated block after the other.
///
/// It knows nothing of the files that the patch is between: what becomes of the blocks is the caller's.
struct PatchReader: ~Copyable {
  private let expectation: PatchExpectation
  private let memoryLimit: UInt64
  /// The head's bytes until all of them have arrived.
  private var headBytes: [UInt8] = []
  /// Nil until it is known.
  private(set) var head: PatchHead?
  /// Nil until the head is known.
  private var frames: FrameReader?

  /// What was read.
  enum Event {
    /// The head is known, and admitted.
    case head(PatchHead)
    case frame(FrameReader.Event)
  }

  /// Starts with the first byte of the patch, or at a checkpoint.
  ///
  /// A patch that needs more than `memoryLimit` bytes is refused before anything is allocated.
  init(_ expectation: PatchExpectation, from checkpoint: Checkpoint?, memoryLimit: UInt64) throws(DeltaError)
  {
    if let checkpoint {
      try PatchReader.check(checkpoint.head, against: expectation, memoryLimit: memoryLimit)
      let end = min(expectation.containerSize ?? .max, PatchLimits.maximumFile)
      guard checkpoint.containerOffset < end, checkpoint.completed < checkpoint.head.newSize else {
        throw .badFrame(at: checkpoint.containerOffset)
      }
      frames = FrameReader(
        try FrameGatherer(from: checkpoint, containerSize: expectation.containerSize), of: checkpoint.head)
    }
    head = checkpoint?.head
    self.expectation = expectation
    self.memoryLimit = memoryLimit
  }

  /// Offset in the patch of the next byte for `next`.
  var position: UInt64 {
    switch frames {
    case .some(let frames): frames.position
    case .none: UInt64(headBytes.count)
    }
  }

  /// Reads on in `bytes` from `taken`, which it moves; nil if there is nothing more in them.
  ///
  /// - `completed`: the bytes of the new file that the blocks so far have made.
  mutating func next(_ bytes: RawSpan, taken: inout Int, completed: UInt64) throws(DeltaError) -> Event? {
    if frames == nil { return try gatherHead(bytes, taken: &taken).map { .head($0) } }
    // An optional that cannot be copied is changed in place, or taken out and lost with an error.
    // swift-format-ignore: NeverForceUnwrap
    return try frames!.next(bytes, taken: &taken, completed: completed).map { .frame($0) }
  }

  /// Calls `body` with the block that was read last.
  func withBlock(_ body: (borrowing BlockAssembly) throws(DeltaError) -> Void) throws(DeltaError) {
    switch frames {
    case .some(let frames): try frames.withBlock(body)
    case .none: break
    }
  }

  /// Ends the patch: all of it was read if this does not throw.
  borrowing func finish(completed: UInt64) throws(DeltaError) {
    switch frames {
    case .some(let frames): try frames.finish(completed: completed)
    case .none: throw .truncated(at: position)
    }
  }

  // MARK: - The head

  private mutating func gatherHead(_ bytes: RawSpan, taken: inout Int) throws(DeltaError) -> PatchHead? {
    var wanted = PatchHead.prefix
    while taken < bytes.byteCount {
      headBytes.append(unsafe bytes.unsafeLoad(fromByteOffset: taken, as: UInt8.self))
      taken += 1
      let head: PatchHead
      do throws(PatchFormatError) {
        if headBytes.count >= PatchHead.prefix { wanted = try PatchHead.size(of: headBytes.span.bytes) }
        guard headBytes.count == wanted else { continue }
        head = try PatchHead(parsing: headBytes.span.bytes)
      } catch { throw DeltaError(error) }
      try PatchReader.check(head, against: expectation, memoryLimit: memoryLimit)
      frames = FrameReader(try frames(after: head), of: head)
      self.head = head
      return head
    }
    return nil
  }

  private func frames(after head: PatchHead) throws(DeltaError) -> FrameGatherer {
    let bytes = headBytes.span.bytes
    guard head.newSize > 0 else {
      return try FrameGatherer(nothingAfter: bytes, digest: expectation.head)
    }
    return try FrameGatherer(
      headBytes: bytes, digest: expectation.head, containerSize: expectation.containerSize,
      maximumPayload: head.shape.maximumPayload)
  }

  /// Compares a head, which may not be authentic yet, with everything that is known: a patch between other files must not
  /// fill the disk first.
  private static func check(
    _ head: PatchHead, against expectation: PatchExpectation, memoryLimit: UInt64
  ) throws(DeltaError) {
    // A patch without an old file does not read one that happens to exist.
    guard head.oldSize == expectation.oldSize || head.oldSize == 0 else {
      throw .wrongOldFile(found: expectation.oldSize, expected: head.oldSize)
    }
    if let newSize = expectation.newSize { guard head.newSize == newSize else { throw .wrongHead } }
    guard head.memoryNeeded <= memoryLimit else {
      throw .overMemory(needed: head.memoryNeeded, allowed: memoryLimit)
    }
  }
}
