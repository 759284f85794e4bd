/// The four streams of a block, and how far each was read.
struct BlockStreams {
  var covers: StreamCursor
  var extras: StreamCursor
  private var runs: StreamCursor
  private var differences: StreamCursor
  /// What is left of the last pair of runs.
  private var equal: UInt64 = 0
  private var different: UInt64 = 0

  /// The streams of a block that `header` describes and begins.
  init(_ header: BlockHeader) {
    covers = StreamCursor(offset: BlockHeader.size, count: header.covers)
    runs = StreamCursor(offset: covers.end, count: header.runs)
    differences = StreamCursor(offset: runs.end, count: header.differences)
    extras = StreamCursor(offset: differences.end, count: header.extras)
  }

  /// Whether nothing is left over.
  var areUsedUp: Bool {
    covers.remaining == 0 && extras.remaining == 0 && runs.remaining == 0 && differences.remaining == 0
      && equal == 0 && different == 0
  }

  /// Adds the differences to old bytes in `target`; false if the streams are contradictory.
  mutating func addDifferences(
    to target: inout MutableSpan<UInt8>, _ range: Range<Int>, in block: Span<UInt8>
  ) -> Bool {
    var index = range.lowerBound
    while index < range.upperBound {
      if equal == 0 && different == 0 {
        guard runs.remaining > 0 else { return true }  // the rest equals the old bytes
        guard let nextEqual = runs.number(in: block), let nextDifferent = runs.number(in: block),
          nextDifferent <= UInt64(differences.remaining)
        else { return false }
        equal = nextEqual
        different = nextDifferent
      }
      let skipped = Int(min(equal, UInt64(range.upperBound - index)))
      index += skipped
      equal -= UInt64(skipped)
      guard equal == 0 else { return true }
      let added = Int(min(different, UInt64(range.upperBound - index)))
      for step in 0..<added { target[index + step] &+= block[differences.offset + step] }
      differences.advance(by: added)
      different -= UInt64(added)
      index += added
    }
    return true
  }
}

extension StreamCursor {
  fileprivate init(offset: Int, count: UInt32) { self.init(offset: offset, end: offset + Int(count)) }
}
