internal import PatchFormat

/// Finds lines of doubles that occur again in either order, also if the last bits of their numbers differ.
///
/// A matcher does not find them: the bytes of a line in reverse order are nowhere in the old file, and numbers that differ
/// a little share only seven bytes at a time.
struct LineFinder {
  /// The part of the old file that is searched.
  private let old: UnsafeRawBufferPointer
  private let new: UnsafeRawBufferPointer
  /// Where the last range of each alignment ends.
  private var ends: [Alignment: Int] = [:]
  private var found: [AlignedRange] = []
  /// Where the lines end that have been found around the current offset.
  private var open: [Int] = []

  /// The lines of the new file that are in the old one, or earlier in the new one; they overlap.
  ///
  /// - `part`: what is searched of the old file; nil: all of it.
  /// - `unchanged`: none begin there.
  static func lines(
    old: UnsafeBufferPointer<UInt8>, part: Range<Int>? = nil, new: UnsafeBufferPointer<UInt8>,
    unchanged: UnchangedRanges = UnchangedRanges()
  ) -> [AlignedRange] {
    guard let part, part != 0..<old.count else { return lines(old: old, new: new, unchanged) }
    return lines(old: UnsafeBufferPointer(rebasing: old[part]), new: new, unchanged).map {
      AlignedRange(range: $0.range, alignment: $0.alignment.moved(inOld: part.lowerBound))
    }
  }

  private static func lines(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, _ unchanged: UnchangedRanges
  ) -> [AlignedRange] {
    var finder = LineFinder(old: old, new: new)
    finder.search(except: unchanged)
    return finder.found
  }

  private init(old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>) {
    self.old = UnsafeRawBufferPointer(old)
    self.new = UnsafeRawBufferPointer(new)
  }

  private mutating func search(except unchanged: UnchangedRanges) {
    var isUnchanged = UnchangedCursor(unchanged)
    var oldPoints = OffsetTable(expected: LineFinder.count(old))
    LineFinder.forEachPoint(old) { hash, offset in oldPoints.insert(offset, hash: hash) }
    var newPoints = OffsetTable(expected: LineFinder.count(new))
    LineFinder.forEachPoint(new) { hash, offset in
      if !isUnchanged.contains(offset) {
        oldPoints.forEachOffset(hash: hash) { extend(.old, at: offset, from: $0) }
        newPoints.forEachOffset(hash: hash) { extend(.new, at: offset, from: $0) }
      }
      newPoints.insert(offset, hash: hash)
    }
  }

  /// Adds the longest line through a point that two files seem to have.
  ///
  /// What is alike everywhere, such as one point again and again, has a line through each point for every other one. So
  /// none is searched for where enough have been found, and none goes back far: what is examined is in proportion to the
  /// file.
  private mutating func extend(_ source: CopySource, at offset: Int, from sourceOffset: Int) {
    open.removeAll { $0 <= offset }
    guard open.count < LineFinder.enough else { return }
    let forward = Alignment.forward(source, shift: sourceOffset - offset)
    if ends[forward] ?? 0 > offset { return }
    var best = line(forward, step: 8, at: offset)
    for unit in [16, 24, 32] {
      let reversed = Alignment.reversed(source, unit: unit, at: offset, from: sourceOffset)
      if ends[reversed] ?? 0 > offset { return }
      let line = line(reversed, step: unit, at: offset)
      if line.range.count > best.range.count { best = line }
    }
    guard best.range.count >= LineFinder.shortest else { return }
    ends[best.alignment] = best.range.upperBound
    open.append(best.range.upperBound)
    found.append(best)
  }

  /// The range around `offset`, in steps of some bytes, whose doubles are near those of an alignment.
  private func line(_ alignment: Alignment, step: Int, at offset: Int) -> AlignedRange {
    let first = max(ends[alignment] ?? 0, offset - LineFinder.farthestBack)
    var start = offset
    while start - step >= first, isNear(alignment, at: start - step, count: step) { start -= step }
    // All of the source must be made before the first byte is.
    var limit = Int.max
    if alignment.source == .new {
      switch alignment.order {
      case .forward(let shift):
        while start <= offset + shift { start += step }
        limit = start - shift
      case .reversed(let sum, let unit, _): while 2 * start < sum + unit { start += unit }
      }
    }
    var end = max(start, offset)
    while end < limit, isNear(alignment, at: end, count: step) { end += step }
    return AlignedRange(range: start..<min(end, max(start, limit)), alignment: alignment)
  }

  /// Whether the doubles of `count` bytes differ in their last bits at most.
  private func isNear(_ alignment: Alignment, at offset: Int, count: Int) -> Bool {
    let file = alignment.source == .old ? old : new
    let sourceOffset = alignment.sourceOffset(of: offset)
    guard offset + count <= new.count, sourceOffset >= 0, sourceOffset + count <= file.count else {
      return false
    }
    for index in stride(from: 0, to: count, by: 8) {
      let a = new.loadUnaligned(fromByteOffset: offset + index, as: UInt64.self).littleEndian
      let b = file.loadUnaligned(fromByteOffset: sourceOffset + index, as: UInt64.self).littleEndian
      if a != b && (a > b ? a - b : b - a) > LineFinder.largestStep { return false }
    }
    return true
  }

  /// How many lines around one offset are enough to choose from.
  private static var enough: Int { 8 }
  /// How many bytes a line may begin before the point that it was found by: a few points of each line are left out.
  private static var farthestBack: Int { 4096 }
  /// The fewest bytes of a line: more than two points, or than one of four numbers.
  private static var shortest: Int { 40 }
  /// The most units in the last place by which numbers of the same place differ.
  private static var largestStep: UInt64 { 1 << 24 }
}
