internal import PatchFormat

/// The streams of a block, and how far each was read.
struct BlockStreams {
  var kinds: ByteCursor
  var covers: ByteCursor
  private var runs: ByteCursor
  private var differences: ByteCursor
  var numbers: ByteCursor
  var targets: ByteCursor
  var extras: ByteCursor
  /// What is left of the last pair of runs.
  private var equal: UInt64 = 0
  private var different: UInt64 = 0

  /// The streams of a whole block; nil if it contradicts itself.
  init?(parsing block: Span<UInt8>) {
    guard let layout = BlockLayout(parsing: block) else { return nil }
    kinds = ByteCursor(layout[.operations])
    covers = ByteCursor(layout[.copies])
    runs = ByteCursor(layout[.runs])
    differences = ByteCursor(layout[.differences])
    numbers = ByteCursor(layout[.numbers])
    targets = ByteCursor(layout[.targets])
    extras = ByteCursor(layout[.literals])
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
