internal import PatchFormat

/// Chooses copies again and again, and looks for the costs with which the script becomes smallest.
///
/// What a literal, a difference or a copy comes to after compression depends on the file: in a text that repeats itself
/// only a long copy is worth more than its literals, in noise a short one is, too. So costs are learned from the smallest
/// script so far, and then varied one by one.
struct CostSearch {
  private let choice: CopyChoice
  private let numbers: NumberParser?
  private let old: UnsafeBufferPointer<UInt8>
  private let new: UnsafeBufferPointer<UInt8>
  private let options: PatchMaker.Options
  private let unchanged: UnchangedRanges
  private var literals: LiteralCosts

  /// A script that is chosen with some costs.
  private struct Trial {
    let costs: PatchMaker.CopyCosts
    let script: PatchScript
    let measured: ScriptRanking.Measurement
  }

  /// - `numbers`: nil if they are not encoded as such.
  /// - `unchanged`: what literals there would cost does not matter.
  init(
    _ choice: CopyChoice, numbers: NumberParser?, old: UnsafeBufferPointer<UInt8>,
    new: UnsafeBufferPointer<UInt8>, unchanged: UnchangedRanges = UnchangedRanges(),
    options: PatchMaker.Options
  ) {
    self.choice = choice
    self.numbers = numbers
    self.old = old
    self.new = new
    self.unchanged = unchanged
    self.options = options
    literals = LiteralCosts(new, processors: options.processors)
    numbers?.setCosts(in: &literals)
  }

  /// Adds what it finds to `ranking`.
  ///
  /// - `first`: a script that was not chosen by cost.
  mutating func run(
    _ ranking: inout ScriptRanking, after first: ScriptRanking.Ranked?
  ) throws(DeltaCreateError) {
    let known = ranking
    // What the new file costs without the old one shows long copies which short ones would hide.
    let (usual, alone) = try options.processors.both(
      { () throws(DeltaCreateError) in
        try trials([options.costs], known, like: first)[0]
      },
      { () throws(DeltaCreateError) in learned(from: []) })
    try ranking.add(usual.script, like: first, costs: usual.costs, measured: usual.measured)
    literals = alone
    let literalsAlone = literals.sum(0..<new.count) / 64
    try addLearned(to: &ranking, like: first)
    if CostSearch.isWorthMore(ranking, than: known) {
      let before = ranking.best?.costs
      try learnFromBest(&ranking)
      // Costs that suited what literals were estimated at before hardly suit what they cost now.
      var costs = options.learnedCosts
      if let learned = ranking.best?.costs, learned != before { costs = learned }
      try vary(\.operation, by: [(2, 1), (1, 2)], from: &costs, &ranking)
      try vary(\.literal, by: [(4, 3), (3, 4)], from: &costs, &ranking)
    }
    // Some rebuilt files share so little with the old one that copies only cost.
    if !old.isEmpty, let best = ranking.best, literalsAlone / CostSearch.mostOfLiterals <= best.size {
      let literals = script(of: [])
      if try !ranking.isFarAboveBest(sampleOf: literals) { try ranking.add(literals) }
    }
  }

  /// Whether more costs are worth trying: what a small patch could still save is less than what a request for it takes,
  /// unless the first costs have saved much.
  private static func isWorthMore(_ ranking: ScriptRanking, than known: ScriptRanking) -> Bool {
    guard let best = ranking.best, let before = known.best else { return true }
    return best.size > fewBytes || best.size < before.size - before.size / leastFirstGain
  }

  /// Adds scripts that are chosen with the literals alone, with other costs of an operation too.
  private func addLearned(
    to ranking: inout ScriptRanking, like base: ScriptRanking.Ranked?
  ) throws(DeltaCreateError) {
    let all = options.operationCosts.map { operation in
      var costs = options.learnedCosts
      costs.operation = operation
      return costs
    }
    // Those that are certainly tried.
    let first = [options.learnedCosts] + all.prefix(1)
    let known = try trials(first, ranking, like: base)
    try ranking.add(known[0].script, like: base, costs: first[0], measured: known[0].measured)
    for (number, costs) in all.enumerated() {
      let (next, measured) = number == 0 ? (known[1].script, known[1].measured) : (script(costs), .none)
      guard try ranking.add(next, like: base, costs: costs, measured: measured) else { break }
    }
  }

