internal import PatchFormat

/// Finds out what a patch reads of the old file, from its instructions alone, and authenticates all of them.
///
/// Nothing is copied, inflated or made: the operations are only followed as far as it takes to know where they read
/// (`BlockExecutor` says what they make).
package struct ReadScan: ~Copyable {
  private var reader: PatchReader
  private let block: UInt64
  /// Nil until the head is known.
  private var follower: OperationFollower?

  /// - `block`: what the file system can give back at a time, in bytes.
  package init(_ expectation: PatchExpectation, memoryLimit: UInt64, block: UInt64) throws(DeltaError) {
    reader = try PatchReader(expectation, from: nil, memoryLimit: memoryLimit)
    self.block = block
  }

  /// Takes the next piece of the patch, of any size.
  package mutating func consume(_ bytes: RawSpan) throws(DeltaError) {
    var taken = 0
    while let event = try reader.next(bytes, taken: &taken, completed: follower?.completed ?? 0) {
      switch event {
      case .head(let head): follower = OperationFollower(head, block: block)
      case .frame(.sectionStarted): follower?.startSection()
      case .frame(.block): try ReadScan.follow(reader, with: &follower)
      case .frame(.sectionEnded(let next)): try follower?.endSection(isLast: next == nil)
      }
    }
  }

  /// Ends the patch: all of it is authentic if this does not throw.
  package consuming func finish() throws(DeltaError) -> LastReads {
    guard let follower else { throw .truncated(at: reader.position) }
    try reader.finish(completed: follower.completed)
    return follower.reads
  }

  /// Reads one part of `self` and changes another, which a method cannot.
  private static func follow(
    _ reader: borrowing PatchReader, with follower: inout OperationFollower?
  ) throws(DeltaError) {
    try reader.withBlock { (block) throws(DeltaError) in try follower?.follow(block.bytes) }
  }
}

/// Follows the operations of blocks: where each of them reads the old file, and how far the new one has come.
private struct OperationFollower {
  private let head: PatchHead
  private(set) var reads: LastReads
  private var position = OutputPosition()
  private var section = SectionState()
  /// The bytes outside streams that come before the next stream; nil if the block has no more streams.
  private var gap: UInt64?
  /// The bytes that are missing from the content of a stream; nil outside of a stream.
  private var contentLeft: UInt64?

  init(_ head: PatchHead, block: UInt64) {
    self.head = head
    reads = LastReads(oldSize: head.oldSize, newSize: head.newSize, block: block)
  }

  /// The bytes of the new file so far.
  var completed: UInt64 { position.offset }

  mutating func startSection() { section = SectionState() }

  mutating func endSection(isLast: Bool) throws(DeltaError) {
    if contentLeft == 0 { contentLeft = nil }
    if contentLeft == nil { position.placeAround(0) }
    guard contentLeft == nil, position.isClear, gap == nil else { throw .badSection(at: completed) }
    if !isLast { reads.endSection(at: completed) }
  }

  mutating func follow(_ block: Span<UInt8>) throws(DeltaError) {
    guard var columns = BlockColumns(parsing: block) else { throw damaged }
    if contentLeft == nil { gap = try nextGap(&columns, in: block) }
    while columns[.copies].remaining > 0 {
      guard let operation = columns.nextOperation(in: block),
        let record = CopyRecord(parsing: &columns[.copies], in: block, of: operation),
        record.literalCount <= UInt64(columns[.literals].remaining)
      else { throw damaged }
      try placeLiterals(Int(record.literalCount), from: &columns, in: block)
      try advance(&columns, in: block)
      try place(operation, record)
    }
    try placeLiterals(columns[.literals].remaining, from: &columns, in: block)
    guard gap == nil else { throw damaged }
  }

  private var damaged: DeltaError { .badBlock(at: position.offset) }

  /// Bytes that can be placed before a stream begins or ends.
  private var room: UInt64 {
    contentLeft ?? min(gap ?? .max, head.newSize - min(position.offset, head.newSize))
  }

  private mutating func place(_ count: UInt64) throws(DeltaError) {
    guard count <= room else { throw damaged }
    if let left = contentLeft {
      contentLeft = left - count
    } else {
      position.placeAround(count)
      if let left = gap { gap = left - count }
    }
  }

  /// Places literals, among which streams may begin and end.
  private mutating func placeLiterals(
    _ count: Int, from columns: inout BlockColumns, in block: Span<UInt8>
  ) throws(DeltaError) {
    var left = count
    while left > 0 {
      try advance(&columns, in: block)
      let piece = Int(min(UInt64(left), room))
      guard piece > 0 else { throw damaged }
      try place(UInt64(piece))
      columns[.literals].advance(by: piece)
      left -= piece
    }
  }

  /// Places what an operation makes, and notes what it reads of the old file: in a stream, that is what the stream says.
  private mutating func place(_ operation: PatchOperation, _ record: CopyRecord) throws(DeltaError) {
    let unit = UInt64(operation.unitSize)
    let (size, isTooLarge) = record.count.multipliedReportingOverflow(by: unit)
    guard !isTooLarge else { throw damaged }
    if let delta = record.delta {
      guard let start = section.copies.start(delta, for: operation), start <= PatchLimits.maximumFile else {
        throw .outsideSource(at: position.offset)
      }
      // A reversed copy starts with its last unit.
      let before = unit > 1 ? size - unit : 0
      guard before <= start else { throw .outsideSource(at: position.offset) }
      if operation.source == .old && contentLeft == nil {
        guard start - before <= head.oldSize, size <= head.oldSize - (start - before) else {
          throw .outsideSource(at: position.offset)
        }
        reads.read(start - before, count: size)
      }
      section.copies.finish(operation, from: start, count: record.count)
    }
    try place(size)
  }

  // MARK: - Streams

  /// The gap before the next stream, if the column of targets has another one.
  private func nextGap(_ columns: inout BlockColumns, in block: Span<UInt8>) throws(DeltaError) -> UInt64? {
    guard columns[.targets].remaining > 0 else { return nil }
    guard let gap = DeflateTarget.gap(&columns[.targets], in: block) else { throw damaged }
    return gap
  }

  /// Ends and begins streams until there is room for bytes.
  private mutating func advance(_ columns: inout BlockColumns, in block: Span<UInt8>) throws(DeltaError) {
    while true {
      if contentLeft == 0 {
        contentLeft = nil
        section.endStream()
        gap = try nextGap(&columns, in: block)
      } else if contentLeft == nil && gap == 0 {
        try beginStream(&columns, in: block)
      } else {
        if contentLeft == nil { position.placeAround(0) }
        return
      }
    }
  }

  private mutating func beginStream(
    _ columns: inout BlockColumns, in block: Span<UInt8>
  ) throws(DeltaError) {
    position.placeAround(0)
    guard
      let target = DeflateTarget(parsing: &columns[.targets], in: block, at: position.offset, head: head)
    else { throw damaged }
    for extent in target.destinations {
      guard position.reserve(extent) else { throw damaged }
    }
    do throws(ExtentChain.ParseError) {
      for _ in 0..<(target.source?.extentCount ?? 0) {
        let extent = try section.sources.next(&columns[.targets], in: block, within: 0..<head.oldSize)
        reads.read(extent.start, count: extent.size)
      }
    } catch { throw damaged }
    gap = nil
    contentLeft = target.madeSize
    section.beginStream()
  }
}
