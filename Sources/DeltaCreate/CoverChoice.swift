internal import PatchFormat

/// Chooses among covers of several matchings those with which the new file costs least, and cuts them where it is best.
///
/// The cheapest way through the new file is found from its front to its end (dynamic programming): at each place it is
/// known what the bytes before cost at least if the current byte is an extra, and if it is part of each cover that is open
/// there. Costs are estimates, as what the compression makes of an operation is not known before.
struct CoverChoice {
  private let old: UnsafePointer<UInt8>
  private let new: UnsafePointer<UInt8>
  private let oldCount: Int
  private let newCount: Int
  private let density: Density
  /// In the order of their beginnings.
  private var candidates: [Candidate] = []

  /// Nil if a file is empty; both have to outlive it.
  init?(old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, among found: [[Cover]]) {
    guard let oldBase = old.baseAddress, let newBase = new.baseAddress else { return nil }
    self.old = oldBase
    self.new = newBase
    oldCount = old.count
    newCount = new.count
    density = Density(new)
    candidates = candidates(found)
  }

  /// A stretch of the new file that may be made with an alignment.
  private struct Candidate {
    var start: Int
    var end: Int
    /// Leads from an offset in the new file to the one in the old file.
    let shift: Int
  }

  /// The covers in the order of the new file; they do not overlap there.
  func covers(_ costs: PatchMaker.CoverCosts) -> [Cover] {
    var walk = Walk(self, costs)
    var next = 0
    while walk.place < newCount {
      while next < candidates.count && candidates[next].start <= walk.place {
        walk.open(candidates[next])
        next += 1
      }
      walk.step(upTo: next < candidates.count ? candidates[next].start : newCount)
    }
    return walk.finish()
  }

  /// All alignments, a little beyond where they were found, in the order of their beginnings.
  private func candidates(_ found: [[Cover]]) -> [Candidate] {
    var all: [Candidate] = []
    all.reserveCapacity(found.reduce(0) { $0 + $1.count })
    for cover in found.joined() {
      let shift = cover.old - cover.new
      all.append(
        Candidate(
          start: max(0, -shift, cover.new - CoverChoice.margin),
          end: min(newCount, oldCount - shift, cover.new + cover.length + CoverChoice.margin), shift: shift))
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

  /// What an extra costs that is compressed already, in eighths of a byte.
  private static var dense: Int { 8 }
  /// How far beyond its ends a cover may be used, in bytes.
  private static var margin: Int { 64 }

  /// The cheapest ways to the current place.
  private struct Walk {
    private let choice: CoverChoice
    private let costs: PatchMaker.CoverCosts
    private(set) var place = 0
    /// What the bytes before cost if the current one is an extra.
    private var cost = 0
    /// The cover that ended last on that way.
    private var last = Link()
    private var open: [Open] = []
    private var links: [Link] = []
    private var linkLimit = 1 << 14

    /// A cover on a way, and the one before it on the same way.
    private struct Link {
      /// Its number, if others go on from it.
      var number: Int?
      var before: Int?
      var start = 0
      var end = 0
      var shift = 0
    }

    /// The way on which the current byte is part of a cover.
    private struct Open {
      let candidate: Candidate
      var cost = Int.max / 2
      var start = 0
      var before: Int?
      /// The next byte that differs.
      var different: Int
      /// The byte behind the last one that differed.
      var runEnd = -1
    }

    init(_ choice: CoverChoice, _ costs: PatchMaker.CoverCosts) {
      self.choice = choice
      self.costs = costs
    }

    mutating func open(_ candidate: Candidate) {
      guard candidate.end > place else { return }
      open.append(Open(candidate: candidate, different: choice.different(candidate, from: place)))
    }

    /// Goes on to the next place where it matters which way is taken, not beyond `limit`.
    mutating func step(upTo limit: Int) {
      relax()
      var end = min(limit, choice.newCount)
      var isDifferent = false
      open.removeAll { $0.candidate.end <= place }
      for index in open.indices {
        if open[index].different == place { isDifferent = true }
        end = min(end, max(open[index].different, place + 1), open[index].candidate.end)
      }
      if isDifferent { end = place + 1 }
      cost += (end - place) * (choice.density[place] ? CoverChoice.dense : costs.extra)
      if isDifferent {
        for index in open.indices where open[index].different == place {
          if open[index].runEnd != place { open[index].cost += costs.run }
          open[index].cost += costs.difference
          open[index].runEnd = place + 1
          open[index].different = choice.different(open[index].candidate, from: place + 1)
        }
      }
      place = end
    }

    /// Ends covers, and begins others, where that is cheaper.
    private mutating func relax() {
      for index in open.indices where open[index].cost < cost {
        let cover = open[index]
        cost = cover.cost
        last = Link(before: cover.before, start: cover.start, end: place, shift: cover.candidate.shift)
      }
      for index in open.indices where open[index].different - place >= CoverChoice.fewest {
        let begun = cost + costs.operation + step(to: place + open[index].candidate.shift)
        guard begun < open[index].cost else { continue }
        open[index].cost = begun
        open[index].start = place
        open[index].before = linkLast()
      }
    }

    /// What it costs to tell where in the old file a cover begins.
    private func step(to source: Int) -> Int {
      var size = Varint.size(of: Varint.zigzag(Int64(source - last.end - last.shift)))
      if let before = last.before {
        let earlier = links[before].end + links[before].shift
        size = min(size, Varint.size(of: Varint.zigzag(Int64(source - earlier))))
      }
      return size * costs.step
    }

    private mutating func linkLast() -> Int? {
      if last.number == nil && last.end > 0 {
        if links.count >= linkLimit { removeUnused() }
        last.number = links.count
        links.append(last)
      }
      return last.number
    }

    /// Forgets covers that are on no way any more.
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

    /// The covers of the cheapest way.
    consuming func finish() -> [Cover] {
      relax()
      var covers: [Cover] = []
      var link: Link? = last.end > 0 ? last : nil
      while let cover = link {
        covers.append(
          Cover(new: cover.start, old: cover.start + cover.shift, length: cover.end - cover.start))
        link = cover.before.map { links[$0] }
      }
      return covers.reversed()
    }
  }

  /// The next byte that differs, or the end.
  private func different(_ candidate: Candidate, from place: Int) -> Int {
    guard place < candidate.end else { return candidate.end }
    return place
      + equalBytes(old + place + candidate.shift, new + place, atMost: candidate.end - place)
  }

  /// The equal bytes with which a cover has to begin.
  private static var fewest: Int { 4 }
}
