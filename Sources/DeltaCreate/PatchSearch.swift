internal import Codec
internal import PatchFormat

/// Tries ways to make the new file of the old one, and keeps the one with the smallest patch.
struct PatchSearch {
  private let old: UnsafeBufferPointer<UInt8>
  private let new: UnsafeBufferPointer<UInt8>
  private let plan: MatchPlan
  private let options: PatchMaker.Options
  private var best: (script: PatchScript, packing: Packing)?
  private var unsearched = 0

  /// The smallest of all ways, and how many bytes of both files were not looked into for streams.
  static func smallest(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, _ plan: MatchPlan,
    _ options: PatchMaker.Options
  ) throws(DeltaCreateError) -> (packing: Packing, unsearched: Int) {
    var search = PatchSearch(old: old, new: new, plan, options)
    // First what takes the most memory, as long as nothing else does.
    var found = try search.findCovers()
    if plan.searchesStreams,
      let streams = try StreamPlan(old: old, new: new, memory: plan.limit, &search.unsearched)
    {
      try search.tryStreams(streams)
    }
    try search.tryCovers(&found)
    try search.tryModels()
    guard let best = search.best else { throw .badOption }  // not reached: there is a matching
    return (best.packing, search.unsearched)
  }

  private init(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, _ plan: MatchPlan,
    _ options: PatchMaker.Options
  ) {
    self.old = old
    self.new = new
    self.plan = plan
    self.options = options
  }

  /// Whether more ways make a difference and cost little.
  private var isSmall: Bool { plan.effort == .full && best?.packing.size ?? 0 <= options.smallPatch }

  /// Returned is whether it is the smallest so far.
  @discardableResult
  private mutating func tryScript(_ script: PatchScript) throws(DeltaCreateError) -> Bool {
    let limit = best?.packing.size ?? .max
    guard let packing = try Packing(script, options.models[0], options, below: limit) else { return false }
    best = (script, packing)
    return true
  }

  private mutating func tryModels() throws(DeltaCreateError) {
    guard let script = best?.script else { return }
    guard plan.effort == .full else { return }
    for model in options.models.dropFirst() + (isSmall ? options.furtherModels : []) {
      let limit = best?.packing.size ?? .max
      if let packing = try Packing(script, model, options, below: limit) { best = (script, packing) }
    }
  }

  // MARK: - The file as it is

  /// Tries what was found by the matchings that are for all files, and what is chosen among all that was found.
  private mutating func tryCovers(_ found: inout [[Cover]]) throws(DeltaCreateError) {
    let numbers = plan.searchesNumbers ? NumberParser(old: old, new: new) : nil
    // Numbers are told as such or not; which is better for large patches, the first matching decides.
    var tellsNumbers = numbers != nil
    for (index, covers) in found.prefix(options.matchings.count).enumerated() {
      if tellsNumbers, let numbers { try tryScript(script(numbers.operations(covers))) }
      if index == 0 || !tellsNumbers || isSmall {
        let isSmaller = try tryScript(script(covers.map(ScriptOperation.init)))
        if index == 0 && isSmaller { tellsNumbers = false }
      }
    }
    guard plan.effort == .full, let choice = CoverChoice(old: old, new: new, among: found) else { return }
    found = []
    for (index, costs) in (options.costs + options.furtherCosts).enumerated() {
      if index >= options.costs.count && !isSmall { break }
      let covers = choice.covers(costs)
      let isUndecided = isSmall && index < options.costs.count
      if let numbers, tellsNumbers || isUndecided {
        if try tryScript(script(numbers.operations(covers))) { tellsNumbers = true }
      }
      if !tellsNumbers || isUndecided {
        if try tryScript(script(covers.map(ScriptOperation.init))) { tellsNumbers = false }
      }
    }
  }

  /// What each way of matching finds in the old file.
  ///
  /// The index is gone when this returns.
  private func findCovers() throws(DeltaCreateError) -> [[Cover]] {
    let finder = try CoverFinder(old: old, new: new, plan)
    var found = [finder.covers(options.matchings[0])]
    guard plan.effort == .full else { return found }
    for matching in options.matchings.dropFirst() { found.append(finder.covers(matching)) }
    if different(found[0]) + 4 * found[0].count <= 4 * options.smallPatch {
      for matching in options.furtherMatchings { found.append(finder.covers(matching)) }
    }
    return found
  }

  /// How many bytes of the new file covers do not give.
  private func different(_ covers: [Cover]) -> Int {
    var count = new.count
    for cover in covers {
      for index in 0..<cover.length where old[cover.old + index] == new[cover.new + index] { count -= 1 }
    }
    return count
  }

  private func script(_ operations: [ScriptOperation]) -> PatchScript {
    PatchScript(old: old, new: new, operations: operations)
  }

  // MARK: - Streams

  private mutating func tryStreams(_ streams: StreamPlan) throws(DeltaCreateError) {
    let finder = try CoverFinder(old: old, new: streams.rest.bytes, plan)
    for (index, matching) in options.matchings.enumerated() where index == 0 || isSmall {
      let covers = finder.covers(matching)
      var script = PatchScript(
        old: old, new: streams.rest.bytes, operations: covers.map(ScriptOperation.init))
      script.file = new
      script.rest = streams.rest
      var contents = try script.contents()
      for stream in streams.streams {
        script.streams.append(try PatchSearch.script(stream, &contents, matching, options))
      }
      try tryScript(script)
    }
  }

  private static func script(
    _ stream: StreamPlan.PlannedStream, _ contents: inout PatchScript.Contents,
    _ matching: PatchMaker.Matching, _ options: PatchMaker.Options
  ) throws(DeltaCreateError) -> StreamScript {
    var covers: [Cover] = []
    if let source = stream.source {
      let old = try contents.old.content(of: source)
      let new = try contents.new.content(of: stream.target)
      covers = try old.withUnsafeBufferPointer { (old) throws(DeltaCreateError) in
        try new.withUnsafeBufferPointer { (new) throws(DeltaCreateError) in
          let plan = MatchPlan.choose(old: old.count, new: new.count, limit: .max)
          return try CoverFinder(old: old, new: new, plan).covers(matching)
        }
      }
    }
    return StreamScript(
      offset: stream.offset, target: stream.target, source: covers.isEmpty ? nil : stream.source,
      operations: covers.map(ScriptOperation.init))
  }
}

extension ScriptOperation {
  fileprivate init(_ cover: Cover) {
    self.init(kind: .copyOld, new: cover.new, source: cover.old, length: cover.length)
  }
}
