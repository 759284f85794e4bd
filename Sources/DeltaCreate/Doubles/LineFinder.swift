internal import PatchFormat

/// Finds lines of doubles that occur again in either order, also if the last bits of their numbers differ.
///
/// A matcher does not find them: the bytes of a line in reverse order are nowhere in the old file, and numbers that differ
/// a little share only seven bytes at a time.
struct LineFinder {
  private let old: UnsafeRawBufferPointer
  private let new: UnsafeRawBufferPointer
  private var found: [AlignedRange] = []
  /// Those around the current offset.
  private var open: [AlignedRange] = []

  /// The lines of the new file that are in the old one, or earlier in the new one; they overlap.
  ///
  /// - `unchanged`: none begin there.
  static func lines(
    _ range: SearchRange, unchanged: UnchangedRanges = UnchangedRanges()
  ) -> [AlignedRange] {
    var finder = LineFinder(old: range.old, new: range.new)
    finder.search(range.part, except: unchanged)
    return finder.found
  }

  private init(old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>) {
    self.old = UnsafeRawBufferPointer(old)
    self.new = UnsafeRawBufferPointer(new)
  }

  /// - `part`: of the old file.
  private mutating func search(_ part: Range<Int>, except unchanged: UnchangedRanges) {
    var unchanged = UnchangedCursor(unchanged)
    let searched = UnsafeRawBufferPointer(rebasing: old[part])
    var oldPoints = OffsetTable(expected: LineFinder.count(searched))
    LineFinder.forEachPoint(searched) { hash, offset in oldPoints.insert(offset, hash: hash) }
    var newPoints = OffsetTable(expected: LineFinder.count(new))
    LineFinder.forEachPoint(new) { hash, offset in
      if unchanged.range(from: offset)?.contains(offset) != true {
        oldPoints.forEachOffset(hash: hash) { extend(.old, at: offset, from: part.lowerBound + $0) }
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
    open.removeAll { $0.range.upperBound <= offset }
    guard open.count < Tuning.LineFinder.enough else { return }
    let forward = Alignment.forward(source, shift: sourceOffset - offset)
    if isOpen(forward) { return }
    var best = line(forward, step: 8, at: offset)
    for unit in [16, 24, 32] {
      let reversed = Alignment.reversed(source, unit: unit, at: offset, from: sourceOffset)
      if isOpen(reversed) { return }
      let line = line(reversed, step: unit, at: offset)
      if line.range.count > best.range.count { best = line }
    }
    guard best.range.count >= Tuning.LineFinder.shortest else { return }
    open.append(best)
    found.append(best)
  }

  private func isOpen(_ alignment: Alignment) -> Bool { open.contains { $0.alignment == alignment } }

  /// The range around `offset`, in steps of some bytes, whose doubles are near those of an alignment.
  private func line(_ alignment: Alignment, step: Int, at offset: Int) -> AlignedRange {
    let first = max(0, offset - Tuning.LineFinder.farthestBack)
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
      if a != b && (a > b ? a - b : b - a) > Tuning.LineFinder.largestStep { return false }
    }
    return true
  }
}
