internal import PatchFormat

extension Extent {
  /// The extent of a range of offsets in a file, which is not empty.
  init(_ range: Range<Int>) { self.init(start: UInt64(range.lowerBound), size: UInt64(range.count)) }
}
