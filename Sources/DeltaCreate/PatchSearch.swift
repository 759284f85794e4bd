internal import PatchFormat

/// Tries several scripts for the new file, and keeps the one with the smallest patch.
struct PatchSearch {
  private let old: UnsafeBufferPointer<UInt8>
  private let new: UnsafeBufferPointer<UInt8>
  private let plan: MatchPlan
  private let options: PatchMaker.Options
  private var best: (script: PatchScript, sections: CompressedSections)?
  private var figures: StreamFigures

  /// The smallest of all scripts, and what became of the streams of the new file.
  static func smallest(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, plan: MatchPlan,
    options: PatchMaker.Options
  ) throws(DeltaCreateError) -> (sections: CompressedSections, figures: StreamFigures) {
    var search = PatchSearch(old: old, new: new, plan: plan, options: options)
    if let copy = search.wholeCopy {
      try search.tryScript(search.script([copy]))
      guard let best = search.best else { throw .badOption }  // not reached: it is the first
      return (best.sections, search.figures)
    }
    // What takes the most memory goes first, while nothing else does.
    var found = try search.findCopies()
    if plan.searchesStreams,
      let streams = try StreamPlan(
        old: old, new: new, memory: plan.limit, options: options, figures: &search.figures)
    {
      try search.tryStreams(streams)
    }
    try search.tryCopies(&found)
    try search.tryModels()
    guard let best = search.best else { throw .badOption }  // not reached: there is a matching
    return (best.sections, search.figures.rebuilding(best.script.streams))
  }

  private init(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, plan: MatchPlan,
    options: PatchMaker.Options
  ) {
    self.old = old
    self.new = new
    self.plan = plan
    self.options = options
    figures = StreamFigures(unsearched: plan.searchesStreams ? 0 : old.count + new.count)
  }

  /// The copy that makes the new file if it equals the old one.
  private var wholeCopy: ScriptOperation? {
    guard !new.isEmpty, old.count == new.count, let oldBase = old.baseAddress, let newBase = new.baseAddress,
      equalBytes(oldBase, newBase, atMost: new.count) == new.count
    else { return nil }
    return ScriptOperation(operation: .copyOld, new: 0, source: 0, length: new.count)
  }

  /// Whether trying more makes a difference and costs little.
  private var isSmall: Bool { plan.effort == .full && best?.sections.size ?? 0 <= options.smallPatch }

  /// Returns whether it is the smallest so far.
  @discardableResult
  private mutating func tryScript(_ script: PatchScript) throws(DeltaCreateError) -> Bool {
    let limit = best?.sections.size ?? .max
    guard
      let sections = try CompressedSections(script, model: options.models[0], options: options, below: limit)
    else {
      return false
    }
    best = (script, sections)
    return true
  }

  /// Tries other models of LZMA with the best script: all of them if the patch is small, else the one that a sample
  /// recommends.
  private mutating func tryModels() throws(DeltaCreateError) {
    guard plan.effort == .full, let script = best?.script else { return }
    var models = Array(options.models.dropFirst()) + (isSmall ? options.furtherModels : [])
    if !isSmall {
      let sample = try ModelSample(script, options: options)
      models = [try sample.best(of: options.models)].filter { $0 != options.models[0] }
    }
    for model in models {
      let limit = best?.sections.size ?? .max
      if let sections = try CompressedSections(script, model: model, options: options, below: limit) {
        best = (script, sections)
      }
    }
  }

  // MARK: - The file as it is

  /// Tries what the matchings for all files have found, and what is chosen from everything that was found.
  private mutating func tryCopies(_ found: inout [[Copy]]) throws(DeltaCreateError) {
    let numbers = plan.searchesNumbers ? NumberParser(old: old, new: new) : nil
    // Whether numbers are encoded as such is decided by the first matching if the patch is large.
    var encodesNumbers = numbers != nil
    for (index, copies) in found.prefix(isSmall ? options.matchings.count : 1).enumerated() {
      let copies = copies.map(ScriptOperation.init)
      if encodesNumbers, let numbers { try tryScript(script(numbers.operations(copies))) }
      if index == 0 || !encodesNumbers || isSmall {
        let isSmaller = try tryScript(script(copies))
        if index == 0 && isSmaller { encodesNumbers = false }
      }
    }
    guard plan.effort == .full, !new.isEmpty else { return }
    let chosen = encodesNumbers ? numbers : nil
    try tryChoices(among: &found, numbers: chosen)
    // Some rebuilt files share so little with the old one that copies only cost.
    if !old.isEmpty { try tryScript(script(chosen?.operations([]) ?? [])) }
  }

