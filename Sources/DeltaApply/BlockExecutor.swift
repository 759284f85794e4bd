internal import PatchFormat

/// Executes blocks: makes the bytes of the new file that each of them describes.
///
/// The state of a section is reset by `startSection()`; everything else lasts for the whole patch.
struct BlockExecutor: ~Copyable {
  let head: PatchHead
  var old = SourceWindow(capacity: BufferSizes.window)
  var new = SourceWindow(capacity: BufferSizes.newWindow)
  var output = OutputBuffer(capacity: BufferSizes.output)
  /// Where the next byte of the new file goes that is in no stream.
  var position: OutputPosition
  /// The bytes of the new file and of contents that were made in this run.
  var made: UInt64 = 0
  var section = SectionState()

  // Deflate streams, `BlockExecutor+Streams.swift`.
  /// Nil if the patch has no streams.
  var rebuilder: StreamRebuilder?
  /// The bytes outside streams that are to be made before the next stream; nil if the block has no more streams.
  var gap: UInt64?
  /// The bytes that are missing from the content that is being made; nil outside of a stream.
  var contentLeft: UInt64?

  /// - `completed`: bytes of the new file that are complete.
  init(_ head: PatchHead, completed: UInt64) throws(DeltaError) {
    position = OutputPosition(completed)
    if head.shape.maximumContent > 0 {
      rebuilder = try StreamRebuilder(maximumContent: head.shape.maximumContent)
      position.reserveCapacity()
    }
    self.head = head
  }

  /// The first offset of the new file that is neither written nor in a stream.
  var written: UInt64 { contentLeft == nil ? position.offset - UInt64(output.count) : position.offset }

  // MARK: - Sections

  /// Resets what earlier sections left, so that applying can resume at this one.
  mutating func startSection() {
    section = SectionState()
    output.startSection()
  }

  /// Writes everything that was made; no stream or reserved extent may be left.
  mutating func endSection(_ files: any PatchFiles) throws(DeltaError) {
    while true {
      if contentLeft == 0 {
        try endStream(files)
      } else if contentLeft == nil && position.isAtReserved {
        try skipReserved(files)
      } else {
        break
      }
    }
    try flush(files)
    guard contentLeft == nil, position.isClear, gap == nil else {
      throw .badSection(at: position.offset)
    }
  }

  // MARK: - Blocks

  /// Executes a whole block.
  mutating func execute(_ assembly: borrowing BlockAssembly, files: any PatchFiles) throws(DeltaError) {
    let begin = position.offset
    let madeBefore = made
    let block = assembly.bytes
    guard var columns = BlockColumns(parsing: block) else { throw .badBlock(at: begin) }
    if contentLeft == nil { try readGap(&columns, in: block) }
    while columns[.copies].remaining > 0 {
      guard let operation = columns.nextOperation(in: block),
        let record = CopyRecord(parsing: &columns[.copies], in: block, of: operation),
        record.literalCount <= UInt64(columns[.literals].remaining)
      else { throw .badBlock(at: begin) }
      try copyLiterals(Int(record.literalCount), from: &columns, in: block, files: files)
      try advance(&columns, in: block, files: files)
      try execute(operation, record: record, columns: &columns, in: block, files: files)
    }
    try copyLiterals(columns[.literals].remaining, from: &columns, in: block, files: files)
    // A block that makes nothing could be repeated without end.
    guard columns.areUsedUp, gap == nil, made > madeBefore else { throw .badBlock(at: begin) }
  }

  private mutating func execute(
    _ operation: PatchOperation, record: CopyRecord, columns: inout BlockColumns, in block: Span<UInt8>,
    files: any PatchFiles
  ) throws(DeltaError) {
    switch operation {
    case .copyOld, .copyNew, .resumeOld:
      try copy(operation, record: record, columns: &columns, in: block, files: files)
    case .copyOldReversed, .copyNewReversed:
      try copyReversed(operation, record: record, columns: &columns, in: block, files: files)
    case .numbers(let coding):
      try makeNumbers(coding, count: record.count, from: &columns, in: block, files: files)
    }
  }

  /// Passes on the collected bytes: to the file, or to the stream that is being made.
  mutating func flush(_ files: any PatchFiles) throws(DeltaError) {
    guard output.count > 0 else { return }
    if contentLeft == nil {
      try files.write(output.bytes, at: written)
    } else {
      try passContent(isLast: false, files: files)
    }
    output.removeAll()
  }
}
