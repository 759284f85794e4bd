internal import PatchFormat

/// The stage Choose: chooses copies again and again, and looks for the costs with which the script becomes smallest.
///
/// What a literal, a difference or a copy comes to after compression depends on the file: in a text that repeats itself
/// only a long copy is worth more than its literals, in noise a short one is, too. So costs are learned from the smallest
/// script so far, and then reduced one by one.
struct CostSearch {
  private let range: SearchRange
  private let found: [[Copy]]
  private let unchanged: UnchangedRanges
  /// What the first matching has found; the others are estimated in the same way.
  private let matched: Candidate
  private let options: PatchMaker.Options
  /// With numbers as such, if there are any, and without.
  private let variants: [Variant]
  private var variant: Variant
  private var literals: LiteralCosts
  private var contest = Contest()
  /// Nil: everything that is tried is estimated as a whole.
  private let screening: Screening?
  /// The sizes of the smallest script so far: its own, and that of its screened parts.
  private var bestSizes = (whole: 0, parts: 0)
  /// With which copies are first chosen, and those with which they are when literals were learned.
  private var costs: (first: PatchMaker.CopyCosts, learned: PatchMaker.CopyCosts)

  /// A script that is not estimated yet.
  private typealias Proposal = (script: PatchScript, origin: ScriptTrial.Origin)

  /// What is chosen from.
  private struct Variant {
    let numbers: NumberParser?
    /// Nil if there are no copies.
    let choice: CopyChoice?
  }

  /// - `found`: the copies of several matchings.
  /// - `matched`: what the first matching has found.
  init(
    _ range: SearchRange, among found: [[Copy]], _ doubles: FoundDoubles, unchanged: UnchangedRanges,
    after matched: Candidate, options: PatchMaker.Options
  ) {
    // Where nothing was found, as in noise, nothing is to be chosen.
    let same = found[0].isEmpty ? nil : range.sameOffsets
    let all = found + (same.map { [[$0]] } ?? [])
    let screening = Screening(range, matched.estimate, options: options)
    self.screening = screening
    func variant(_ numbers: NumberParser?) -> Variant {
      let lines = numbers?.others(doubles.lines) ?? doubles.lines
      return Variant(
        numbers: numbers,
        choice: CopyChoice(
          old: range.old, new: range.new, among: all, lines: lines, unchanged: unchanged,
          screened: screening?.ranges ?? []))
    }
    variants = (doubles.numbers.map { [variant($0)] } ?? []) + [variant(nil)]
    self.variant = variants[0]
    self.range = range
    self.found = found
    self.unchanged = unchanged
    self.matched = matched
    self.options = options
    costs = (options.costs, options.learnedCosts)
    literals = LiteralCosts(range.new)
  }

  /// All scripts that are tried, and the smallest of them.
  consuming func run() throws(DeltaCreateError) -> Contest {
    var search = self
    try search.addAll()
    return search.contest
  }

  private mutating func addAll() throws(DeltaCreateError) {
    try addMatchings()
    if !found[0].isEmpty { try addAligned() }
    let before = contest.best?.size ?? .max
    try addFirst()
    guard variant.choice != nil else { return }
    // What the new file costs without the old one shows long copies which short ones would hide.
    learn(from: [])
    let alone = literals.sum(0..<range.new.count) / 64
    try addLearned()
    if let best = contest.best, CostSearch.isWorthMore(best.size, than: before) {
      try learnFromBest()
      // Costs that suited what literals were estimated at before hardly suit what they cost now.
      var start = costs.learned
      if let learned = contest.best?.costs, learned != best.costs { start = learned }
      try reduce(\.operation, to: (1, 2), from: &start)
      try reduce(\.literal, to: (3, 4), from: &start)
    }
    // Some rebuilt files share so little with the old one that copies only cost.
    if !range.old.isEmpty, let best = contest.best, alone / Tuning.CostSearch.mostOfLiterals <= best.size {
      for literals in try promising([(script(of: []), .literals)]) {
        contest.addUnlike(try estimated(literals.script, literals.origin))
      }
    }
  }

