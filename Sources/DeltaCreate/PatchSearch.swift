internal import PatchFormat

/// Finds how a new file is made from an old one: the stages of a patch in order, each a function of what those before it have
/// found.
///
///     Streams   which deflate streams are made from their contents, and what is left of the file
///     Match     copies of the old file, by suffixes; in files that do not fit into memory, by blocks first
///     Doubles   numbers, and lines of them that occur elsewhere
///     Choose    which of these to use, by estimated costs, several times
///     Encode    operations as blocks, blocks as sections
///     Pack      sections, compressed or sorted
///
/// A window of a large file, and what is left of a file without its streams, go through the same functions as a whole file.
struct PatchSearch {
  let budget: SearchBudget
  let options: PatchMaker.Options

  /// The smallest patch, what became of the streams of the new file, and which scripts were tried.
  func patch(
    from old: UnsafeBufferPointer<UInt8>, to new: UnsafeBufferPointer<UInt8>
  ) throws(DeltaCreateError) -> (sections: CompressedSections, figures: StreamFigures, trials: [ScriptTrial])
  {
    let whole = SearchRange(old: old, new: new)
    if let copy = whole.wholeCopy {
      var contest = Contest()
      contest.add(try candidate(whole, [ScriptOperation(copy)], .identical))
      let packed = try packed(contest)
      return (packed.sections, StreamFigures(), packed.trials)
    }
    let streams = try selectStreams(whole)
    let packed = try packed(try choose(whole, beside: streams))
    return (packed.sections, streams.figures.rebuilding(packed.streams), packed.trials)
  }

  // MARK: - Streams

  private func selectStreams(_ range: SearchRange) throws(DeltaCreateError) -> StreamSelection {
    options.observe(PatchProgress(.streams))
    return try StreamSelection(
      old: range.old, new: range.new, memory: budget.streamMemory,
      directory: budget.effort == .full ? nil : options.workDirectory, options: options)
  }

  /// The script with these streams.
  private func script(
    _ selection: StreamSelection, _ residual: Residual, for range: SearchRange
  ) throws(DeltaCreateError) -> PatchScript {
    let left = SearchRange(old: range.old, new: residual.bytes, hasDoubles: false)
    let operations =
      switch budget.effort {
      case .full: try bestOperations(left)
      case .windows(let size):
        try operations(left, inWindows: max(Tuning.SearchBudget.smallestWindow, size - selection.memory / 3))
          .all
      }
    let streams = try selection.scripts(old: range.old, new: range.new, options: options)
    return PatchScript(
      old: range.old, output: .residual(residual, of: range.new, streams: streams), operations: operations)
  }

  // MARK: - All stages to Choose

  /// Tries everything that there is to try.
  private func choose(
    _ range: SearchRange, beside streams: StreamSelection
  ) throws(DeltaCreateError) -> Contest {
    guard let residual = streams.residual else { return try choose(range, beside: nil) }
    let rebuilding = try Candidate(script(streams, residual, for: range), .streams, options: options)
    var contest = Contest()
    // Streams hardly become smaller unless they are rebuilt: a part that equals one of an old stream has an equal content.
    let rebuilt = streams.streams.reduce(0) { $0 + ($1.source == nil ? 0 : $1.target.size) }
    if rebuilding.size < rebuilt, streams.figures.unsearched == 0 {
      contest.reject(.matched(0, numbers: false), size: rebuilt, .farAboveBest)
    } else {
      contest = try choose(range, beside: rebuilding)
    }
    contest.addUnlike(rebuilding)
    return contest
  }

  /// Tries everything that rebuilds no streams.
  ///
  /// - `rebuilding`: the script that does.
  private func choose(
    _ range: SearchRange, beside rebuilding: Candidate?
  ) throws(DeltaCreateError) -> Contest {
    if case .windows(let size) = budget.effort {
      let (operations, count) = try operations(range, inWindows: size)
      var contest = Contest()
      contest.add(try candidate(range, operations, .windows(count)))
      return contest
    }
    var copies = try range.copies(options)
    if budget.searchesRows { copies += try range.rows(unlike: copies[0], options) }
    return try choose(range, among: copies, beside: rebuilding)
  }

