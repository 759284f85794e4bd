internal import PatchFormat

/// Chooses from the copies of several matchings those with which the new file costs least, and cuts them where it is best.
///
/// The cheapest path through the new file is found from its front to its end (dynamic programming): at each offset, the
/// least cost of the bytes before is known if the current byte is a literal, and if it is part of each copy that is open
/// there. Costs are estimates, because the compressed size of an operation is not known in advance.
struct CopyChoice {
  private let old: UnsafePointer<UInt8>
  let new: UnsafePointer<UInt8>
  private let oldCount: Int
  private let newCount: Int
  /// In the order of where they begin.
  private var candidates: [AlignedRange] = []
  /// Parts of the new file in which paths are found apart from each other.
  private(set) var pieces: [Piece] = []
  /// Parts that say whether costs are worth finding paths through all of it.
  private(set) var screened: [Piece] = []

  /// A part of the new file.
  struct Piece {
    fileprivate let range: Range<Int>
    /// Those that begin before it and end in it or after it.
    fileprivate let carried: [AlignedRange]
    /// The number of the first one that begins in it.
    fileprivate let first: Int
  }

  /// Nil if there is nothing to choose from; both files have to outlive it, and the old one may be empty.
  ///
  /// - `found`: the copies of several matchings.
  /// - `lines`: other ranges that may be copied.
  /// - `unchanged`: where every cheapest path is on the same copy.
  /// - `screened`: parts of the new file for which operations are chosen alone.
  init?(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, among found: [[Copy]],
    lines: [AlignedRange], unchanged: UnchangedRanges = UnchangedRanges(),
    screened: [Range<Int>] = []
  ) {
    guard let newBase = new.baseAddress else { return nil }
    self.old = old.baseAddress ?? newBase
    self.new = newBase
    oldCount = old.count
    newCount = new.count
    candidates = candidates(found) + lines
    guard !candidates.isEmpty else { return nil }
    candidates.sort { $0.range.lowerBound < $1.range.lowerBound }
    pieces = pieces(divided(unchanged))
    self.screened = pieces(screened)
  }

  /// Divides the new file where it is unchanged, into pieces that are not small.
  private func divided(_ unchanged: UnchangedRanges) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    for end in unchanged.all.map({ ($0.lowerBound + $0.upperBound) / 2 }) + [newCount]
    where end == newCount || end - start >= Tuning.CopyChoice.smallestPiece {
      ranges.append(start..<end)
      start = end
    }
    return ranges
  }

  /// - `ranges`: in order, without overlaps.
  private func pieces(_ ranges: [Range<Int>]) -> [Piece] {
    var pieces: [Piece] = []
    var carried: [AlignedRange] = []
    var next = 0
    for range in ranges {
      while next < candidates.count && candidates[next].range.lowerBound < range.lowerBound {
        carried.append(candidates[next])
        next += 1
      }
      carried.removeAll { $0.range.upperBound <= range.lowerBound }
      pieces.append(Piece(range: range, carried: carried, first: next))
    }
    return pieces
  }

  /// The operations in the order of the new file; they do not overlap there.
  ///
  /// - `literals`: what the bytes of the new file cost that are not copied.
  func operations(
    _ costs: PatchMaker.CopyCosts, literals: LiteralCosts, in pieces: [Piece], processors: Processors = .none
  ) -> [ScriptOperation] {
    var all: [ScriptOperation] = []
    for operations in processors.map(pieces, { operations(of: $0, costs, literals: literals) }) {
      if let first = operations.first { all.join(first) }
      all += operations.dropFirst()
    }
    return all
  }

  private func operations(
    of piece: Piece, _ costs: PatchMaker.CopyCosts, literals: LiteralCosts
  ) -> [ScriptOperation] {
    var walk = CopyWalk(self, in: piece.range, costs: costs, literals: literals)
    for candidate in piece.carried { walk.open(candidate) }
    var next = piece.first
    while walk.offset < piece.range.upperBound {
      while next < candidates.count && candidates[next].range.lowerBound <= walk.offset {
        walk.open(candidates[next])
        next += 1
      }
      walk.advance(upTo: next < candidates.count ? candidates[next].range.lowerBound : newCount)
    }
    return walk.finish()
  }

  /// All alignments of copies, each up to the next copy of the same matching.
  ///
  /// A matcher ends a copy where too few bytes are equal, but those that differ only a little, as numbers do, may still cost
  /// less as differences than as literals.
  private func candidates(_ found: [[Copy]]) -> [AlignedRange] {
    var all: [(shift: Int, start: Int, end: Int)] = []
    all.reserveCapacity(found.reduce(0) { $0 + $1.count })
    for copies in found {
      for (index, copy) in copies.enumerated() {
        let before = index > 0 ? copies[index - 1].end : 0
        let after = index + 1 < copies.count ? copies[index + 1].new : newCount
        let start = min(before, copy.new - Tuning.CopyChoice.margin)
        let end = max(after, copy.end + Tuning.CopyChoice.margin)
        all.append((copy.shift, max(0, -copy.shift, start), min(newCount, oldCount - copy.shift, end)))
      }
    }
    all.sort { ($0.shift, $0.start) < ($1.shift, $1.start) }
    var count = 0
    for candidate in all {
      if count > 0, all[count - 1].shift == candidate.shift, candidate.start <= all[count - 1].end {
        all[count - 1].end = max(all[count - 1].end, candidate.end)
      } else {
        all[count] = candidate
        count += 1
      }
    }
    all.removeLast(all.count - count)
    return all.map {
      AlignedRange(range: $0.start..<$0.end, alignment: .forward(.old, shift: $0.shift))
    }
  }

  /// Where the byte at offset 0 of the new file would come from; nil if units are in reverse order.
  func forward(_ alignment: Alignment) -> UnsafePointer<UInt8>? {
    guard case .forward(let shift) = alignment.order else { return nil }
    switch alignment.source {
    case .old: return old + shift
    case .new: return new + shift
    }
  }

  /// By how much the byte at `offset` differs from its source.
  func difference(_ alignment: Alignment, at offset: Int) -> UInt8 {
    new[offset] &- (alignment.source == .old ? old : new)[alignment.sourceOffset(of: offset)]
  }

  /// The next byte that differs, or the end.
  func different(_ alignment: Alignment, in range: Range<Int>) -> Int {
    let base = alignment.source == .old ? old : new
    var offset = range.lowerBound
    while offset < range.upperBound {
      // Up to the next unit, which comes from elsewhere in the source.
      let next =
        switch alignment.order {
        case .forward: range.upperBound
        case .reversed: min(alignment.boundary(from: offset + 1), range.upperBound)
        }
      offset += equalBytes(base + alignment.sourceOffset(of: offset), new + offset, atMost: next - offset)
      if offset < next { return offset }
    }
    return offset
  }
}
