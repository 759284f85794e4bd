internal import PatchFormat

/// Chooses from the copies of several matchings those with which the new file costs least, and cuts them where it is best.
///
/// The cheapest path through the new file is found from its front to its end (dynamic programming): at each offset, the
/// least cost of the bytes before is known if the current byte is a literal, and if it is part of each copy that is open
/// there. Costs are estimates, because the compressed size of an operation is not known in advance.
struct CopyChoice {
  private let old: UnsafePointer<UInt8>
  private let new: UnsafePointer<UInt8>
  private let oldCount: Int
  private let newCount: Int
  /// In the order of where they begin.
  private var candidates: [AlignedRange] = []
  /// Parts of the new file in which paths are found apart from each other.
  private var pieces: [Piece] = []

  private struct Piece {
    let range: Range<Int>
    /// Those that begin before it and end in it or after it.
    let carried: [AlignedRange]
    /// The number of the first one that begins in it.
    let first: Int
  }

  /// Nil if there is nothing to choose from; both files have to outlive it, and the old one may be empty.
  ///
  /// - `found`: the copies of several matchings.
  /// - `lines`: other ranges that may be copied.
  /// - `unchanged`: where every cheapest path is on the same copy.
  init?(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, among found: [[Copy]],
    lines: [AlignedRange], unchanged: UnchangedRanges = UnchangedRanges()
  ) {
    guard let newBase = new.baseAddress else { return nil }
    self.old = old.baseAddress ?? newBase
    self.new = newBase
    oldCount = old.count
    newCount = new.count
    candidates = candidates(found) + lines
    guard !candidates.isEmpty else { return nil }
    candidates.sort { $0.range.lowerBound < $1.range.lowerBound }
    pieces = pieces(unchanged)
  }

  /// Divides the new file where it is unchanged, into pieces that are not small.
  private func pieces(_ unchanged: UnchangedRanges) -> [Piece] {
    var pieces: [Piece] = []
    var carried: [AlignedRange] = []
    var next = 0
    var start = 0
    for end in unchanged.all.map({ ($0.lowerBound + $0.upperBound) / 2 }) + [newCount]
    where end == newCount || end - start >= CopyChoice.smallestPiece {
      pieces.append(Piece(range: start..<end, carried: carried, first: next))
      while next < candidates.count && candidates[next].range.lowerBound < end {
        carried.append(candidates[next])
        next += 1
      }
      carried.removeAll { $0.range.upperBound <= end }
      start = end
    }
    return pieces
  }