  /// Adds what each matching has found, as it is: of small files that is sometimes smallest.
  private mutating func addMatchings() throws(DeltaCreateError) {
    contest.add(matched)
    guard matched.size <= Tuning.CostSearch.smallPatch else { return }
    let numbers = variants[0].numbers
    for (number, copies) in found.enumerated() where number > 0 || numbers != nil {
      let operations = copies.map(ScriptOperation.init)
      contest.add(
        try estimated(
          range.script(numbers?.operations(operations) ?? operations),
          .matched(number, numbers: numbers != nil)))
    }
  }

  /// Adds what the first matching has found with each copy continued to the next one, and both with fewer pauses.
  ///
  /// In arrays of numbers that have all changed a little, few bytes are equal, but all differences are small. If one of these
  /// scripts is the smallest so far, the others are encoded like it, and what its differences cost is where the search begins.
  private mutating func addAligned() throws(DeltaCreateError) {
    var sparse: [Proposal] = [(matched.script, matched.origin)]
    var dense: [Proposal] = []
    let most = range.different(found[0]) * Tuning.CostSearch.mostDifferent
    for copies in aligned {
      let different = range.different(copies)
      // What has moved would be compressed whole, however much that is.
      guard matched.estimate.extent == .sample || different <= most else {
        contest.reject(.aligned, size: different, .farAboveBest)
        continue
      }
      let script = range.script(copies.map(ScriptOperation.init))
      sparse.append((script, .aligned))
      dense.append((script, .aligned))
    }
    for index in sparse.indices { sparse[index].script.shortestPause = options.longPause }
    let promising = try promising(sparse + dense)
    let candidates = try options.processors.map(promising) { (script) throws(DeltaCreateError) in
      try estimated(script.script, script.origin)
    }
    for candidate in candidates where contest.add(candidate) {
      costs.learned.shortestPause = candidate.script.shortestPause
      costs.learned = try measured(candidate, after: costs.learned)
      costs.first = costs.learned
      (costs.first.literal, costs.first.operation) = (options.costs.literal, options.costs.operation)
    }
  }

  /// The copies of the first matching, each continued to the next one, and those from the same offsets.
  private var aligned: [[Copy]] {
    let copies = found[0]
    let continued = copies.indices.map { index in
      let copy = copies[index]
      let start = index > 0 ? copy.new : max(0, -copy.shift)
      let next = index + 1 < copies.count ? copies[index + 1].new : range.new.count
      let end = min(next, range.old.count - copy.shift)
      return Copy(new: start, old: start + copy.shift, length: end - start)
    }
    return [continued] + (range.sameOffsets.map { [[$0]] } ?? [])
  }

  /// Adds what is chosen with constant costs, and stays with the variant that is smaller.
  private mutating func addFirst() throws(DeltaCreateError) {
    let searches = variants.map { variant in
      var search = self
      search.use(variant, literals)
      return search
    }
    self = searches[0]
    if searches.count > 1 {
      let sizes = try options.processors.map(searches) { (search) throws(DeltaCreateError) in
        if let screening { return try screening.size(of: search.screened(costs.first)) }
        let (script, origin) = search.chosen(costs.first)
        return try estimated(script, origin).size
      }
      self = searches[sizes[0] <= sizes[1] ? 0 : 1]
    }
    _ = try add(costs.first)
  }

  private mutating func use(_ variant: Variant, _ literals: LiteralCosts) {
    self.variant = variant
    self.literals = literals
    variant.numbers?.setCosts(in: &self.literals)
  }

  /// Whether more costs are worth trying: what a small patch could still save is less than what a request for it takes,
  /// unless the first costs have saved much.
  private static func isWorthMore(_ size: Int, than before: Int) -> Bool {
    size > Tuning.CostSearch.fewBytes || size < before - before / Tuning.CostSearch.leastFirstGain
  }

  /// Adds scripts that are chosen with the literals alone, with other costs of an operation too.
  private mutating func addLearned() throws(DeltaCreateError) {
    _ = try add(self.costs.learned)
    for operation in options.operationCosts {
      var costs = self.costs.learned
      costs.operation = operation
      guard try add(costs) else { return }
    }
  }

  /// Chooses copies by what the literals of the smallest script so far cost, then also by what its differences come to, as
  /// long as that makes it smaller.
  private mutating func learnFromBest() throws(DeltaCreateError) {
    guard let best = contest.best else { return }
    learn(from: best.script.operations)
    var isSmaller = try add(self.costs.learned)
    for _ in 0..<Tuning.CostSearch.mostRounds {
      guard let best = contest.best else { return }
      if isSmaller { learn(from: best.script.operations) }
      isSmaller = try add(measured(best, after: best.costs ?? self.costs.learned))
      guard isSmaller, isWorthAnother(after: best.size) else { return }
    }
  }