  /// Chooses copies by what the literals of the smallest script so far cost, then also by what its differences come to, as
  /// long as that makes it smaller.
  private mutating func learnFromBest(_ ranking: inout ScriptRanking) throws(DeltaCreateError) {
    guard let best = ranking.best, best.script.streams.isEmpty else { return }
    literals = learned(from: best.script.operations)
    var isSmaller = try add(trial(options.learnedCosts, ranking), to: &ranking)
    for _ in 0..<CostSearch.mostRounds {
      guard let best = ranking.best, best.script.streams.isEmpty else { return }
      if isSmaller { literals = learned(from: best.script.operations) }
      isSmaller = try add(trial(measuredCosts(of: best), ranking), to: &ranking)
      guard isSmaller, let after = ranking.best, after.size < best.size - best.size / CostSearch.leastGain
      else { return }
    }
  }

  /// Multiplies one cost by a factor, several times as long as that makes the script smaller.
  ///
  /// - `factors`: as fractions; when one has helped, the next ones are not tried.
  /// - `start`: the costs to begin with; becomes the best ones.
  private mutating func vary(
    _ cost: WritableKeyPath<PatchMaker.CopyCosts, Int>, by factors: [(Int, Int)],
    from start: inout PatchMaker.CopyCosts, _ ranking: inout ScriptRanking
  ) throws(DeltaCreateError) {
    guard let best = ranking.best, best.script.streams.isEmpty else { return }
    let first = start
    func multiplied(_ costs: PatchMaker.CopyCosts, by factor: (Int, Int)) -> PatchMaker.CopyCosts {
      var costs = costs
      costs[keyPath: cost] = costs[keyPath: cost] * factor.0 / factor.1
      return costs
    }
    for factor in factors {
      var costs = first
      while costs[keyPath: cost] < CostSearch.largestCost {
        costs = multiplied(costs, by: factor)
        guard try add(trial(costs, ranking), to: &ranking) else { break }
        start = costs
      }
      guard start == first else { return }
    }
  }

  // MARK: - Trials

  /// Scripts for all of some costs, made side by side.
  private func trials(
    _ all: [PatchMaker.CopyCosts], _ ranking: ScriptRanking, like first: ScriptRanking.Ranked?
  ) throws(DeltaCreateError) -> [Trial] {
    try options.processors.map(all) { (costs) throws(DeltaCreateError) in
      let script = script(costs)
      return Trial(costs: costs, script: script, measured: try ranking.measure(script, like: first))
    }
  }

  private func trial(
    _ costs: PatchMaker.CopyCosts, _ ranking: ScriptRanking
  ) throws(DeltaCreateError) -> Trial {
    let script = script(costs)
    return Trial(costs: costs, script: script, measured: try ranking.measureVariant(script))
  }

  /// Returns whether it is the smallest so far.
  private func add(_ trial: Trial, to ranking: inout ScriptRanking) throws(DeltaCreateError) -> Bool {
    try ranking.addVariant(trial.script, costs: trial.costs, measured: trial.measured)
  }

  private func measuredCosts(
    of best: ScriptRanking.Ranked
  ) throws(DeltaCreateError) -> PatchMaker.CopyCosts {
    try CostMeasurement.costs(of: best.script, after: best.costs ?? options.learnedCosts, options: options)
  }

  private func learned(from operations: [ScriptOperation]) -> LiteralCosts {
    var literals = literals
    literals.learn(from: operations, of: new, without: unchanged, processors: options.processors)
    numbers?.setCosts(in: &literals)
    return literals
  }

  private func script(_ costs: PatchMaker.CopyCosts) -> PatchScript {
    script(of: choice.operations(costs, literals: literals, processors: options.processors))
  }

  private func script(of copies: [ScriptOperation]) -> PatchScript {
    PatchScript(old: old, output: .file(new), operations: numbers?.operations(copies) ?? copies)
  }

  private static var mostRounds: Int { 3 }
  /// The least gain that another round is worth, as a part of the size.
  private static var leastGain: Int { 400 }
  private static var largestCost: Int { 1 << 14 }
  /// The bytes of a patch that is searched further only if first costs saved much.
  private static var fewBytes: Int { 16 << 10 }
  /// That much, as a part of the size.
  private static var leastFirstGain: Int { 64 }
  /// How many times as large as a patch literals may be that compression could make smaller than it.
  private static var mostOfLiterals: Int { 3 }
}