  /// Tries what is chosen from everything that was found, by estimated costs and then by measured ones.
  ///
  /// - `numbers`: nil if they are not encoded as such.
  private mutating func tryChoices(
    among found: inout [[Copy]], numbers: NumberParser?
  ) throws(DeltaCreateError) {
    var lines = LineFinder.lines(old: old, new: new)
    if let numbers { lines = numbers.others(lines) }
    guard let choice = CopyChoice(old: old, new: new, among: found, lines: lines) else { return }
    found = []
    func script(_ costs: PatchMaker.CopyCosts, _ literals: LiteralCosts) -> PatchScript {
      let copies = choice.operations(costs, literals: literals)
      return self.script(numbers?.operations(copies) ?? copies)
    }
    var literals = LiteralCosts(new)
    numbers?.setCosts(in: &literals)
    for costs in options.costs + (isSmall ? options.furtherCosts : []) {
      try tryScript(script(costs, literals))
    }
    for measures in [false, true] {
      guard let best = best?.script, best.streams.isEmpty else { return }
      literals.learn(from: best.operations, of: new)
      numbers?.setCosts(in: &literals)
      var costs = options.learnedCosts
      if measures { costs = try CostMeasurement.costs(of: best, after: costs, options: options) }
      try tryScript(script(costs, literals))
    }
  }

  /// What each matching finds in the old file.
  ///
  /// The index is freed when this returns.
  private func findCopies() throws(DeltaCreateError) -> [[Copy]] {
    let finder = try CopyFinder(old: old, new: new, plan: plan)
    var found = [finder.copies(options.matchings[0])]
    guard plan.effort == .full else { return found }
    for matching in options.matchings.dropFirst() { found.append(finder.copies(matching)) }
    if different(found[0]) + 4 * found[0].count <= 4 * options.smallPatch {
      for matching in options.furtherMatchings { found.append(finder.copies(matching)) }
    }
    return found
  }

  /// How many bytes of the new file copies do not make.
  private func different(_ copies: [Copy]) -> Int {
    var count = new.count
    for copy in copies {
      for index in 0..<copy.length where old[copy.old + index] == new[copy.new + index] { count -= 1 }
    }
    return count
  }

  private func script(_ operations: [ScriptOperation]) -> PatchScript {
    PatchScript(old: old, output: .file(new), operations: operations)
  }

  // MARK: - Streams

  private mutating func tryStreams(_ found: StreamPlan) throws(DeltaCreateError) {
    let finder = try CopyFinder(old: old, new: found.residual.bytes, plan: plan)
    for (index, matching) in options.matchings.enumerated() where index == 0 || isSmall {
      let copies = finder.copies(matching)
      var contents = try PatchScript.Contents(old: old, new: new)
      var streams: [StreamScript] = []
      for stream in found.streams {
        streams.append(try script(stream, contents: &contents, matching: matching))
      }
      try tryScript(
        PatchScript(
          old: old, output: .residual(found.residual, of: new, streams: streams),
          operations: copies.map(ScriptOperation.init)))
    }
  }

  private func script(
    _ stream: StreamPlan.PlannedStream, contents: inout PatchScript.Contents,
    matching: PatchMaker.Matching
  ) throws(DeltaCreateError) -> StreamScript {
    var copies: [Copy] = []
    if let source = stream.source {
      let old = try contents.old.content(of: source)
      let new = try contents.new.content(of: stream.target)
      copies = try old.withUnsafeBufferPointer { (old) throws(DeltaCreateError) in
        try new.withUnsafeBufferPointer { (new) throws(DeltaCreateError) in
          let plan = MatchPlan.choose(old: old.count, new: new.count, limit: self.plan.limit)
          let copies = try CopyFinder(old: old, new: new, plan: plan).copies(matching)
          return WindowedCopies.reachable(copies, in: old.count)
        }
      }
    }
    return StreamScript(
      residualOffset: stream.residualOffset, target: stream.target,
      source: copies.isEmpty ? nil : stream.source,
      operations: copies.map(ScriptOperation.init))
  }
}

extension ScriptOperation {
  fileprivate init(_ copy: Copy) {
    self.init(operation: .copyOld, new: copy.new, source: copy.old, length: copy.length)
  }
}
