package import PatchFormat

/// Makes the new file from the old one and a patch that arrives piece by piece.
///
/// No byte is decoded before its frame is authenticated. Memory is constant: everything is allocated when the head is
/// known, `PatchHead.memoryNeeded` bytes at most. Comparing the digests of the old and of the new file is left to the
/// caller. After an error the applier is unusable; the new file is valid up to the last checkpoint.
package struct Applier: ~Copyable {
  private let expectation: PatchExpectation
  private let memoryLimit: UInt64
  private let isDryRun: Bool
  /// The head's bytes until all of them have arrived.
  private var headBytes: [UInt8] = []
  /// Nil until the head is known.
  private var executor: FrameExecutor?

  /// Starts with the first byte of the patch, or at a checkpoint; then the first byte for `consume` is the one at its
  /// `containerOffset`.
  ///
  /// A patch that needs more than `memoryLimit` bytes is refused before anything is allocated.
  ///
  /// - `isDryRun`: every frame is authenticated, decoded and executed, and what would be read is read; but no byte that
  ///   is read or made means anything, and no stream is inflated or deflated.
  package init(
    _ expectation: PatchExpectation, from checkpoint: Checkpoint? = nil, memoryLimit: UInt64,
    isDryRun: Bool = false
  ) throws(DeltaError) {
    if let checkpoint {
      try Applier.check(checkpoint.head, against: expectation, memoryLimit: memoryLimit)
      let end = min(expectation.containerSize ?? .max, PatchLimits.maximumFile)
      guard checkpoint.containerOffset < end, checkpoint.completed < checkpoint.head.newSize else {
        throw .badFrame(at: checkpoint.containerOffset)
      }
      let frames = try FrameGatherer(from: checkpoint, containerSize: expectation.containerSize)
      executor = try FrameExecutor(
        checkpoint.head, frames: frames, completed: checkpoint.completed, isDryRun: isDryRun)
    }
    self.isDryRun = isDryRun
    self.expectation = expectation
    self.memoryLimit = memoryLimit
  }

  /// Nil until it is known.
  package var head: PatchHead? {
    switch executor {
    case .some(let executor): executor.head
    case .none: nil
    }
  }

  /// Offset in the patch of the next byte for `consume`.
  package var position: UInt64 {
    switch executor {
    case .some(let executor): executor.position
    case .none: UInt64(headBytes.count)
    }
  }

  /// The bytes of the new file so far.
  package var completed: UInt64 {
    switch executor {
    case .some(let executor): executor.completed
    case .none: 0
    }
  }

  /// Takes the next piece of the patch, of any size.
  ///
  /// Errors of `files` are rethrown.
  package mutating func consume<Files: PatchFiles & ~Copyable>(
    _ bytes: RawSpan, files: inout Files
  ) throws(DeltaError) {
    var taken = 0
    if executor == nil { taken = try gatherHead(bytes) }
    guard executor != nil else { return }
    // An optional that cannot be copied is changed in place, or taken out and lost with an error.
    // swift-format-ignore: NeverForceUnwrap
    try executor!.consume(bytes.extracting(taken...), files: &files)
  }

  /// Ends the patch; the new file is complete if this does not throw.
  ///
  /// Returns the head, which identifies the new file.
  @discardableResult
  package consuming func finish() throws(DeltaError) -> PatchHead {
    switch executor {
    case .some(let executor):
      try executor.finish()
      return executor.head
    case .none: throw .truncated(at: UInt64(headBytes.count))
    }
  }

  /// Takes bytes of the head from the front of `bytes`; returns how many.
  private mutating func gatherHead(_ bytes: RawSpan) throws(DeltaError) -> Int {
    var taken = 0
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
      try Applier.check(head, against: expectation, memoryLimit: memoryLimit)
      let frames = try frames(after: head)
      executor = try FrameExecutor(head, frames: frames, completed: 0, isDryRun: isDryRun)
      break
    }
    return taken
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
