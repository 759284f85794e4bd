internal import PatchFormat

/// How far each column of a block was read.
struct BlockColumns {
  private var operations: ByteCursor
  var copies: ByteCursor
  private var runs: ByteCursor
  private var differences: ByteCursor
  var numbers: ByteCursor
  var targets: ByteCursor
  var literals: ByteCursor
  private let hasOperations: Bool
  /// What is left of the last run.
  private var run = DifferenceRun(equal: 0, different: 0)

  /// The columns of a whole block; nil if it contradicts itself.
  init?(parsing block: Span<UInt8>) {
    guard let layout = BlockLayout(parsing: block) else { return nil }
    operations = ByteCursor(layout[.operations])
    copies = ByteCursor(layout[.copies])
    runs = ByteCursor(layout[.runs])
    differences = ByteCursor(layout[.differences])
    numbers = ByteCursor(layout[.numbers])
    targets = ByteCursor(layout[.targets])
    literals = ByteCursor(layout[.literals])
    hasOperations = operations.remaining > 0
  }

  /// Whether nothing is left over.
  var areUsedUp: Bool {
    operations.remaining == 0 && copies.remaining == 0 && literals.remaining == 0 && runs.remaining == 0
      && differences.remaining == 0 && numbers.remaining == 0 && targets.remaining == 0 && run.equal == 0
      && run.different == 0
  }

  /// Takes the next operation; nil if the column has no more, or the format does not define it.
  mutating func nextOperation(in block: Span<UInt8>) -> PatchOperation? {
    guard hasOperations else { return .implied }
    guard let byte = operations.byte(in: block) else { return nil }
    return PatchOperation(byte)
  }

  /// Adds differences to the copied bytes in a part of `target`; false if the columns are contradictory.
  mutating func addDifferences(
    to target: inout MutableSpan<UInt8>, _ range: Range<Int>, in block: Span<UInt8>
  ) -> Bool {
    var index = range.lowerBound
    while index < range.upperBound {
      if run.equal == 0 && run.different == 0 {
        guard runs.remaining > 0 else { return true }  // the rest is equal
        guard let next = DifferenceRun(parsing: &runs, in: block),
          next.different <= UInt64(differences.remaining)
        else { return false }
        run = next
      }
      let skipped = Int(min(run.equal, UInt64(range.upperBound - index)))
      index += skipped
      run.equal -= UInt64(skipped)
      guard run.equal == 0 else { return true }
      let added = Int(min(run.different, UInt64(range.upperBound - index)))
      for offset in 0..<added { target[index + offset] &+= block[differences.offset + offset] }
      differences.advance(by: added)
      run.different -= UInt64(added)
      index += added
    }
    return true
  }
}
