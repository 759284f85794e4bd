internal import DeltaApply
package import PatchFormat
internal import Platform

/// The contents of a patch, summed up over all its blocks.
package struct PatchContents: Sendable {
  /// A column of all blocks together.
  package struct Column: Sendable {
    package let column: BlockColumn
    /// Bytes before compression.
    package let size: UInt64
    /// Bytes that it would take if it were compressed alone.
    package let packedSize: UInt64
  }

  /// The kinds of operations that are told apart.
  package enum Kind: CaseIterable, Sendable {
    case copyOld, copyNew, copyOldReversed, copyNewReversed, numbers

    init(_ operation: PatchOperation) {
      self =
        switch operation {
        case .copyOld, .resumeOld: .copyOld
        case .copyNew: .copyNew
        case .copyOldReversed: .copyOldReversed
        case .copyNewReversed: .copyNewReversed
        case .numbers: .numbers
        }
    }
  }

  /// Operations of one kind.
  package struct Operations: Sendable {
    package let kind: Kind
    package fileprivate(set) var count: UInt64 = 0
    /// Bytes that they make, of the new file or of the contents of its streams.
    package fileprivate(set) var bytes: UInt64 = 0
  }

  /// Deflate streams of the new file, which are rebuilt from their contents.
  package struct Streams: Equatable, Sendable {
    package private(set) var count: UInt64 = 0
    /// Bytes of the streams, in the new file.
    package private(set) var bytes: UInt64 = 0
    /// Bytes of their contents.
    package private(set) var contentBytes: UInt64 = 0

    mutating func add(_ target: DeflateTarget) {
      count += 1
      bytes += target.destinations.reduce(0) { $0 + $1.size }
      contentBytes += target.contentSize
    }

    static func + (a: Streams, b: Streams) -> Streams {
      Streams(
        count: a.count + b.count, bytes: a.bytes + b.bytes, contentBytes: a.contentBytes + b.contentBytes)
    }
  }

  package let columns: [Column]
  package let operations: [Operations]
  /// Streams whose contents are made from those of old ones.
  package let streamsFromOld: Streams
  /// Streams whose contents are made without the old file.
  package let streamsWithoutOld: Streams
  /// Streams that zlib does not make, with or without old ones.
  package let streamsWithGuide: Streams
  package let blocks: UInt64

  /// All streams that are rebuilt.
  var rebuiltStreams: Streams { streamsFromOld + streamsWithoutOld + streamsWithGuide }

  /// The bytes of memory that decoding takes at most: an encoder for each column, twelve times its dictionary.
  static var memoryNeeded: Int { BlockColumn.allCases.count * 12 * Int(ColumnMeter.largestDictionary) }

  /// Decodes every section of a patch; each frame is authenticated before.
  package init(of path: String) throws(PublisherError) {
    do throws(DeltaError) {
      let patch = try PatchInspection.open(path)
      let opening = try PatchOpening(readingFrom: patch)
      var reader = SectionReader(opening.head.shape)
      var isFirst = true
      var tally = try Tally(opening.head)
      try opening.forEachFrame(of: patch) { (frame) throws(DeltaError) in
        if isFirst || frame.header.start != nil {
          try reader.start(frame.header, at: tally.made)
          tally.streams.startSection()
        } else if frame.header.isSorted {
          throw .badSection(at: tally.made)
        }
        isFirst = false
        var taken = 0
        while try reader.readBlock(from: frame.payload.span.bytes, taken: &taken, at: tally.made) {
          try tally.count(reader.block.bytes)
        }
      }
      guard reader.isFinished || opening.head.newSize == 0 else { throw .badSection(at: tally.made) }
      operations = tally.operations
      blocks = tally.blocks
      streamsFromOld = tally.streams.fromOld
      streamsWithoutOld = tally.streams.withoutOld
      streamsWithGuide = tally.streams.withGuide
      columns = try tally.columns()
    } catch {
      if case .file(let error) = error { throw .file(error) }
      throw .inspection(.damagedPatch(path: path, error))
    }
  }

  /// Counts what blocks consist of.
  private struct Tally {
    private let meters: [ColumnMeter]
    private(set) var operations = Kind.allCases.map { Operations(kind: $0) }
    private(set) var blocks: UInt64 = 0
    var streams: StreamCounter

    init(_ head: PatchHead) throws(DeltaError) {
      var meters: [ColumnMeter] = []
      for _ in BlockColumn.allCases {
        meters.append(try ColumnMeter(dictionarySize: head.shape.dictionarySize))
      }
      self.meters = meters
      streams = StreamCounter(head)
    }

    /// Bytes that the blocks so far make.
    var made: UInt64 {
      operations.reduce(meters[BlockColumn.literals.rawValue].size) { $0.saturatingSum($1.bytes) }
    }

    mutating func count(_ block: Span<UInt8>) throws(DeltaError) {
      guard let layout = BlockLayout(parsing: block) else { throw .badBlock(at: made) }
      let madeBefore = made
      blocks += 1
      for column in BlockColumn.allCases {
        try meters[column.rawValue].add(block.extracting(layout[column]).bytes)
      }
      var column = OperationColumn(layout)
      var copies = ByteCursor(layout[.copies])
      while copies.remaining > 0 {
        guard let operation = column.next(in: block),
          let record = CopyRecord(parsing: &copies, in: block, of: operation)
        else { throw .badBlock(at: made) }
        add(record, of: operation)
      }
      guard column.remaining == 0 else { throw .badBlock(at: made) }
      try streams.count(layout, of: block, made: made - madeBefore)
    }

    private mutating func add(_ record: CopyRecord, of operation: PatchOperation) {
      let (bytes, isTooLarge) = record.count.multipliedReportingOverflow(by: UInt64(operation.unitSize))
      for index in operations.indices where operations[index].kind == Kind(operation) {
        operations[index].count += 1
        operations[index].bytes = operations[index].bytes.saturatingSum(isTooLarge ? .max : bytes)
      }
    }

    /// All columns, after the last block.
    func columns() throws(DeltaError) -> [Column] {
      var columns: [Column] = []
      for (column, meter) in zip(BlockColumn.allCases, meters) {
        columns.append(Column(column: column, size: meter.size, packedSize: try meter.finish()))
      }
      return columns
    }
  }
}
