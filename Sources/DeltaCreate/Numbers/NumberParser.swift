internal import PatchFormat

/// Makes operations of covers: where the new file holds numbers, it tells them as such, or finds lines again.
struct NumberParser {
  private let old: UnsafeBufferPointer<UInt8>
  private let new: UnsafeBufferPointer<UInt8>
  private let oldBase: UnsafeRawPointer
  private let newBase: UnsafeRawPointer
  private let runs: [NumberRun]
  private let oldLines: LineIndex

  /// Neither file may be empty; both have to outlive the parser.
  init?(old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>) {
    guard let newBase = new.baseAddress else { return nil }
    self.old = old
    self.new = new
    self.newBase = UnsafeRawPointer(newBase)
    oldBase = UnsafeRawPointer(old.baseAddress ?? newBase)
    var runs: [NumberRun] = []
    NumberFinder(new).forEachRun { runs.append($0) }
    guard !runs.isEmpty else { return nil }
    self.runs = runs
    var oldRuns: [NumberRun] = []
    if !old.isEmpty { NumberFinder(old).forEachRun { oldRuns.append($0) } }
    var lines = LineIndex(old, numbers: oldRuns.reduce(0) { $0 + $1.count })
    for run in oldRuns {
      for place in stride(from: run.start, through: run.end - 32, by: 8) { lines.insert(place) }
    }
    oldLines = lines
  }

  /// The operations that make the new file as the covers do, but for the numbers.
  func operations(_ covers: [Cover]) -> [ScriptOperation] {
    var parse = Parse(covers: covers, newLines: LineIndex(new, numbers: runs.reduce(0) { $0 + $1.count }))
    for run in runs {
      parse.copyCovers(upTo: run.start)
      self.parse(run, &parse)
    }
    parse.copyCovers(upTo: new.count)
    return parse.operations
  }

  private func parse(_ run: NumberRun, _ parse: inout Parse) {
    var place = run.start
    var inserted = run.start
    while place < run.end {
      while inserted + 32 <= min(place, run.end) {
        parse.newLines.insert(inserted)
        inserted += 8
      }
      if let best = best(at: place, run, &parse), best.length >= shortest(best, parse) {
        parse.append(best)
        place = best.end
      } else {
        parse.append(number(at: place, run))
        place += 8
      }
    }
    while inserted + 32 <= run.end {
      parse.newLines.insert(inserted)
      inserted += 8
    }
    parse.skip(to: run.end)
  }

  private func number(at place: Int, _ run: NumberRun) -> ScriptOperation {
    let numbers = NumberCoding(decimals: run.decimals, stride: run.stride, base: .history)
    return ScriptOperation(kind: .numbers(numbers), new: place, source: 0, length: 8)
  }

  /// The fewest bytes that are worth a copy: going on with what was copied before costs next to nothing.
  private func shortest(_ operation: ScriptOperation, _ parse: Parse) -> Int {
    if let last = parse.operations.last, last.isContinued(by: operation) { return 8 }
    return NumberParser.shortestLine
  }

  // MARK: - Candidates

  /// The longest copy of the bytes from `place` to the end of the run.
  private func best(at place: Int, _ run: NumberRun, _ parse: inout Parse) -> ScriptOperation? {
    var best: ScriptOperation?
    func consider(_ kind: PatchOperation, _ source: Int, _ length: Int) {
      if length > best?.length ?? 0 {
        best = ScriptOperation(kind: kind, new: place, source: source, length: length)
      }
    }
    if let source = parse.source(of: place) {
      let limit = min(run.end - place, old.count - source)
      consider(.copyOld, source, equal(oldBase + source, place, limit) / 8 * 8)
      if let best, best.end == run.end { return best }
    }
    guard place + 32 <= run.end else { return best }
    let first = LineIndex.load(newBase, place)
    let second = LineIndex.load(newBase, place + 16)
    oldLines.forEachPlace(of: first, second) { source in
      consider(
        .copyOld, source, equal(oldBase + source, place, min(run.end - place, old.count - source)) / 8 * 8)
    }
    parse.newLines.forEachPlace(of: first, second) { source in
      consider(.copyNew, source, equal(newBase + source, place, min(run.end - place, place - source)) / 8 * 8)
    }
    oldLines.forEachPlace(of: second, first) { source in
      consider(.copyOldReversed(unit: 2), source + 16, reversed(oldBase, source + 16, place, run.end))
    }
    parse.newLines.forEachPlace(of: second, first) { source in
      consider(.copyNewReversed(unit: 2), source + 16, reversed(newBase, source + 16, place, run.end))
    }
    return best
  }

  private func equal(_ source: UnsafeRawPointer, _ place: Int, _ limit: Int) -> Int {
    equalBytes(
      source.assumingMemoryBound(to: UInt8.self), (newBase + place).assumingMemoryBound(to: UInt8.self),
      atMost: limit)
  }

  /// How many bytes from `place` are the points that end with the one at `source`, in the other direction.
  private func reversed(_ base: UnsafeRawPointer, _ source: Int, _ place: Int, _ end: Int) -> Int {
    var length = 0
    while place + length + 16 <= end, source - length >= 0,
      LineIndex.load(base, source - length) == LineIndex.load(newBase, place + length)
    {
      length += 16
    }
    return length
  }

  /// Two points: an operation costs about as much as one and a half.
  private static var shortestLine: Int { 32 }
}

/// What was made of the new file so far.
private struct Parse {
  private let covers: [Cover]
  private var next = 0
  /// The first cover that does not end before the place that was asked for last.
  private var asked = 0
  private var completed = 0
  private(set) var operations: [ScriptOperation] = []
  var newLines: LineIndex

  init(covers: [Cover], newLines: LineIndex) {
    self.covers = covers
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

  /// Takes over the covers as far as they lie before `end`.
  mutating func copyCovers(upTo end: Int) {
    while next < covers.count && covers[next].new < end {
      let cover = covers[next]
      let from = max(cover.new, completed)
      let to = min(cover.new + cover.length, end)
      if from < to {
        append(
          ScriptOperation(kind: .copyOld, new: from, source: cover.old + from - cover.new, length: to - from))
      }
      if cover.new + cover.length > end { break }
      next += 1
    }
    completed = end
  }

  /// Leaves out what the covers make of the new file up to `end`.
  mutating func skip(to end: Int) {
    while next < covers.count && covers[next].new + covers[next].length <= end { next += 1 }
    completed = end
  }

  /// Where the covers take the byte at `place` from; nil if from nowhere.
  ///
  /// Places are asked for in ascending order: each cover is passed over once.
  mutating func source(of place: Int) -> Int? {
    while asked < covers.count && covers[asked].new + covers[asked].length <= place { asked += 1 }
    guard asked < covers.count, covers[asked].new <= place else { return nil }
    return covers[asked].old + place - covers[asked].new
  }
}

extension ScriptOperation {
  /// Whether `operation` goes on where this one ends, in the source as well.
  fileprivate func isContinued(by operation: ScriptOperation) -> Bool {
    guard kind == operation.kind, end == operation.new else { return false }
    switch kind {
    case .copyOld, .resumeOld: return source + length == operation.source
    // All of it must be made before its first byte is.
    case .copyNew: return source + length == operation.source && operation.source + operation.length <= new
    case .copyOldReversed, .copyNewReversed: return source - length == operation.source
    case .numbers: return true
    }
  }

  fileprivate func extended(by operation: ScriptOperation) -> ScriptOperation {
    ScriptOperation(kind: kind, new: new, source: source, length: length + operation.length)
  }
}
