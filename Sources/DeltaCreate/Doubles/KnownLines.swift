internal import PatchFormat

/// For each number of the new file the longest line from there on that is elsewhere, too: in the old file, or earlier in the
/// new one, in either direction.
///
/// They do not depend on what else is copied, so they are found once for all scripts. They take 12 bytes a number.
struct KnownLines {
  private var lines: [Line] = []
  /// Where the searched part of the old file begins.
  private let partStart: Int

  private struct Line {
    var place = Place.none
    /// Offset of what comes first.
    var source: UInt32 = 0
    /// In numbers.
    var count: UInt32 = 0
  }

  private enum Place: UInt8 {
    case none, old, new, oldReversed, newReversed

    var isReversed: Bool { self == .oldReversed || self == .newReversed }
  }

  /// Neither file moves while this runs.
  ///
  /// - `part`: what is searched of the old file.
  /// - `runs`: the numbers of the new file.
  init(
    old: UnsafeBufferPointer<UInt8>, part: Range<Int>, new: UnsafeBufferPointer<UInt8>, runs: [NumberRun],
    unchanged: UnchangedRanges
  ) {
    partStart = part.lowerBound
    var isUnchanged = UnchangedCursor(unchanged)
    lines.reserveCapacity(LineIndex.count(runs))
    guard var search = LineSearch(old: UnsafeBufferPointer(rebasing: old[part]), new: new, runs: runs)
    else { return }
    for run in runs {
      var line = Line()
      let first = lines.count
      for offset in stride(from: run.start, to: run.end, by: 8) {
        // Nothing is longer than the rest of a line to the end of the run.
        if line.place == .old, offset - 8 + 8 * Int(line.count) == run.end {
          line = Line(place: .old, source: line.source + 8, count: line.count - 1)
          lines.append(line)
          continue
        }
        line = Line()
        if isUnchanged.contains(offset) {
          lines.append(line)
          continue
        }
        line = continuation(from: first)
        if line.count >= KnownLines.longEnough {
          lines.append(line)
          continue
        }
        line = Line()
        search.forEachLine(at: offset, in: run) { operation, source, length in
          guard length > 8 * Int(line.count), let source = UInt32(exactly: source) else { return }
          line = Line(place: KnownLines.place(operation), source: source, count: UInt32(length / 8))
        }
        lines.append(line)
      }
      search.finish(run)
    }
  }

  /// What is left at the next number of a line that begins before it; none if there is none.
  ///
  /// - `first`: the index of the first number of its run.
  private func continuation(from first: Int) -> Line {
    var longest = Line()
    for (distance, isReversed) in [(1, false), (2, true)] where lines.count - distance >= first {
      let line = lines[lines.count - distance]
      guard line.place.isReversed == isReversed, line.count > longest.count + UInt32(distance) else {
        continue
      }
      let step = UInt32(8 * distance)
      longest = Line(
        place: line.place, source: isReversed ? line.source - step : line.source + step,
        count: line.count - UInt32(distance))
    }
    return longest
  }

  /// Numbers of a line that are enough to go on with it: a longer one is not searched for at every number, or what is alike
  /// everywhere would be compared with itself again and again.
  private static var longEnough: UInt32 { 256 }

  /// The line at the number with that index, as a copy to `offset` of the new file; nil if there is none.
  func line(_ index: Int, at offset: Int) -> ScriptOperation? {
    let line = lines[index]
    let operation: PatchOperation
    switch line.place {
    case .none: return nil
    case .old: operation = .copyOld
    case .new: operation = .copyNew
    case .oldReversed: operation = .copyOldReversed(unit: 2)
    case .newReversed: operation = .copyNewReversed(unit: 2)
    }
    let source = Int(line.source) + (operation.source == .old ? partStart : 0)
    return ScriptOperation(operation: operation, new: offset, source: source, length: 8 * Int(line.count))
  }

  private static func place(_ operation: PatchOperation) -> Place {
    switch operation {
    case .copyOldReversed: .oldReversed
    case .copyNew: .new
    case .copyNewReversed: .newReversed
    default: .old
    }
  }
}

/// Finds lines of the new file, number by number.
private struct LineSearch {
  private let old: UnsafeBufferPointer<UInt8>
  private let oldBase: UnsafeRawPointer
  private let newBase: UnsafeRawPointer
  private let oldLines: LineIndex
  private var newLines: LineIndex
  /// Up to where the run has been added to `newLines`.
  private var inserted = 0

  /// Nil for an empty new file.
  init?(old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, runs: [NumberRun]) {
    guard let newBase = new.baseAddress else { return nil }
    self.old = old
    let oldRuns = NumberFinder.runs(old)
    self.newBase = UnsafeRawPointer(newBase)
    oldBase = UnsafeRawPointer(old.baseAddress ?? newBase)
    var oldLines = LineIndex(old, numbers: LineIndex.count(oldRuns))
    for run in oldRuns { oldLines.insert(from: run.start, to: run.end) }
    self.oldLines = oldLines
    newLines = LineIndex(new, numbers: LineIndex.count(runs))
  }

  /// Calls `body` with every line that begins at `offset`, where its first number comes from, and its bytes.
  mutating func forEachLine(
    at offset: Int, in run: NumberRun, _ body: (PatchOperation, Int, Int) -> Void
  ) {
    inserted = newLines.insert(from: max(inserted, run.start), to: min(offset, run.end))
    guard offset + 32 <= run.end else { return }
    let first = LineIndex.load(newBase, at: offset)
    let second = LineIndex.load(newBase, at: offset + 16)
    oldLines.forEachOffset(of: first, second) { source in
      let limit = min(run.end - offset, old.count - source)
      body(.copyOld, source, equal(oldBase + source, at: offset, atMost: limit) / 8 * 8)
    }
    newLines.forEachOffset(of: first, second) { source in
      let limit = min(run.end - offset, offset - source)
      body(.copyNew, source, equal(newBase + source, at: offset, atMost: limit) / 8 * 8)
    }
    oldLines.forEachOffset(of: second, first) { source in
      let length = reversed(oldBase, from: source + 16, at: offset, to: run.end)
      body(.copyOldReversed(unit: 2), source + 16, length)
    }
    newLines.forEachOffset(of: second, first) { source in
      let length = reversed(newBase, from: source + 16, at: offset, to: run.end)
      body(.copyNewReversed(unit: 2), source + 16, length)
    }
  }

  /// Adds the rest of a run, for those after it.
  mutating func finish(_ run: NumberRun) {
    newLines.insert(from: max(inserted, run.start), to: run.end)
    inserted = 0
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
}
