internal import PatchFormat

/// How far each column of a block was read.
struct BlockColumns {
  private var operations: OperationColumn
  /// The columns by number; that of operations is in `operations`.
  private var cursors = [7 of ByteCursor](repeating: ByteCursor(0..<0))
  /// What is left of the last run.
  private var run = DifferenceRun(equal: 0, different: 0)

  /// The columns of a whole block; nil if it contradicts itself.
  init?(parsing block: Span<UInt8>) {
    guard let layout = BlockLayout(parsing: block) else { return nil }
    operations = OperationColumn(layout)
    for column in BlockColumn.allCases where column != .operations {
      cursors[column.rawValue] = ByteCursor(layout[column])
    }
  }

  subscript(column: BlockColumn) -> ByteCursor {
    get { cursors[column.rawValue] }
    set { cursors[column.rawValue] = newValue }
  }

  /// Whether nothing is left over.
  var areUsedUp: Bool {
    for column in BlockColumn.allCases where self[column].remaining > 0 { return false }
    return operations.remaining == 0 && run.equal == 0 && run.different == 0
  }

  /// Takes the next operation; nil if the column has no more, or the format does not define it.
  mutating func nextOperation(in block: Span<UInt8>) -> PatchOperation? { operations.next(in: block) }

  /// Adds differences to the copied bytes in a part of `target`; false if the columns are contradictory.
  mutating func addDifferences(
    to target: inout MutableSpan<UInt8>, range: Range<Int>, in block: Span<UInt8>
  ) -> Bool {
    var index = range.lowerBound
    while index < range.upperBound {
      if run.equal == 0 && run.different == 0 {
        guard self[.runs].remaining > 0 else { return true }  // the rest is equal
        guard let next = DifferenceRun(parsing: &self[.runs], in: block),
          next.different <= UInt64(self[.differences].remaining)
        else { return false }
        run = next
      }
      let skipped = Int(min(run.equal, UInt64(range.upperBound - index)))
      index += skipped
      run.equal -= UInt64(skipped)
      guard run.equal == 0 else { return true }
      let added = Int(min(run.different, UInt64(range.upperBound - index)))
      let first = self[.differences].offset
      for offset in 0..<added { target[index + offset] &+= block[first + offset] }
      self[.differences].advance(by: added)
      run.different -= UInt64(added)
      index += added
    }
    return true
  }
}
