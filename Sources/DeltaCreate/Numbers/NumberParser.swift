internal import PatchFormat

/// Turns copies into operations: where the new file holds numbers, it encodes them as such, or copies lines.
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
      for offset in stride(from: run.start, through: run.end - 32, by: 8) { lines.insert(offset) }
    }
    oldLines = lines
  }

  /// The operations that make the new file as the copies do, except for the numbers.
  func operations(_ copies: [ScriptOperation]) -> [ScriptOperation] {
    var builder = ScriptBuilder(
      copies: copies, newLines: LineIndex(new, numbers: runs.reduce(0) { $0 + $1.count }))
    for run in runs {
      builder.takeCopies(upTo: run.start)
      self.parse(run, into: &builder)
    }
    builder.takeCopies(upTo: new.count)
    return builder.operations
  }

  private func parse(_ run: NumberRun, into builder: inout ScriptBuilder) {
    var offset = run.start
    var inserted = run.start
    while offset < run.end {
      while inserted + 32 <= min(offset, run.end) {
        builder.newLines.insert(inserted)
        inserted += 8
      }
      if let best = best(at: offset, in: run, builder: &builder), best.length >= shortest(best, in: builder) {
        builder.append(best)
        offset = best.end
      } else {
        builder.append(number(at: offset, in: run))
        offset += 8
      }
    }
    while inserted + 32 <= run.end {
      builder.newLines.insert(inserted)
      inserted += 8
    }
    builder.skip(to: run.end)
  }

  /// The lines that begin outside of the numbers.
  func others(_ lines: [AlignedRange]) -> [AlignedRange] {
    var next = 0
    return lines.sorted { $0.range.lowerBound < $1.range.lowerBound }.filter { line in
      while next < runs.count && runs[next].end <= line.range.lowerBound { next += 1 }
      return next == runs.count || runs[next].start > line.range.lowerBound
    }
  }

  /// Sets the costs of the numbers to what they are if they are encoded as such.
  func setCosts(in costs: inout LiteralCosts) {
    var history = NumberHistory()
    for run in runs {
      for offset in stride(from: run.start, to: run.end, by: 8) {
        let bits = newBase.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
        let integer = Decimal.integer(Double(bitPattern: bits), decimals: run.decimals)
        let size = Varint.size(of: history.encode(integer, stride: run.stride))
        costs.set(offset..<offset + 8, to: 64 * min(size, 8))
      }
    }
  }

  private func number(at offset: Int, in run: NumberRun) -> ScriptOperation {
    let numbers = NumberCoding(decimals: run.decimals, stride: run.stride, base: .history)
    return ScriptOperation(operation: .numbers(numbers), new: offset, source: 0, length: 8)
  }

  /// The fewest bytes that justify a copy: continuing the last one costs next to nothing.
  private func shortest(_ operation: ScriptOperation, in builder: ScriptBuilder) -> Int {
    if let last = builder.operations.last, last.isContinued(by: operation) { return 8 }
    return NumberParser.shortestLine
  }

  // MARK: - Candidates

  /// The longest copy of the bytes from `offset` to the end of the run.
  private func best(at offset: Int, in run: NumberRun, builder: inout ScriptBuilder) -> ScriptOperation? {
    var best: ScriptOperation?
    func consider(_ operation: PatchOperation, from source: Int, length: Int) {
      if length > best?.length ?? 0 {
        best = ScriptOperation(operation: operation, new: offset, source: source, length: length)
      }
    }
    if let source = builder.source(of: offset) {
      let limit = min(run.end - offset, old.count - source)
      consider(.copyOld, from: source, length: equal(oldBase + source, at: offset, atMost: limit) / 8 * 8)
      if let best, best.end == run.end { return best }
    }
    guard offset + 32 <= run.end else { return best }
    let first = LineIndex.load(newBase, at: offset)
    let second = LineIndex.load(newBase, at: offset + 16)
    oldLines.forEachOffset(of: first, second) { source in
      consider(
        .copyOld, from: source,
        length: equal(oldBase + source, at: offset, atMost: min(run.end - offset, old.count - source)) / 8 * 8
      )
    }
    builder.newLines.forEachOffset(of: first, second) { source in
      consider(
        .copyNew, from: source,
        length: equal(newBase + source, at: offset, atMost: min(run.end - offset, offset - source)) / 8 * 8)
    }
    oldLines.forEachOffset(of: second, first) { source in
      consider(
        .copyOldReversed(unit: 2), from: source + 16,
        length: reversed(oldBase, from: source + 16, at: offset, to: run.end))
    }
    builder.newLines.forEachOffset(of: second, first) { source in
      consider(
        .copyNewReversed(unit: 2), from: source + 16,
        length: reversed(newBase, from: source + 16, at: offset, to: run.end))
    }
    return best
  }

  private func equal(_ source: UnsafeRawPointer, at offset: Int, atMost limit: Int) -> Int {
    equalBytes(
      source.assumingMemoryBound(to: UInt8.self), (newBase + offset).assumingMemoryBound(to: UInt8.self),
      atMost: limit)
  }

  /// How many bytes from `offset` are the points that end with the one at `source`, in reverse order.
  private func reversed(_ base: UnsafeRawPointer, from source: Int, at offset: Int, to end: Int) -> Int {
    var length = 0
    while offset + length + 16 <= end, source - length >= 0,
      LineIndex.load(base, at: source - length) == LineIndex.load(newBase, at: offset + length)
    {
      length += 16
    }
    return length
  }

  /// Two points: an operation costs about as much as one and a half points.
  private static var shortestLine: Int { 32 }
}
