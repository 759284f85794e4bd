internal import PatchFormat

/// The script of the new file so far.
struct ScriptBuilder {
  private let copies: [ScriptOperation]
  private var next = 0
  /// The first copy that does not end before the offset of the last query.
  private var queried = 0
  private var completed = 0
  private(set) var operations: [ScriptOperation] = []

  init(copies: [ScriptOperation]) { self.copies = copies }

  /// Adds an operation, or makes the last one longer.
  mutating func append(_ operation: ScriptOperation) { operations.join(operation) }

  /// Adds the copies up to `end`.
  mutating func takeCopies(upTo end: Int) {
    while next < copies.count && copies[next].new < end {
      let copy = copies[next]
      // Only whole units of a reversed copy can be taken.
      let unit = copy.operation.unitSize
      let from = copy.new + (max(copy.new, completed) - copy.new + unit - 1) / unit * unit
      let to = copy.new + (min(copy.end, end) - copy.new) / unit * unit
      if from < to { append(copy.part(from..<to)) }
      if copy.end > end { break }
      next += 1
    }
    completed = end
  }

  /// Skips the copies up to `end`.
  mutating func skip(to end: Int) {
    while next < copies.count && copies[next].end <= end { next += 1 }
    completed = end
  }

  /// Where a copy in the order of the old file takes the byte at `offset` from; nil for anything else.
  ///
  /// Queries are in ascending order, so each copy is skipped once.
  mutating func source(of offset: Int) -> Int? {
    while queried < copies.count && copies[queried].end <= offset { queried += 1 }
    guard queried < copies.count, copies[queried].new <= offset, copies[queried].operation == .copyOld else {
      return nil
    }
    return copies[queried].source + offset - copies[queried].new
  }
}

extension [ScriptOperation] {
  /// Adds an operation, or makes the last one longer.
  mutating func join(_ operation: ScriptOperation) {
    if let last, last.isContinued(by: operation) {
      self[count - 1] = last.extended(by: operation)
    } else {
      append(operation)
    }
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