  /// What differences cost in a candidate.
  private func measured(
    _ candidate: Candidate, after costs: PatchMaker.CopyCosts
  ) throws(DeltaCreateError) -> PatchMaker.CopyCosts {
    try CostMeasurement.costs(of: candidate.sample.blocks, after: costs, options: options)
  }

  /// Whether the last try has saved so much that the next one may be worth it.
  private func isWorthAnother(after before: Int) -> Bool {
    contest.best?.size ?? .max < before - before / Tuning.CostSearch.leastGain
  }

  /// Reduces one cost to a part of itself, several times as long as that makes the script smaller.
  ///
  /// Larger costs are not tried: they were hardly ever better.
  ///
  /// - `part`: a fraction.
  /// - `start`: the costs to begin with; becomes the best ones.
  private mutating func reduce(
    _ cost: WritableKeyPath<PatchMaker.CopyCosts, Int>, to part: (Int, Int),
    from start: inout PatchMaker.CopyCosts
  ) throws(DeltaCreateError) {
    while true {
      let before = contest.best?.size ?? .max
      var costs = start
      costs[keyPath: cost] = costs[keyPath: cost] * part.0 / part.1
      guard try add(costs) else { return }
      start = costs
      guard isWorthAnother(after: before) else { return }
    }
  }

  // MARK: - Trials

  /// Returns whether it is the smallest so far.
  private mutating func add(_ costs: PatchMaker.CopyCosts) throws(DeltaCreateError) -> Bool {
    if screening != nil, try promising([(screened(costs), origin(costs))]).isEmpty { return false }
    let (script, origin) = chosen(costs)
    guard !contest.rejectIfKnown(script, origin) else { return false }
    return contest.add(try estimated(script, origin))
  }

  /// Those scripts that may be the smallest, as far as parts of the file show; the others are rejected.
  private mutating func promising(_ scripts: [Proposal]) throws(DeltaCreateError) -> [Proposal] {
    guard let screening, let best = contest.best else { return scripts }
    if bestSizes.whole != best.size { bestSizes = (best.size, try screening.size(of: best.script)) }
    let sizes = try options.processors.map(scripts) { (script) throws(DeltaCreateError) in
      try screening.size(of: script.script)
    }
    var promising: [Proposal] = []
    for (script, size) in zip(scripts, sizes) {
      if screening.isTooLarge(size, beside: bestSizes.parts) {
        contest.reject(script.origin, size: best.size * size / max(bestSizes.parts, 1), .larger)
      } else {
        promising.append(script)
      }
    }
    return promising
  }

  /// The script with the least costs in the screened parts; of others it says nothing.
  private func screened(_ costs: PatchMaker.CopyCosts) -> PatchScript {
    script(with: costs, in: variant.choice?.screened ?? [])
  }

  /// The script with the least costs.
  private func chosen(_ costs: PatchMaker.CopyCosts) -> Proposal {
    (script(with: costs, in: variant.choice?.pieces ?? []), origin(costs))
  }

  private func origin(_ costs: PatchMaker.CopyCosts) -> ScriptTrial.Origin {
    .costs(costs, numbers: variant.numbers != nil)
  }

  private func script(with costs: PatchMaker.CopyCosts, in pieces: [CopyChoice.Piece]) -> PatchScript {
    let copies = variant.choice?.operations(
      costs, literals: literals, in: pieces, processors: options.processors)
    var script = script(of: copies ?? [])
    script.shortestPause = costs.shortestPause
    return script
  }

  private func estimated(
    _ script: PatchScript, _ origin: ScriptTrial.Origin
  ) throws(DeltaCreateError) -> Candidate {
    try Candidate(script, origin, by: matched.estimate, options: options)
  }

  private mutating func learn(from operations: [ScriptOperation]) {
    literals.learn(from: operations, of: range.new, without: unchanged)
    variant.numbers?.setCosts(in: &literals)
  }

  private func script(of copies: [ScriptOperation]) -> PatchScript {
    range.script(variant.numbers?.operations(copies) ?? copies)
  }
}
