internal import Codec

/// Makes the new file from the old one and a patch, while the patch is handed over piece by piece.
///
/// No byte is decoded before its frame was authenticated, and memory is constant: all of it is allocated at the
/// beginning, `PatchHead.memoryNeeded` bytes at most. The digests of the old and of the new file are the caller's
/// business. After an error the applier is of no more use; what was written up to the last restart point is.
package struct Applier: ~Copyable {
  private let head: PatchHead
  private var frames: FrameGatherer
  private var decoder: LZMA2Decoder
  private var assembly: BlockAssembly
  private var runner: BlockRunner
  /// The number of the next section, from 0.
  private var nextSection: UInt32
  /// The bytes of the new file that were complete where the section began; nil before the first.
  private var sectionStart: UInt64?

  /// Begins at `point`, at whose `containerOffset` the first byte for `consume` stands.
  ///
  /// The caller has checked the digest of `head`. More than `memoryLimit` bytes are refused before anything is
  /// allocated.
  package init(_ head: PatchHead, from point: RestartPoint, memoryLimit: UInt64) throws(DeltaError) {
    guard head.memoryNeeded <= memoryLimit else {
      throw .overMemory(needed: head.memoryNeeded, allowed: memoryLimit)
    }
    let frames = try FrameGatherer(head: head, from: point)
    let decoder: LZMA2Decoder
    do throws(CodecError) { decoder = try LZMA2Decoder(dictionarySize: head.dictionarySize) } catch {
      throw .codec(error)
    }
    self.head = head
    self.frames = frames
    self.decoder = decoder
    assembly = BlockAssembly(maximumBlock: head.maximumBlock)
    runner = BlockRunner(oldSize: head.old?.size ?? 0, completed: point.completed)
    nextSection = point.section
  }

  /// The bytes of the new file so far.
  package var completed: UInt64 { runner.completed }

  /// Takes the next piece of the patch, of any size.
  ///
  /// `read` is not called for a packed component. What `read` and `write` throw comes out here.
  package mutating func consume(
    _ bytes: RawSpan, read: ReadOldFile, write: WriteNewFile
  ) throws(DeltaError) {
    var taken = 0
    while taken < bytes.byteCount {
      taken += try frames.gather(bytes.extracting(taken...))
      guard let frame = frames.frame else { continue }
      try begin(frame)
      try execute(read, write)
      frames.next()
    }
  }

  /// Says that the patch has no more bytes; the new file is complete if this does not throw.
  package consuming func finish() throws(DeltaError) {
    guard frames.isAtEnd else { throw .truncated(at: frames.position) }
    guard nextSection == head.sectionCount, isBetweenSections, completed == head.new.size else {
      throw .badSection(nextSection)
    }
  }

  private var isBetweenSections: Bool { sectionStart == nil || decoder.isFinished }

  /// Checks what a frame says about its section against what was done so far.
  private mutating func begin(_ frame: FrameHeader) throws(DeltaError) {
    guard frame.startsSection else {
      guard sectionStart == frame.completed, !decoder.isFinished else { throw .badFrame(at: frames.offset) }
      return
    }
    guard isBetweenSections, nextSection < head.sectionCount else { throw .badSection(nextSection) }
    guard frame.completed == completed else { throw .badFrame(at: frames.offset) }
    if sectionStart != nil {
      do throws(CodecError) { try decoder.reset() } catch { throw .codec(error) }
    }
    runner.startSection()
    sectionStart = completed
    nextSection += 1
  }

  /// Decodes the frame's payload and executes each block as soon as it is whole.
  private mutating func execute(_ read: ReadOldFile, _ write: WriteNewFile) throws(DeltaError) {
    var taken = 0
    while true {
      let left = head.new.size - completed
      let input = frames.payload.extracting(taken...)
      let inputSize = input.byteCount
      let counts = try assembly.fill(from: &decoder, input, left: left, made: completed)
      taken += counts.read
      if let block = assembly.block {
        try runner.run(block, in: assembly, read, write)
        assembly.next()
      }
      if decoder.isFinished {
        guard counts.read == inputSize, assembly.isEmpty else { throw .badSection(nextSection - 1) }
        return try runner.flush(write)
      }
      if counts.read == 0 && counts.written == 0 {
        guard inputSize == 0 else { throw .codec(.corrupt) }
        return
      }
    }
  }
}
