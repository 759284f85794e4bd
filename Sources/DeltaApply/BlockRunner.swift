/// Executes blocks: makes the bytes of the new file that each of them describes.
struct BlockRunner: ~Copyable {
  private let oldSize: UInt64
  private var window: OldWindow
  private var output: NewFileBuffer
  /// Where the last cover ended in the old file.
  private var oldOffset: UInt64 = 0

  init(oldSize: UInt64, completed: UInt64) {
    self.oldSize = oldSize
    window = OldWindow(size: oldSize, capacity: PatchLimits.window)
    output = NewFileBuffer(capacity: PatchLimits.output, completed: completed)
  }

  /// The bytes of the new file so far.
  var completed: UInt64 { output.completed }

  /// Forgets what earlier blocks left behind, as a restart point asks for.
  mutating func startSection() { oldOffset = 0 }

  /// Writes what was made so far.
  mutating func flush(_ write: WriteNewFile) throws(DeltaError) { try output.flush(write) }

  /// Executes the whole block that `assembly` has, whose header is `header`.
  mutating func run(
    _ header: BlockHeader, in assembly: borrowing BlockAssembly, _ read: ReadOldFile, _ write: WriteNewFile
  ) throws(DeltaError) {
    let begin = completed
    let bytes = assembly.bytes
    var streams = BlockStreams(header)
    var left = header.newSize
    while streams.covers.remaining > 0 {
      guard let extra = streams.covers.number(in: bytes), let step = streams.covers.number(in: bytes),
        let length = streams.covers.number(in: bytes), extra <= UInt64(streams.extras.remaining),
        extra <= left
      else { throw .badBlock(at: begin) }
      try copyExtras(Int(extra), bytes, &streams.extras, write)
      left -= extra
      guard length > 0, length <= left else { throw .badBlock(at: begin) }
      try move(by: Varint.unfolded(step), length: length)
      try copyCover(length, bytes, &streams, read, write)
      left -= length
    }
    guard left == UInt64(streams.extras.remaining) else { throw .badBlock(at: begin) }
    try copyExtras(streams.extras.remaining, bytes, &streams.extras, write)
    guard streams.areUsedUp else { throw .badBlock(at: begin) }
  }

  /// Goes to the beginning of a cover, which must lie within the old file.
  private mutating func move(by step: Int64, length: UInt64) throws(DeltaError) {
    // Neither overflows: a step is less than 2^62 either way and a file at most 2^48.
    let (start, overflow) = Int64(oldOffset).addingReportingOverflow(step)
    guard !overflow, start >= 0, UInt64(start) < oldSize, length <= oldSize - UInt64(start) else {
      throw .outsideOldFile(at: completed)
    }
    oldOffset = UInt64(start)
  }

  private mutating func copyExtras(
    _ count: Int, _ bytes: Span<UInt8>, _ extras: inout StreamCursor, _ write: WriteNewFile
  ) throws(DeltaError) {
    var left = count
    while left > 0 {
      if output.room == 0 { try output.flush(write) }
      let piece = min(left, output.room)
      output.append(bytes.extracting(extras.offset..<extras.offset + piece))
      extras.advance(by: piece)
      left -= piece
    }
  }

  private mutating func copyCover(
    _ length: UInt64, _ bytes: Span<UInt8>, _ streams: inout BlockStreams, _ read: ReadOldFile,
    _ write: WriteNewFile
  ) throws(DeltaError) {
    var left = length
    while left > 0 {
      if output.room == 0 { try output.flush(write) }
      let limit = Int(min(left, UInt64(output.room)))
      let piece = try window.prepare(from: oldOffset, atMost: limit, read)
      guard output.append(window, from: oldOffset, piece, adding: &streams, in: bytes) else {
        throw .badBlock(at: completed)
      }
      oldOffset += UInt64(piece)
      left -= UInt64(piece)
    }
  }
}
