internal import PatchFormat

/// For each number of the new file the longest line from there on that is elsewhere, too, bit for bit.
///
/// They are parts of the lines that `LineFinder` has found, and do not depend on what else is copied: they are found once for
/// all scripts.
struct NumberLines {
  private let lines: [AlignedRange]
  private var longest: [Entry]

  private struct Entry {
    var line: Int32 = -1
    /// In numbers.
    var count: UInt32 = 0
  }

  /// - `runs`: the numbers of the new file.
  init(_ lines: [AlignedRange], runs: [NumberRun], in range: SearchRange) {
    self.lines = lines.sorted { $0.range.lowerBound < $1.range.lowerBound }
    longest = [Entry](repeating: Entry(), count: runs.reduce(0) { $0 + $1.count })
    guard let newBase = UnsafeRawPointer(range.new.baseAddress) else { return }
    let oldBase = UnsafeRawPointer(range.old.baseAddress) ?? newBase
    var (first, firstIndex) = (0, 0)
    for (number, line) in self.lines.enumerated() {
      while first < runs.count && runs[first].end <= line.range.lowerBound {
        firstIndex += runs[first].count
        first += 1
      }
      var (run, index) = (first, firstIndex)
      while run < runs.count && runs[run].start < line.range.upperBound {
        add(
          number, of: runs[run], from: index, source: line.alignment.source == .old ? oldBase : newBase,
          new: newBase)
        index += runs[run].count
        run += 1
      }
    }
  }

  /// Adds what a line has of a run, from the end to the front.
  ///
  /// - `index`: of the first number of the run.
  private mutating func add(
    _ number: Int, of run: NumberRun, from index: Int, source: UnsafeRawPointer, new: UnsafeRawPointer
  ) {
    let (range, alignment) = (lines[number].range, lines[number].alignment)
    let step = alignment.unit
    let begin = run.start + (max(range.lowerBound - run.start, 0) + 7) / 8 * 8
    let start = alignment.boundary(from: begin)
    // Not reached: a line begins where one of its points does.
    guard (start - run.start) % 8 == 0 else { return }
    let steps = (min(range.upperBound, run.end) - start) / step
    var count = 0
    for offset in stride(from: start + (steps - 1) * step, through: start, by: -step) {
      let isEqual = NumberLines.isEqual(
        new + offset, source + alignment.sourceOffset(of: offset), count: step)
      count = isEqual ? count + step / 8 : 0
      let entry = index + (offset - run.start) / 8
      if count > longest[entry].count { longest[entry] = Entry(line: Int32(number), count: UInt32(count)) }
    }
  }

  private static func isEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int) -> Bool {
    for offset in stride(from: 0, to: count, by: 8)
    where a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      != b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    { return false }
    return true
  }

  /// The line at the number with that index, as a copy to `offset` of the new file; nil if there is none.
  func line(_ index: Int, at offset: Int) -> ScriptOperation? {
    let entry = longest[index]
    guard entry.count > 0 else { return nil }
    return lines[Int(entry.line)].alignment.operation(
      offset..<offset + 8 * Int(entry.count), hasDifferences: false)
  }
}
