internal import PatchFormat

/// Turns authenticated frames into bytes of the new file: decodes their payloads and executes the blocks in them.
struct FrameExecutor: ~Copyable {
  private var frames: FrameGatherer
  private var reader: SectionReader
  private var blocks: BlockExecutor
  /// The bytes of the new file that were complete where the section began.
  private var sectionStart: UInt64
  private var isFirst = true

  init(
    _ head: PatchHead, frames: consuming FrameGatherer, completed: UInt64, isDryRun: Bool
  ) throws(DeltaError) {
    let reader = SectionReader(head.shape)
    let blocks = try BlockExecutor(head, completed: completed, isDryRun: isDryRun)
    self.frames = frames
    self.reader = reader
    self.blocks = blocks
    sectionStart = completed
  }

  var head: PatchHead { blocks.head }

  /// Offset in the patch of the next byte for `consume`.
  var position: UInt64 { frames.position }

  /// The bytes of the new file so far.
  var completed: UInt64 { blocks.position.offset }

  mutating func consume<Files: PatchFiles & ~Copyable>(
    _ bytes: RawSpan, files: inout Files
  ) throws(DeltaError) {
    var taken = 0
    while taken < bytes.byteCount {
      taken += try frames.gather(bytes.extracting(taken...))
      guard let frame = frames.frame else { continue }
      try begin(frame)
      try execute(&files)
      let next = frames.next
      frames.release()
      if reader.isFinished, let next {
        try files.reached(
          Checkpoint(containerOffset: frames.offset, completed: completed, frame: next, head: head))
      }
    }
  }

  borrowing func finish() throws(DeltaError) {
    guard frames.isAtEnd else { throw .truncated(at: frames.position) }
    guard reader.isFinished || isFirst, completed == head.newSize else { throw .badSection(at: completed) }
  }

  /// Compares where a frame's section begins with what was done so far.
  private mutating func begin(_ frame: FrameHeader) throws(DeltaError) {
    if isFirst {
      guard frame.start == nil ? completed == 0 : frame.start == completed else {
        throw .badFrame(at: frames.offset)
      }
      isFirst = false
      try reader.start(frame, at: completed)
      return
    }
    guard let start = frame.start else {
      guard !reader.isFinished, !frame.isSorted else { throw .badFrame(at: frames.offset) }
      return
    }
    guard reader.isFinished, start == completed, start > sectionStart, start < head.newSize else {
      throw .badFrame(at: frames.offset)
    }
    try reader.start(frame, at: start)
    blocks.startSection()
    sectionStart = start
  }

  /// Decodes the frame's payload and executes each block as soon as it is whole.
  private mutating func execute<Files: PatchFiles & ~Copyable>(_ files: inout Files) throws(DeltaError) {
    var taken = 0
    while try reader.readBlock(from: frames.payload, taken: &taken, at: completed) {
      try blocks.execute(reader.block, files: &files)
    }
    if reader.isFinished { try blocks.endSection(&files) }
  }
}
