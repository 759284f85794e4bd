/// Ranges of the new file that copies make without a difference, far from the ends of each such run: whatever else is chosen,
/// no other copy is better there, so nothing is searched for in them.
struct UnchangedRanges {
  /// In the order of the new file.
  private(set) var all: [Range<Int>] = []

  init() {}

  init(_ copies: [Copy], old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>) {
    guard let oldBase = old.baseAddress, let newBase = new.baseAddress else { return }
    for copy in copies {
      var index = 0
      while index < copy.length {
        let equal = equalBytes(
          oldBase + copy.old + index, newBase + copy.new + index, atMost: copy.length - index)
        if equal > 2 * Tuning.UnchangedRanges.margin {
          let start = copy.new + index
          all.append(start + Tuning.UnchangedRanges.margin..<start + equal - Tuning.UnchangedRanges.margin)
        }
        index += equal + 1
      }
    }
  }
}

/// Goes through these ranges, for offsets that only rise.
struct UnchangedCursor {
  private var left: ArraySlice<Range<Int>>

  init(_ ranges: UnchangedRanges) { left = ranges.all[...] }

  /// The range that `offset` is in, or else the next one.
  mutating func range(from offset: Int) -> Range<Int>? {
    while let range = left.first, range.upperBound <= offset { left.removeFirst() }
    return left.first
  }
}
