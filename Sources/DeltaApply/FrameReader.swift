internal import Crypto
internal import PatchFormat

/// Reads the frames of a patch: authenticates each of them, and decodes the blocks of its sections.
struct FrameReader: ~Copyable {
  private var frames: FrameGatherer
  private var sections: SectionReader
  private let newSize: UInt64
  /// How many bytes of the payload are decoded; nil while a frame is gathered.
  private var decoded: Int?
  /// The bytes of the new file that were complete where the section began; nil before the first section.
  private var sectionStart: UInt64?

  /// What was read.
  enum Event {
    case sectionStarted
    /// A block is whole: `withBlock` has it.
    case block
    /// `next`: where the next section begins in the patch, and the digest of its first frame; nil after the last section.
    case sectionEnded(next: (offset: UInt64, frame: Digest)?)
  }

  init(_ frames: consuming FrameGatherer, of head: PatchHead) {
    self.frames = frames
    sections = SectionReader(head.shape)
    newSize = head.newSize
  }

  /// Offset in the patch of the next byte for `next`.
  var position: UInt64 { frames.position }

  /// Reads on in `bytes` from `taken`, which it moves; nil if there is nothing more in them.
  ///
  /// - `completed`: the bytes of the new file that the blocks so far have made.
  mutating func next(_ bytes: RawSpan, taken: inout Int, completed: UInt64) throws(DeltaError) -> Event? {
    while true {
      if decoded != nil {
        if let event = try decode(completed: completed) { return event }
      } else {
        guard taken < bytes.byteCount else { return nil }
        taken += try frames.gather(bytes.extracting(taken...))
        guard let frame = frames.frame else { continue }
        decoded = 0
        if try begin(frame, completed: completed) { return .sectionStarted }
      }
    }
  }

  /// Calls `body` with the block that was read last.
  func withBlock(_ body: (borrowing BlockAssembly) throws(DeltaError) -> Void) throws(DeltaError) {
    try body(sections.block)
  }

  borrowing func finish(completed: UInt64) throws(DeltaError) {
    guard frames.isAtEnd else { throw .truncated(at: frames.position) }
    guard sections.isFinished || sectionStart == nil, completed == newSize else {
      throw .badSection(at: completed)
    }
  }

  /// Compares where a frame's section begins with what was done so far; true if it begins one.
  private mutating func begin(_ frame: FrameHeader, completed: UInt64) throws(DeltaError) -> Bool {
    if let sectionStart {
      guard let start = frame.start else {
        guard !sections.isFinished, !frame.isSorted else { throw .badFrame(at: frames.offset) }
        return false
      }
      guard sections.isFinished, start == completed, start > sectionStart, start < newSize else {
        throw .badFrame(at: frames.offset)
      }
    } else {
      guard frame.start == nil ? completed == 0 : frame.start == completed else {
        throw .badFrame(at: frames.offset)
      }
    }
    try sections.start(frame, at: completed)
    sectionStart = completed
    return true
  }

  /// Decodes the frame's payload to the end of its next block, or releases the frame after its last one.
  private mutating func decode(completed: UInt64) throws(DeltaError) -> Event? {
    var taken = decoded ?? 0
    if try sections.readBlock(from: frames.payload, taken: &taken, at: completed) {
      decoded = taken
      return .block
    }
    decoded = nil
    let next = frames.next
    frames.release()
    return sections.isFinished ? .sectionEnded(next: next.map { (frames.offset, $0) }) : nil
  }
}