  /// Chooses from what was found in a range.
  private func choose(
    _ range: SearchRange, among copies: [[Copy]], beside rebuilding: Candidate? = nil
  ) throws(DeltaCreateError) -> Contest {
    options.observe(PatchProgress(.choosing))
    let matched = try candidate(range, copies[0].map(ScriptOperation.init), .matched(0, numbers: false))
    if let rebuilding, rebuilding.isFarBelow(matched.size) {
      var contest = Contest()
      contest.reject(matched, .farAboveBest)
      return contest
    }
    let unchanged = UnchangedRanges(copies[0], old: range.old, new: range.new)
    let doubles = FoundDoubles(range, unchanged: unchanged)
    return try CostSearch(
      range, among: copies, doubles, unchanged: unchanged, after: matched.estimatedBetter(options),
      options: options
    ).run()
  }

  private func bestOperations(_ range: SearchRange) throws(DeltaCreateError) -> [ScriptOperation] {
    guard !range.new.isEmpty else { return [] }
    return try choose(range, among: try range.copies(options)).best?.script.operations ?? []
  }

  private func candidate(
    _ range: SearchRange, _ operations: [ScriptOperation], _ origin: ScriptTrial.Origin
  ) throws(DeltaCreateError) -> Candidate {
    try Candidate(range.script(operations), origin, options: options)
  }

  // MARK: - Windows

  /// The operations that make a file which does not fit into memory with its suffixes, window by window, each with the part
  /// of the old file that blocks show it to resemble.
  private func operations(
    _ range: SearchRange, inWindows size: Int
  ) throws(DeltaCreateError) -> (all: [ScriptOperation], windows: Int) {
    options.observe(PatchProgress(.matching))
    // The program and the copies that are found take some, too.
    let blocks = try CopyFinder.byBlocks(
      old: range.old, new: range.new, options.matchings[0], memory: budget.limit / 2)
    let windows = SearchWindow.all(blocks, old: range.old, new: range.new, size: size)
    var all: [ScriptOperation] = []
    for (index, window) in windows.enumerated() {
      let observe = options.observe
      var options = options
      options.observe = { observe($0.inWindow(index + 1, of: windows.count)) }
      let search = PatchSearch(budget: budget, options: options)
      for operation in try search.operations(window, of: range) { all.join(operation) }
    }
    return (all, windows.count)
  }

  /// The best operations for a window, in the order of the new file.
  private func operations(
    _ window: SearchWindow, of range: SearchRange
  ) throws(DeltaCreateError) -> [ScriptOperation] {
    let start = window.range.lowerBound
    let part = SearchRange(
      old: range.old, new: UnsafeBufferPointer(rebasing: range.new[window.range]), part: window.part,
      known: window.copies.map { $0.moved(new: -start) }, hasDoubles: range.hasDoubles)
    let isUnchanged = part.different(part.known) == 0
    let operations = isUnchanged ? part.known.map(ScriptOperation.init) : try bestOperations(part)
    return operations.map { $0.moved(by: start) }
  }

  // MARK: - Encode, Pack

  /// Compresses the best script, and others that may be smaller than their estimates.
  private func packed(_ contest: Contest) throws(DeltaCreateError) -> (
    sections: CompressedSections, streams: [StreamScript], trials: [ScriptTrial]
  ) {
    options.observe(PatchProgress(.packing))
    var contest = contest
    var best: (sections: CompressedSections, streams: [StreamScript])?
    for finalist in contest.finalists() {
      if let sections = try finalist.candidate.packed(below: best?.sections.size ?? .max, options: options) {
        best = (sections, finalist.candidate.script.streams)
        contest.take(finalist)
      }
    }
    guard let best else { throw .badOption }  // not reached: without a limit there are sections
    return (best.sections, best.streams, contest.trials)
  }
}

extension ScriptOperation {
  init(_ copy: Copy) {
    self.init(operation: .copyOld, new: copy.new, source: copy.old, length: copy.length)
  }

  /// The same in a file in which what is made begins `distance` bytes later.
  fileprivate func moved(by distance: Int) -> ScriptOperation {
    ScriptOperation(
      operation: operation, new: new + distance,
      source: operation.source == .new ? source + distance : source, length: length)
  }
}