  /// The operations in the order of the new file; they do not overlap there.
  ///
  /// - `literals`: what the bytes of the new file cost that are not copied.
  func operations(
    _ costs: PatchMaker.CopyCosts, literals: LiteralCosts, processors: Processors = .none
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
    var walk = Walk(self, in: piece.range, costs: costs, literals: literals)
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

  /// All alignments of copies, a little beyond where they were found.
  private func candidates(_ found: [[Copy]]) -> [AlignedRange] {
    var all: [(shift: Int, start: Int, end: Int)] = []
    all.reserveCapacity(found.reduce(0) { $0 + $1.count })
    for copy in found.joined() {
      let shift = copy.old - copy.new
      all.append(
        (
          shift, max(0, -shift, copy.new - CopyChoice.margin),
          min(newCount, oldCount - shift, copy.new + copy.length + CopyChoice.margin)
        ))
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

  /// How far beyond its ends a copy may be used, in bytes.
  private static var margin: Int { 64 }
  /// In bytes.
  private static var smallestPiece: Int { 512 << 10 }

  /// The cheapest paths to the current offset.
  private struct Walk {
    private let choice: CopyChoice
    private let costs: PatchMaker.CopyCosts
    private let literals: LiteralCosts
    private(set) var offset: Int
    private let end: Int
    /// What the bytes before cost if the current one is a literal.
    private var cost = 0
    /// What is left of the cost of literals, in 64ths.
    private var remainder = 0
    /// The last copy on that path.
    private var last = Link()
    private var open: [Open] = []
    private var links: [Link] = []
    private var linkLimit = 1 << 14

    /// A copy on a path, and the one before it on the same path.
    private struct Link {
      /// Its number, if other copies follow it.
      var number: Int?
      var before: Int?
      var range = 0..<0
      /// Nil: the beginning of the file.
      var alignment: Alignment?
      /// Where the cursor of its source is after it.
      var cursor = 0
    }

    /// The path on which the current byte is part of a copy.
    private struct Open {
      let candidate: AlignedRange
      let end: Int
      /// Where the byte at offset 0 of the new file would come from; nil if units are in reverse order.
      let forward: UnsafePointer<UInt8>?
      var cost = Int.max / 2
      var start = 0
      var before: Int?
      /// The next byte that differs.
      var different = 0
      /// The byte after the last one that differed.
      var runEnd = -1

      /// Whether a copy may end at `offset`.
      func mayCut(at offset: Int) -> Bool {
        forward != nil || candidate.alignment.boundary(from: offset) == offset
      }

      /// Whether a copy may begin at `offset`, and can be worth it.
      func mayBegin(at offset: Int) -> Bool {
        forward != nil ? different - offset >= CopyChoice.fewest : end > offset && mayCut(at: offset)
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
    }

    init(
      _ choice: CopyChoice, in range: Range<Int>, costs: PatchMaker.CopyCosts, literals: LiteralCosts
    ) {
      self.choice = choice
      offset = range.lowerBound
      end = range.upperBound
      self.literals = literals
      self.costs = costs
    }

    mutating func open(_ candidate: AlignedRange) {
      guard candidate.range.upperBound > offset else { return }
      var open = Open(
        candidate: candidate, end: min(candidate.range.upperBound, end),
        forward: choice.forward(candidate.alignment))
      open.findDifferent(from: offset, in: choice)
      self.open.append(open)
    }

    /// Continues to the next offset where it matters which path is taken, at most to `limit`.
    mutating func advance(upTo limit: Int) {
      relax()
      let offset = offset
      let costs = costs
      let choice = choice
      var end = min(limit, self.end)
      var isDifferent = false
      open.withUnsafeMutableBufferPointer { open in
        for index in open.indices where open[index].end > offset {
          let different = open[index].different
          if different == offset { isDifferent = true }
          // Not one call with all of them: that allocates an array.
          end = min(end, min(max(different, offset + 1), open[index].nextCut(after: offset)))
        }
        guard isDifferent else { return }
        end = offset + 1
        for index in open.indices where open[index].different == offset && open[index].end > offset {
          if open[index].runEnd != offset { open[index].cost += costs.run }
          open[index].cost += costs.difference
          open[index].runEnd = offset + 1
          open[index].findDifferent(from: offset + 1, in: choice)
        }
      }
      remainder += literals.sum(offset..<end) * costs.literal
      cost += remainder / 64
      remainder %= 64
      self.offset = end
    }

    /// Ends copies, and begins others, where that is cheaper.
    private mutating func relax() {
      var closed = false
      for index in open.indices {
        if open[index].cost < cost && open[index].mayCut(at: offset) {
          let copy = open[index]
          let alignment = copy.candidate.alignment
          cost = copy.cost
          last = Link(
            before: copy.before, range: copy.start..<offset, alignment: alignment,
            cursor: alignment.cursor(after: offset))
        }
        if open[index].end <= offset { closed = true }
      }
      if closed { open.removeAll { $0.end <= offset } }
      for index in open.indices
      where cost + costs.operation < open[index].cost && open[index].mayBegin(at: offset) {
        let source = open[index].candidate.alignment.sourceOffset(of: offset)
        let started = cost + costs.operation + deltaCost(to: source)
        guard started < open[index].cost else { continue }
        open[index].cost = started
        open[index].start = offset
        open[index].before = linkLast()
      }
    }

    /// The cost of encoding where a copy begins.
    private func deltaCost(to source: Int) -> Int {
      var size = Varint.size(of: Varint.zigzag(Int64(source - last.cursor)))
      if let before = last.before {
        size = min(size, Varint.size(of: Varint.zigzag(Int64(source - links[before].cursor))))
      }
      return size * costs.delta
    }

    private mutating func linkLast() -> Int? {
      if last.number == nil && last.alignment != nil {
        if links.count >= linkLimit { removeUnused() }
        last.number = links.count
        links.append(last)
      }
      return last.number
    }

    /// Drops copies that are on no path any more.
    private mutating func removeUnused() {
      var isUsed = [Bool](repeating: false, count: links.count)
      for way in open { if let before = way.before { isUsed[before] = true } }
      if let before = last.before { isUsed[before] = true }
      for number in links.indices.reversed() where isUsed[number] {
        if let before = links[number].before { isUsed[before] = true }
      }
      var numbers = [Int](repeating: 0, count: links.count)
      var count = 0
      for number in links.indices where isUsed[number] {
        numbers[number] = count
        links[count] = links[number]
        links[count].before = links[number].before.map { numbers[$0] }
        count += 1
      }
      links.removeLast(links.count - count)
      last.before = last.before.map { numbers[$0] }
      for index in open.indices { open[index].before = open[index].before.map { numbers[$0] } }
      linkLimit = max(linkLimit, 2 * count)
    }

    /// The operations of the cheapest path.
    consuming func finish() -> [ScriptOperation] {
      relax()
      var operations: [ScriptOperation] = []
      var link: Link? = last
      while let copy = link, let alignment = copy.alignment {
        let differs = choice.different(alignment, in: copy.range) < copy.range.upperBound
        operations.append(alignment.operation(copy.range, hasDifferences: differs))
        link = copy.before.map { links[$0] }
      }
      return operations.reversed()
    }
  }

  /// Where the byte at offset 0 of the new file would come from; nil if units are in reverse order.
  private func forward(_ alignment: Alignment) -> UnsafePointer<UInt8>? {
    guard case .forward(let shift) = alignment.order else { return nil }
    switch alignment.source {
    case .old: return old + shift
    case .new: return new + shift
    }
  }

  /// The next byte that differs, or the end.
  private func different(_ alignment: Alignment, in range: Range<Int>) -> Int {
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

  /// The equal bytes with which a copy has to begin.
  private static var fewest: Int { 4 }
}
