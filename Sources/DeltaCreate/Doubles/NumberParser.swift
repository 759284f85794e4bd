internal import PatchFormat

/// Turns copies into operations: where the new file holds numbers, it encodes them as such, or copies lines.
struct NumberParser {
  private let old: UnsafeBufferPointer<UInt8>
  private let new: UnsafeBufferPointer<UInt8>
  private let newBase: UnsafePointer<UInt8>
  private let runs: [NumberRun]
  private let lines: NumberLines
  /// What each number costs that is encoded as such, in eighths of a bit for each of its bytes.
  private let costs: [UInt8]

  /// Nil without numbers; both files have to outlive the parser.
  ///
  /// - `lines`: those that are elsewhere, too.
  init?(_ range: SearchRange, lines: [AlignedRange]) {
    guard let newBase = range.new.baseAddress else { return nil }
    old = range.old
    new = range.new
    self.newBase = newBase
    runs = NumberFinder.runs(new)
    guard !runs.isEmpty else { return nil }
    self.lines = NumberLines(lines, runs: runs, in: range)
    costs = NumberParser.costs(of: runs, in: UnsafeRawPointer(newBase))
  }

  /// The operations that make the new file as the copies do, except for the numbers.
  func operations(_ copies: [ScriptOperation]) -> [ScriptOperation] {
    var builder = ScriptBuilder(copies: copies)
    var index = 0  // of the first number of the run
    for run in runs {
      builder.takeCopies(upTo: run.start)
      self.parse(run, from: index, into: &builder)
      index += run.count
    }
    builder.takeCopies(upTo: new.count)
    return builder.operations
  }

  private func parse(_ run: NumberRun, from index: Int, into builder: inout ScriptBuilder) {
    var offset = run.start
    while offset < run.end {
      if let best = best(index + (offset - run.start) / 8, at: offset, in: run, builder: &builder),
        best.length >= shortest(best, in: builder)
      {
        builder.append(best)
        offset = best.end
      } else {
        builder.append(number(at: offset, in: run))
        offset += 8
      }
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
    var index = 0
    for run in runs {
      for offset in stride(from: run.start, to: run.end, by: 8) {
        costs.set(offset..<offset + 8, to: self.costs[index])
        index += 1
      }
    }
  }

  private static func costs(of runs: [NumberRun], in file: UnsafeRawPointer) -> [UInt8] {
    var history = NumberHistory()
    var costs: [UInt8] = []
    for run in runs {
      for offset in stride(from: run.start, to: run.end, by: 8) {
        let bits = file.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
        let integer = Decimal.integer(Double(bitPattern: bits), decimals: run.decimals)
        costs.append(UInt8(8 * min(Varint.size(of: history.encode(integer, stride: run.stride)), 8)))
      }
    }
    return costs
  }

  private func number(at offset: Int, in run: NumberRun) -> ScriptOperation {
    let numbers = NumberCoding(decimals: run.decimals, stride: run.stride, base: .history)
    return ScriptOperation(operation: .numbers(numbers), new: offset, source: 0, length: 8)
  }

  /// The fewest bytes that justify a copy: continuing the last one costs next to nothing.
  private func shortest(_ operation: ScriptOperation, in builder: ScriptBuilder) -> Int {
    if let last = builder.operations.last, last.isContinued(by: operation) { return 8 }
    return Tuning.NumberParser.shortestLine
  }

  /// The longest copy of the bytes from `offset`, where the number with that index is, to the end of the run.
  private func best(
    _ index: Int, at offset: Int, in run: NumberRun, builder: inout ScriptBuilder
  ) -> ScriptOperation? {
    let line = lines.line(index, at: offset)
    guard let source = builder.source(of: offset), let oldBase = old.baseAddress else { return line }
    let limit = min(run.end - offset, old.count - source)
    let equal = equalBytes(oldBase + source, newBase + offset, atMost: limit) / 8 * 8
    guard equal > 0, equal >= line?.length ?? 0 else { return line }
    return ScriptOperation(operation: .copyOld, new: offset, source: source, length: equal)
  }
}
