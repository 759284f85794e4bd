/// The path on which the current byte is part of a copy.
struct OpenCopy {
  let candidate: AlignedRange
  let end: Int
  /// Where the byte at offset 0 of the new file would come from; nil if units are in reverse order.
  private let forward: UnsafePointer<UInt8>?
  var cost = OpenCopy.neverBegun
  var start = 0
  /// The number of the link before it.
  var before: Int?
  /// The next byte that differs.
  private(set) var different = 0
  /// The byte after the last one that differed.
  private var runEnd = -1

  init(_ candidate: AlignedRange, upTo end: Int, in choice: CopyChoice) {
    self.candidate = candidate
    self.end = min(candidate.range.upperBound, end)
    forward = choice.forward(candidate.alignment)
  }

  /// Whether a copy may end at `offset`.
  func mayCut(at offset: Int) -> Bool {
    forward != nil || candidate.alignment.boundary(from: offset) == offset
  }

  /// Whether a copy may begin at `offset`, and can be worth it.
  func mayBegin(at offset: Int) -> Bool {
    forward != nil ? different - offset >= Tuning.OpenCopy.fewest : end > offset && mayCut(at: offset)
  }

  /// The next offset where a copy may begin or end for another reason than a difference.
  func nextCut(after offset: Int) -> Int {
    forward != nil ? end : min(end, candidate.alignment.boundary(from: offset + 1))
  }

  /// Finds the next byte that differs from `offset` on.
  mutating func findDifferent(from offset: Int, in choice: CopyChoice) {
    if let forward {
      different = offset + equalBytes(forward + offset, choice.new + offset, atMost: end - offset)
    } else {
      different = choice.different(candidate.alignment, in: offset..<end)
    }
  }

  /// Adds what the byte that differs costs, and finds the next one.
  mutating func passDifferent(_ costs: PatchMaker.CopyCosts, in choice: CopyChoice) {
    let pause = different - runEnd
    cost += runEnd >= start && pause < costs.shortestPause ? pause * costs.differences[0] : costs.run
    cost += costs.differences[choice.difference(candidate.alignment, at: different)]
    runEnd = different + 1
    findDifferent(from: runEnd, in: choice)
  }

  /// Whether its path costs at least `least`, and a copy may not begin at `offset`.
  func isHopeless(at offset: Int, _ least: Int) -> Bool {
    cost >= least && forward != nil && different - offset < Tuning.OpenCopy.fewest
  }

  /// The next offset where a copy may begin, from `offset` on; nil if there is none.
  func nextBeginning(from offset: Int, in choice: CopyChoice) -> Int? {
    guard let forward else { return offset }
    var offset = offset
    while offset + Tuning.OpenCopy.fewest <= end {
      let difference = fourBytes(forward + offset) ^ fourBytes(choice.new + offset)
      if difference == 0 { return offset }
      // After the last byte that differs.
      offset += Tuning.OpenCopy.fewest - difference.leadingZeroBitCount / 8
    }
    return nil
  }

  private func fourBytes(_ base: UnsafePointer<UInt8>) -> UInt32 {
    UInt32(littleEndian: UnsafeRawPointer(base).loadUnaligned(as: UInt32.self))
  }

  /// More than any path costs.
  static var neverBegun: Int { .max / 2 }
}
