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
  private let incompressibility: Incompressibility
  /// In the order of where they begin.
  private var candidates: [Candidate] = []

  /// Nil if a file is empty; both have to outlive it.
  init?(old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, among found: [[Copy]]) {
    guard let oldBase = old.baseAddress, let newBase = new.baseAddress else { return nil }
    self.old = oldBase
    self.new = newBase
    oldCount = old.count
    newCount = new.count
    incompressibility = Incompressibility(new)
    candidates = candidates(found)
  }

  /// A range of the new file that may be copied with one alignment.
  private struct Candidate {
    var start: Int
    var end: Int
    /// Leads from an offset in the new file to the one in the old file.
    let shift: Int
  }

  /// The copies in the order of the new file; they do not overlap there.
  func copies(_ costs: PatchMaker.CopyCosts) -> [Copy] {
    var walk = Walk(self, costs: costs)
    var next = 0
    while walk.offset < newCount {
      while next < candidates.count && candidates[next].start <= walk.offset {
        walk.open(candidates[next])
        next += 1
      }
      walk.advance(upTo: next < candidates.count ? candidates[next].start : newCount)
    }
    return walk.finish()
  }

  /// All alignments, a little beyond where they were found, in the order of their beginnings.
  private func candidates(_ found: [[Copy]]) -> [Candidate] {
    var all: [Candidate] = []
    all.reserveCapacity(found.reduce(0) { $0 + $1.count })
    for copy in found.joined() {
      let shift = copy.old - copy.new
      all.append(
        Candidate(
          start: max(0, -shift, copy.new - CopyChoice.margin),
          end: min(newCount, oldCount - shift, copy.new + copy.length + CopyChoice.margin), shift: shift))
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
    all.sort { ($0.start, $0.shift) < ($1.start, $1.shift) }
    return all
  }

  /// The cost of an incompressible literal, in eighths of a byte.
  private static var incompressibleLiteral: Int { 8 }
  /// How far beyond its ends a copy may be used, in bytes.
  private static var margin: Int { 64 }

  /// The cheapest paths to the current offset.
  private struct Walk {
    private let choice: CopyChoice
    private let costs: PatchMaker.CopyCosts
    private(set) var offset = 0
    /// What the bytes before cost if the current one is a literal.
    private var cost = 0
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
      var start = 0
      var end = 0
      var shift = 0
    }

    /// The path on which the current byte is part of a copy.
    private struct Open {
      let candidate: Candidate
      var cost = Int.max / 2
      var start = 0
      var before: Int?
      /// The next byte that differs.
      var different: Int
      /// The byte after the last one that differed.
      var runEnd = -1
    }

    init(_ choice: CopyChoice, costs: PatchMaker.CopyCosts) {
      self.choice = choice
      self.costs = costs
    }

    mutating func open(_ candidate: Candidate) {
      guard candidate.end > offset else { return }
      open.append(Open(candidate: candidate, different: choice.different(candidate, from: offset)))
    }

    /// Continues to the next offset where it matters which path is taken, at most to `limit`.
    mutating func advance(upTo limit: Int) {
      relax()
      var end = min(limit, choice.newCount)
      var isDifferent = false
      open.removeAll { $0.candidate.end <= offset }
      for index in open.indices {
        if open[index].different == offset { isDifferent = true }
        end = min(end, max(open[index].different, offset + 1), open[index].candidate.end)
      }
      if isDifferent { end = offset + 1 }
      cost +=
        (end - offset) * (choice.incompressibility[offset] ? CopyChoice.incompressibleLiteral : costs.literal)
      if isDifferent {
        for index in open.indices where open[index].different == offset {
          if open[index].runEnd != offset { open[index].cost += costs.run }
          open[index].cost += costs.difference
          open[index].runEnd = offset + 1
          open[index].different = choice.different(open[index].candidate, from: offset + 1)
        }
      }
      offset = end
    }

    /// Ends copies, and begins others, where that is cheaper.
    private mutating func relax() {
      for index in open.indices where open[index].cost < cost {
        let copy = open[index]
        cost = copy.cost
        last = Link(before: copy.before, start: copy.start, end: offset, shift: copy.candidate.shift)
      }
      for index in open.indices where open[index].different - offset >= CopyChoice.fewest {
        let started = cost + costs.operation + deltaCost(to: offset + open[index].candidate.shift)
        guard started < open[index].cost else { continue }
        open[index].cost = started
        open[index].start = offset
        open[index].before = linkLast()
      }
    }

    /// The cost of encoding where in the old file a copy begins.
    private func deltaCost(to source: Int) -> Int {
      var size = Varint.size(of: Varint.zigzag(Int64(source - last.end - last.shift)))
      if let before = last.before {
        let earlier = links[before].end + links[before].shift
        size = min(size, Varint.size(of: Varint.zigzag(Int64(source - earlier))))
      }
      return size * costs.delta
    }

    private mutating func linkLast() -> Int? {
      if last.number == nil && last.end > 0 {
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

    /// The copies of the cheapest path.
    consuming func finish() -> [Copy] {
      relax()
      var copies: [Copy] = []
      var link: Link? = last.end > 0 ? last : nil
      while let copy = link {
        copies.append(
          Copy(new: copy.start, old: copy.start + copy.shift, length: copy.end - copy.start))
        link = copy.before.map { links[$0] }
      }
      return copies.reversed()
    }
  }

  /// The next byte that differs, or the end.
  private func different(_ candidate: Candidate, from offset: Int) -> Int {
    guard offset < candidate.end else { return candidate.end }
    return offset
      + equalBytes(old + offset + candidate.shift, new + offset, atMost: candidate.end - offset)
  }

  /// The equal bytes with which a copy has to begin.
  private static var fewest: Int { 4 }
}
