internal import PatchFormat

/// The cheapest paths to the current offset.
struct CopyWalk {
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
  private var open: [OpenCopy] = []
  private var asleep: [Asleep] = []
  /// Where the next one of them may begin.
  private var nextWaking = Int.max
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

  /// A copy that is on no path before it can begin.
  private struct Asleep {
    let copy: OpenCopy
    let until: Int
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

  /// Adds a copy that begins before the current offset, or there.
  mutating func open(_ candidate: AlignedRange) {
    guard candidate.range.upperBound > offset else { return }
    let copy = OpenCopy(candidate, upTo: end, in: choice)
    guard let beginning = copy.nextBeginning(from: offset, in: choice) else { return }
    if beginning > offset { sleep(copy, until: beginning) } else { wake(copy) }
  }

  // MARK: - Copies that do not matter

  /// How much more than literals a path with a copy costs if it is given up: as much as beginning the copy anew may.
  private var hopeless: Int { costs.operation + 5 * costs.delta }

  private mutating func sleep(_ copy: OpenCopy, until beginning: Int) {
    asleep.append(Asleep(copy: copy, until: beginning))
    nextWaking = min(nextWaking, beginning)
  }

  private mutating func wake(_ copy: OpenCopy) {
    var copy = copy
    copy.findDifferent(from: offset, in: choice)
    open.append(copy)
  }

  private mutating func wakeSleepers() {
    guard nextWaking <= offset else { return }
    nextWaking = .max
    for sleeper in asleep {
      if sleeper.until <= offset { wake(sleeper.copy) } else { nextWaking = min(nextWaking, sleeper.until) }
    }
    asleep.removeAll { $0.until <= offset }
  }

  /// Gives up paths that cost at least `least`: until another copy may begin, their differences do not matter.
  private mutating func giveUp(_ least: Int) {
    for copy in open where copy.isHopeless(at: offset, least) {
      guard let beginning = copy.nextBeginning(from: offset, in: choice) else { continue }
      var copy = copy
      copy.cost = OpenCopy.neverBegun
      sleep(copy, until: beginning)
    }
    open.removeAll { $0.isHopeless(at: offset, least) }
  }

  // MARK: - Steps

  /// Continues to the next offset where it matters which path is taken, at most to `limit`.
  mutating func advance(upTo limit: Int) {
    wakeSleepers()
    relax()
    let (next, isDifferent) = nextStep(upTo: limit)
    remainder += literals.sum(offset..<next) * costs.literal
    cost += remainder / 64
    remainder %= 64
    let before = offset
    offset = next
    if isDifferent { passDifferences(at: before) }
  }

  /// The next offset where it matters which path is taken, and whether the current byte differs in a copy.
  private func nextStep(upTo limit: Int) -> (end: Int, isDifferent: Bool) {
    var end = min(limit, end, nextWaking)
    return open.withUnsafeBufferPointer { open in
      for index in open.indices where open[index].end > offset {
        let different = open[index].different
        if different == offset { return (offset + 1, true) }
        // Not one call with all of them: that allocates an array.
        end = min(end, min(max(different, offset + 1), open[index].nextCut(after: offset)))
      }
      return (end, false)
    }
  }

  /// Adds the costs of the differences in the byte before the current one.
  private mutating func passDifferences(at before: Int) {
    let costs = costs
    let choice = choice
    let offset = offset
    let least = cost + hopeless
    var isHopeless = false
    open.withUnsafeMutableBufferPointer { open in
      for index in open.indices where open[index].different == before && open[index].end > before {
        open[index].passDifferent(costs, in: choice)
        if open[index].isHopeless(at: offset, least) { isHopeless = true }
      }
    }
    if isHopeless { giveUp(least) }
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
