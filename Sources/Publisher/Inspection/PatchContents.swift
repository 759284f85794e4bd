internal import Codec
internal import DeltaApply
package import PatchFormat
internal import Platform

/// What a patch consists of, summed up over all its blocks.
package struct PatchContents: Sendable {
  /// A column of all blocks together.
  package struct Column: Sendable {
    package let column: BlockColumn
    /// Bytes before compression.
    package let size: UInt64
    /// Bytes that it would take if it were compressed alone.
    package let packedSize: UInt64
  }

  /// Operations of one kind.
  package struct Operations: Sendable {
    package let kind: OperationKind
    package fileprivate(set) var count: UInt64 = 0
    /// Bytes that they make, of the new file or of the contents of its streams.
    package fileprivate(set) var bytes: UInt64 = 0
  }

  package let columns: [Column]
  package let operations: [Operations]
  package let blocks: UInt64

  /// Decodes every section of a patch.
  ///
  /// - `inspection`: of the same file, which was found to be whole.
  package init(of path: String, inspection: PatchInspection) throws(PublisherError) {
    do throws(DeltaError) {
      var counter = try BlockCounter(inspection.head)
      try PatchContents.forEachFrame(of: path, inspection: inspection) { (frame) throws(DeltaError) in
        if frame.header.start != nil { try counter.beginSection() }
        try counter.add(frame.payload)
      }
      operations = counter.operations
      blocks = counter.blocks
      columns = try counter.columns()
    } catch {
      if case .file(let error) = error { throw .file(error) }
      throw .inspection(.damagedPatch(path: path, error))
    }
  }

  private static func forEachFrame(
    of path: String, inspection: PatchInspection, _ body: (PatchFrame) throws(DeltaError) -> Void
  ) throws(DeltaError) {
    let file: File
    do throws(FileError) { file = try File(opening: path) } catch { throw .file(error) }
    var offset = UInt64(inspection.head.encoded().count)
    for _ in 0..<inspection.frames {
      let frame = try PatchFrame(readingFrom: file, at: offset, head: inspection.head)
      try body(frame)
      offset += UInt64(frame.bytes.count)
    }
  }

  /// Counts what blocks consist of.
  private struct BlockCounter: ~Copyable {
    private var splitter: BlockSplitter
    private let meters: [ColumnMeter]
    private(set) var operations = OperationKind.allCases.map { Operations(kind: $0) }
    private(set) var blocks: UInt64 = 0

    init(_ head: PatchHead) throws(DeltaError) {
      let splitter = try BlockSplitter(head)
      var meters: [ColumnMeter] = []
      for _ in BlockColumn.allCases {
        meters.append(try ColumnMeter(dictionarySize: head.shape.dictionarySize))
      }
      self.splitter = splitter
      self.meters = meters
    }

    mutating func beginSection() throws(DeltaError) { try splitter.beginSection() }

    /// Takes the payload of the next frame.
    mutating func add(_ payload: ArraySlice<UInt8>) throws(DeltaError) {
      var rest = payload
      while let block = try splitter.next(from: &rest) { try count(block.span) }
    }

    /// All columns, after the last payload.
    func columns() throws(DeltaError) -> [Column] {
      guard splitter.isEmpty else { throw .badSection(at: made) }
      var columns: [Column] = []
      for (column, meter) in zip(BlockColumn.allCases, meters) {
        columns.append(Column(column: column, size: meter.size, packedSize: try meter.finish()))
      }
      return columns
    }

    private mutating func count(_ block: Span<UInt8>) throws(DeltaError) {
      guard let layout = BlockLayout(parsing: block) else { throw .badBlock(at: made) }
      blocks += 1
      for column in BlockColumn.allCases {
        try meters[column.rawValue].add(block.extracting(layout[column]).bytes)
      }
      var kinds = OperationColumn(layout)
      var copies = ByteCursor(layout[.copies])
      while copies.remaining > 0 {
        guard let operation = kinds.next(in: block),
          let record = CopyRecord(parsing: &copies, in: block, of: operation)
        else { throw .badBlock(at: made) }
        let (bytes, isTooLarge) = record.count.multipliedReportingOverflow(by: UInt64(operation.unitSize))
        let kind = OperationKind(operation).rawValue
        operations[kind].count += 1
        operations[kind].bytes = operations[kind].bytes.saturatingSum(isTooLarge ? .max : bytes)
      }
      guard kinds.remaining == 0 else { throw .badBlock(at: made) }
    }

    /// Bytes that the blocks so far make.
    private var made: UInt64 {
      operations.reduce(meters[BlockColumn.literals.rawValue].size) { $0.saturatingSum($1.bytes) }
    }
  }
}
