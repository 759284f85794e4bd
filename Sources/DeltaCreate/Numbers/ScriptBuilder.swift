internal import PatchFormat

/// The script of the new file so far.
struct ScriptBuilder {
  private let copies: [Copy]
  private var next = 0
  /// The first copy that does not end before the offset of the last query.
  private var queried = 0
  private var completed = 0
  private(set) var operations: [ScriptOperation] = []
  var newLines: LineIndex

  init(copies: [Copy], newLines: LineIndex) {
    self.copies = copies
    self.newLines = newLines
  }

  /// Adds an operation, or makes the last one longer.
  mutating func append(_ operation: ScriptOperation) {
    if let last = operations.last, last.isContinued(by: operation) {
      operations[operations.count - 1] = last.extended(by: operation)
    } else {
      operations.append(operation)
    }
  }

  /// Adds the copies up to `end`.
  mutating func takeCopies(upTo end: Int) {
    while next < copies.count && copies[next].new < end {
      let copy = copies[next]
      let from = max(copy.new, completed)
      let to = min(copy.new + copy.length, end)
      if from < to {
        append(
          ScriptOperation(
            operation: .copyOld, new: from, source: copy.old + from - copy.new, length: to - from))
      }
      if copy.new + copy.length > end { break }
      next += 1
    }
    completed = end
  }

  /// Skips the copies up to `end`.
  mutating func skip(to end: Int) {
    while next < copies.count && copies[next].new + copies[next].length <= end { next += 1 }
    completed = end
  }

  /// Where the copies take the byte at `offset` from; nil for a literal.
  ///
  /// Queries are in ascending order, so each copy is skipped once.
  mutating func source(of offset: Int) -> Int? {
    while queried < copies.count && copies[queried].new + copies[queried].length <= offset { queried += 1 }
    guard queried < copies.count, copies[queried].new <= offset else { return nil }
    return copies[queried].old + offset - copies[queried].new
  }
}

extension ScriptOperation {
  /// Whether `operation` continues where this one ends, in the source as well.
  func isContinued(by operation: ScriptOperation) -> Bool {
    guard self.operation == operation.operation, end == operation.new else { return false }
    switch self.operation {
    case .copyOld, .resumeOld: return source + length == operation.source
    // All of it must be made before its first byte is.
    case .copyNew: return source + length == operation.source && operation.source + operation.length <= new
    case .copyOldReversed, .copyNewReversed: return source - length == operation.source
    case .numbers: return true
    }
  }

  func extended(by operation: ScriptOperation) -> ScriptOperation {
    ScriptOperation(operation: self.operation, new: new, source: source, length: length + operation.length)
  }
}
