/// What a block consists of, in this order; each stream may be missing.
package enum BlockStream: Int, CaseIterable {
  case kinds, covers, runs, differences, numbers, targets, extras
}

/// The streams of a block, and how far each was read.
struct BlockStreams {
  var kinds: StreamCursor
  var covers: StreamCursor
  private var runs: StreamCursor
  private var differences: StreamCursor
  var numbers: StreamCursor
  var targets: StreamCursor
  var extras: StreamCursor
  /// What is left of the last pair of runs.
  private var equal: UInt64 = 0
  private var different: UInt64 = 0

  /// The streams of a whole block; nil if it contradicts itself.
  ///
  /// Its first byte has a bit for each stream that is there, then come the sizes of all but the last of them.
  init?(parsing block: Span<UInt8>) {
    guard block.count > 0 else { return nil }
    let mask = block[0]
    guard mask != 0, mask < 1 << BlockStream.allCases.count else { return nil }
    var sizes = [7 of Int](repeating: 0)
    var header = StreamCursor(offset: 1, end: block.count)
    var last = 0
    for stream in 0..<7 where mask >> UInt8(stream) & 1 == 1 { last = stream }
    for stream in 0..<last where mask >> UInt8(stream) & 1 == 1 {
      guard let size = header.number(in: block), size <= UInt64(block.count) else { return nil }
      sizes[stream] = Int(size)
    }
    var begin = header.offset
    for stream in 0..<last { begin += sizes[stream] }
    guard begin <= block.count else { return nil }
    sizes[last] = block.count - begin
    kinds = StreamCursor(offset: header.offset, end: header.offset + sizes[0])
    covers = StreamCursor(offset: kinds.end, end: kinds.end + sizes[1])
    runs = StreamCursor(offset: covers.end, end: covers.end + sizes[2])
    differences = StreamCursor(offset: runs.end, end: runs.end + sizes[3])
    numbers = StreamCursor(offset: differences.end, end: differences.end + sizes[4])
    targets = StreamCursor(offset: numbers.end, end: numbers.end + sizes[5])
    extras = StreamCursor(offset: targets.end, end: targets.end + sizes[6])
  }

  /// Whether nothing is left over.
  var areUsedUp: Bool {
    kinds.remaining == 0 && covers.remaining == 0 && extras.remaining == 0 && runs.remaining == 0
      && differences.remaining == 0 && numbers.remaining == 0 && targets.remaining == 0 && equal == 0
      && different == 0
  }

  /// Adds the differences to old bytes in a part of `target`; false if the streams are contradictory.
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
