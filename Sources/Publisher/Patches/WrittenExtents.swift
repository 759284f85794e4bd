/// The extents of a file that are written.
struct WrittenExtents: Equatable {
  /// In order, with unwritten bytes between them.
  private var extents: [Range<UInt64>] = []

  /// Where the last written byte ends.
  var end: UInt64 { extents.last?.upperBound ?? 0 }

  func isComplete(_ size: UInt64) -> Bool { size == 0 ? extents.isEmpty : extents == [0..<size] }

  /// Most of the time, `range` continues the first or the last extent.
  mutating func insert(_ range: Range<UInt64>) {
    guard !range.isEmpty else { return }
    var first = extents.count
    while first > 0, extents[first - 1].upperBound >= range.lowerBound { first -= 1 }
    var last = first
    var merged = range
    while last < extents.count, extents[last].lowerBound <= merged.upperBound {
      merged =
        min(merged.lowerBound, extents[last].lowerBound)..<max(merged.upperBound, extents[last].upperBound)
      last += 1
    }
    extents.replaceSubrange(first..<last, with: [merged])
  }

  /// The unwritten bytes of `range`.
  func gaps(in range: Range<UInt64>) -> [Range<UInt64>] {
    var gaps: [Range<UInt64>] = []
    var next = range.lowerBound
    for extent in extents where extent.upperBound > next {
      guard extent.lowerBound < range.upperBound else { break }
      if extent.lowerBound > next { gaps.append(next..<extent.lowerBound) }
      next = extent.upperBound
    }
    if next < range.upperBound { gaps.append(next..<range.upperBound) }
    return gaps
  }
}
