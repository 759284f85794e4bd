internal import PatchFormat

/// Encodes copies and literals.
///
/// It holds what operations refer to: the files, the old file and the residual of the new one, or the contents of a
/// stream.
struct CopyEncoder {
  private let old: UnsafeBufferPointer<UInt8>
  private let new: UnsafeBufferPointer<UInt8>
  private let shortestPause: Int

  /// - `shortestPause`: as of the script.
  init(old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, shortestPause: Int) {
    self.old = old
    self.new = new
    self.shortestPause = shortestPause
  }

  func appendLiterals(upTo end: Int, to cutter: inout SectionCutter) {
    while cutter.completed < end {
      if cutter.room <= BlockWriter.largestOperation || cutter.outputLeft <= 0 { cutter.endBlock() }
      let fits = min(cutter.room - BlockWriter.largestOperation, cutter.outputLeft)
      let count = min(end - cutter.completed, fits)
      cutter.block.append(literals: new[cutter.completed..<cutter.completed + count])
      cutter.complete(count)
    }
  }

  /// Appends an operation that copies, and the literals before it.
  func append(_ operation: ScriptOperation, to cutter: inout SectionCutter) {
    guard operation.length > 0 else { return }
    appendLiterals(upTo: operation.new, to: &cutter)
    switch operation.operation {
    case .copyOld, .resumeOld: append(operation, differencesTo: old, to: &cutter)
    case .copyNew: append(operation, differencesTo: new, to: &cutter)
    case .copyOldReversed: appendReversed(operation, differencesTo: old, to: &cutter)
    case .copyNewReversed: appendReversed(operation, differencesTo: new, to: &cutter)
    case .numbers(let coding): NumberEncoder(new).append(coding, upTo: operation.end, to: &cutter)
    }
  }

  private func append(
    _ operation: ScriptOperation, differencesTo base: UnsafeBufferPointer<UInt8>,
    to cutter: inout SectionCutter
  ) {
    cutter.makeRoom(for: 2 * BlockWriter.largestOperation)
    var begin = 0  // of the part that goes to this block
    var index = 0
    while index < operation.length {
      let left = cutter.outputLeft - (index - begin)
      let fits = cutter.room - BlockWriter.largestOperation - BlockWriter.largestRun
      if left <= 0 || fits <= 0 {
        endCopy(operation, range: begin..<index, in: &cutter)
        cutter.endBlock()
        begin = index
        continue
      }
      let equal = equalRun(operation, at: index, atMost: min(left, operation.length - index), base: base)
      cutter.block.append(equal: equal)
      index += equal
      let different = differentRun(
        operation, at: index, atMost: min(left - equal, fits, operation.length - index), base: base)
      guard different > 0 else { continue }
      cutter.block.append(
        differences: (index..<index + different).lazy.map {
          new[operation.new + $0] &- base[operation.source + $0]
        })
      index += different
    }
    endCopy(operation, range: begin..<operation.length, in: &cutter)
  }

  /// Writes the record of the part of a copy that this block has.
  private func endCopy(_ operation: ScriptOperation, range: Range<Int>, in cutter: inout SectionCutter) {
    guard !range.isEmpty else { return }
    append(operation.operation, from: operation.source + range.lowerBound, count: range.count, to: &cutter)
    cutter.complete(range.count)
  }

  /// Appends a copy of units in reverse order, and the differences to them if it has any.
  private func appendReversed(
    _ operation: ScriptOperation, differencesTo base: UnsafeBufferPointer<UInt8>,
    to cutter: inout SectionCutter
  ) {
    let unit = operation.operation.unitSize
    cutter.makeRoom(for: 2 * BlockWriter.largestOperation)
    var begin = 0  // of the part that goes to this block
    if operation.operation.hasDifferences {
      for start in stride(from: 0, to: operation.length, by: unit) {
        if cutter.room < BlockWriter.largestOperation + BlockWriter.largestRun + 3 * unit {
          endReversed(operation, range: begin..<start, in: &cutter)
          cutter.endBlock()
          begin = start
        }
        appendUnit(operation, at: start, differencesTo: base, to: &cutter)
      }
    }
    endReversed(operation, range: begin..<operation.length, in: &cutter)
  }

  /// Writes the record of the part of a reversed copy that this block has.
  private func endReversed(_ operation: ScriptOperation, range: Range<Int>, in cutter: inout SectionCutter) {
    guard !range.isEmpty else { return }
    append(
      operation.operation, from: operation.source - range.lowerBound,
      count: range.count / operation.operation.unitSize, to: &cutter)
    cutter.complete(range.count)
  }

  /// Appends the runs and differences of the unit at `start`.
  private func appendUnit(
    _ operation: ScriptOperation, at start: Int, differencesTo base: UnsafeBufferPointer<UInt8>,
    to cutter: inout SectionCutter
  ) {
    let (source, made) = (operation.source - start, operation.new + start)
    let unit = operation.operation.unitSize
    var index = 0
    while index < unit {
      var next = index
      while next < unit && base[source + next] == new[made + next] { next += 1 }
      cutter.block.append(equal: next - index)
      index = next
      while next < unit && base[source + next] != new[made + next] { next += 1 }
      if next > index {
        cutter.block.append(
          differences: (index..<next).lazy.map { new[made + $0] &- base[source + $0] })
      }
      index = next
    }
  }

  /// Writes a record, relative to whichever cursor makes it shorter.
  private func append(
    _ operation: PatchOperation, from source: Int, count: Int, to cutter: inout SectionCutter
  ) {
    let cursors = cutter.state.copies
    var operation = operation
    if operation == .copyOld
      && CopyEncoder.size(cursors, to: source, for: .resumeOld)
        < CopyEncoder.size(cursors, to: source, for: .copyOld)
    {
      operation = .resumeOld
    }
    cutter.block.append(operation, delta: cursors.delta(to: UInt64(source), for: operation), count: count)
    cutter.state.copies.finish(operation, from: UInt64(source), count: UInt64(count))
  }

  private static func size(_ cursors: CopyCursors, to source: Int, for operation: PatchOperation) -> Int {
    Varint.size(of: Varint.zigzag(cursors.delta(to: UInt64(source), for: operation)))
  }

  private func equalRun(
    _ operation: ScriptOperation, at index: Int, atMost limit: Int, base: UnsafeBufferPointer<UInt8>
  ) -> Int {
    guard let base = base.baseAddress, let new = new.baseAddress else { return 0 }
    return equalBytes(base + operation.source + index, new + operation.new + index, atMost: limit)
  }

  /// How many bytes differ, with the equal ones between them that are no pause.
  private func differentRun(
    _ operation: ScriptOperation, at index: Int, atMost limit: Int, base: UnsafeBufferPointer<UInt8>
  ) -> Int {
    var count = 0
    var equal = 0
    while count + equal < limit && equal < shortestPause {
      let offset = index + count + equal
      if base[operation.source + offset] == new[operation.new + offset] {
        equal += 1
      } else {
        count += equal + 1
        equal = 0
      }
    }
    return count
  }
}
