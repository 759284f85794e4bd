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
  private var literals: LiteralCosts

  /// - `numbers`: nil if they are not encoded as such.
  init(
    _ choice: CopyChoice, numbers: NumberParser?, old: UnsafeBufferPointer<UInt8>,
    new: UnsafeBufferPointer<UInt8>, options: PatchMaker.Options
  ) {
    self.choice = choice
    self.numbers = numbers
    self.old = old
    self.new = new
    self.options = options
    literals = LiteralCosts(new)
    numbers?.setCosts(in: &literals)
  }

  /// Adds what it finds to `ranking`.
  ///
  /// - `first`: a script that was not chosen by cost.
  /// - `isSmall`: whether trying more costs little.
  mutating func run(
    _ ranking: inout ScriptRanking, after first: ScriptRanking.Ranked?, isSmall: Bool
  ) throws(DeltaCreateError) {
    for costs in isSmall ? options.costs : [options.costs[0]] {
      try ranking.add(script(costs), like: first, costs: costs)
    }
    // What the new file costs without the old one: that shows long copies which short ones would hide.
    learn(from: [])
    let literalsAlone = literals.sum(0..<new.count) / 64
    var costs = options.learnedCosts
    let learned = try ranking.add(script(costs), costs: costs)
    for operation in options.operationCosts {
      costs.operation = operation
      guard try ranking.add(script(costs), like: learned, costs: costs) else { break }
    }
    try learnFromBest(&ranking)
    try vary(\.operation, by: [(2, 1), (1, 2)], &ranking)
    try vary(\.literal, by: [(4, 3), (3, 4)], &ranking)
    // Some rebuilt files share so little with the old one that copies only cost.
    if !old.isEmpty, let best = ranking.best, literalsAlone / CostSearch.mostOfLiterals <= best.size {
      let literals = script(of: [])
      if try !ranking.isFarAboveBest(sampleOf: literals) { try ranking.add(literals, like: best) }
    }
  }

  /// Chooses copies by what the literals of the smallest script so far cost, then also by what its differences come to, as
  /// long as that makes it smaller.
  private mutating func learnFromBest(_ ranking: inout ScriptRanking) throws(DeltaCreateError) {
    guard let best = ranking.best, best.script.streams.isEmpty else { return }
    learn(from: best.script.operations)
    try ranking.addVariant(script(options.learnedCosts), costs: options.learnedCosts)
    for _ in 0..<CostSearch.mostRounds {
      guard let best = ranking.best, best.script.streams.isEmpty else { return }
      learn(from: best.script.operations)
      let costs = try CostMeasurement.costs(
        of: best.script, after: best.costs ?? options.learnedCosts, options: options)
      guard try ranking.addVariant(script(costs), costs: costs), let next = ranking.best,
        next.size < best.size - best.size / CostSearch.leastGain
      else { return }
    }
  }

  /// Multiplies one cost by a factor, several times as long as that makes the script smaller.
  ///
  /// - `factors`: as fractions; when one has helped, the next ones are not tried.
  private mutating func vary(
    _ cost: WritableKeyPath<PatchMaker.CopyCosts, Int>, by factors: [(Int, Int)],
    _ ranking: inout ScriptRanking
  ) throws(DeltaCreateError) {
    guard let best = ranking.best, best.script.streams.isEmpty, var costs = best.costs else { return }
    for (numerator, denominator) in factors {
      let first = costs
      while costs[keyPath: cost] < CostSearch.largestCost {
        costs[keyPath: cost] = costs[keyPath: cost] * numerator / denominator
        guard try ranking.addVariant(script(costs), costs: costs) else { break }
      }
      guard ranking.best?.costs == first else { return }
      costs = first
    }
  }

  private mutating func learn(from operations: [ScriptOperation]) {
    literals.learn(from: operations, of: new)
    numbers?.setCosts(in: &literals)
  }

  private func script(_ costs: PatchMaker.CopyCosts) -> PatchScript {
    script(of: choice.operations(costs, literals: literals))
  }

  private func script(of copies: [ScriptOperation]) -> PatchScript {
    PatchScript(old: old, output: .file(new), operations: numbers?.operations(copies) ?? copies)
  }

  private static var mostRounds: Int { 3 }
  /// The least gain that another round is worth, as a part of the size.
  private static var leastGain: Int { 400 }
  private static var largestCost: Int { 1 << 14 }
  /// How many times as large as a patch literals may be that compression could make smaller than it.
  private static var mostOfLiterals: Int { 3 }
}
