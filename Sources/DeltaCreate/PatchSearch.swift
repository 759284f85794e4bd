internal import CodecEncoding
internal import PatchFormat

/// Tries several scripts for the new file, and keeps the one with the smallest patch.
struct PatchSearch {
  let old: UnsafeBufferPointer<UInt8>
  let new: UnsafeBufferPointer<UInt8>
  /// What is searched of the old file.
  private let part: Range<Int>
  /// Copies that are known already; they may come from all of the old file.
  private let known: [Copy]
  /// What is made is a residual: only copies of the old file can make it.
  let isResidual: Bool
  let plan: SearchBudget
  let options: PatchMaker.Options
  var ranking: ScriptRanking
  private var figures: StreamFigures

  /// The smallest of all scripts, and what became of the streams of the new file.
  static func smallest(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, plan: SearchBudget,
    options: PatchMaker.Options
  ) throws(DeltaCreateError) -> (sections: CompressedSections, figures: StreamFigures) {
    var search = PatchSearch(old: old, new: new, plan: plan, options: options)
    if let copy = search.wholeCopy {
      try search.ranking.add(search.script([copy]))
    } else {
      try search.rankScripts()
    }
    return try search.packed()
  }

  /// Ranks everything that there is to try.
  private mutating func rankScripts() throws(DeltaCreateError) {
    if plan.searchesStreams { options.observe(PatchProgress(.streams)) }
    if plan.searchesStreams,
      let streams = try StreamSelection(
        old: old, new: new, memory: plan.streamMemory, directory: residualDirectory, options: options,
        figures: &figures)
    {
      ranking.measures = true
      try tryStreams(streams)
      // What rebuilding streams saves by far is not searched for.
      let unshared = Noise.unsharedBytes(of: streams.streams.map(\.target), in: new, old: old)
      if ranking.isFarAboveBest(bytes: unshared) { return }
    }
    if case .windows(let size) = plan.effort {
      try ranking.add(script(try operations(inWindows: size)))
      return
    }
    var found = try findCopies()
    found += try findRows(unlike: found[0])
    try tryCopies(&found)
  }

  /// Where residuals lie that do not fit into memory beside a window.
  private var residualDirectory: String? { plan.effort == .full ? nil : options.workDirectory }

  init(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, part: Range<Int>? = nil,
    known: [Copy] = [], isResidual: Bool = false, plan: SearchBudget, options: PatchMaker.Options
  ) {
    self.old = old
    self.new = new
    self.part = part ?? 0..<old.count
    self.known = known
    self.isResidual = isResidual
    self.plan = plan
    self.options = options
    ranking = ScriptRanking(options, measures: plan.effort == .full)
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
  private var isSmall: Bool {
    plan.effort == .full && ranking.best?.size ?? 0 <= options.smallPatch
  }

  /// The sections of the script that is smallest when it is compressed.
  private func packed() throws(DeltaCreateError) -> (
    sections: CompressedSections, figures: StreamFigures
  ) {
    options.observe(PatchProgress(.packing))
    let finalists = ranking.finalists
    guard let first = finalists.first?.script else { throw .badOption }  // not reached: a script was ranked
    let sample = plan.effort != .single ? try ScriptSample(first, options: options) : nil
    let model = try sample?.best(of: options.models, options: options) ?? ranking.model
    let best = try smallest(of: finalists, model: model)
    let script = finalists[best.index].script
    let sorts = try isSmallerSorted(best.index == 0 ? sample : ScriptSample(script, options: options))
    let sorted = sorts ? try self.sorted(script, unless: best.sections) : nil
    return (sorted ?? best.sections, figures.rebuilding(script.streams))
  }

  /// Compresses the scripts that rank best.
  private func smallest(
    of finalists: [ScriptRanking.Ranked], model: LZMAModel
  ) throws(DeltaCreateError) -> (index: Int, sections: CompressedSections) {
    var best: (index: Int, sections: CompressedSections)?
    for (index, finalist) in finalists.enumerated() {
      // Estimates are not exact: a gain of less than half a percent is not worth compressing again.
      if let size = best?.sections.size, size - size / 256 <= finalist.size { continue }
      let limit = best?.sections.size ?? .max
      if model == ranking.model, let sections = finalist.sections {
        if sections.size < limit { best = (index, sections) }
      } else if let sections = try CompressedSections(
        finalist.script, model: model, options: options, below: limit)
      {
        best = (index, sections)
      }
    }
    guard let best else { throw .badOption }  // not reached: without a limit there are sections
    return best
  }

  private func isSmallerSorted(_ sample: ScriptSample?) throws(DeltaCreateError) -> Bool {
    guard plan.effort == .full, let sample else { return false }
    return try sample.isSmallerSorted(options)
  }

  /// The sections of a script, some of them sorted, if that makes them smaller.
  private func sorted(
    _ script: PatchScript, unless compressed: CompressedSections
  ) throws(DeltaCreateError) -> CompressedSections? {
    guard
      let first = try CompressedSections(
        sorting: script, unless: compressed, options: options, below: compressed.size)
    else { return nil }
    var variant = script
    variant.shortestPause = options.sortedPause
    let size = try ScriptEncoder.size(of: script, options: options)
    // Few differences: nothing to gain.
    let change = try ScriptEncoder.size(of: variant, options: options) - size
    guard abs(change) > size / 64 else { return first }
    let second = try CompressedSections(
      sorting: variant, unless: nil, options: options,
      below: CompressedSections.worthSorting(compressed.size))
    return CompressedSections.smaller(first, second)
  }

  // MARK: - The file as it is

  /// The best operations that copies give, in the order of the new file.
  mutating func operations(among copies: [[Copy]]) throws(DeltaCreateError) -> [ScriptOperation] {
    var copies = copies
    try tryCopies(&copies)
    return ranking.best?.script.operations ?? []
  }

  /// Tries what the matchings for all files have found, and what is chosen from everything that was found.
  private mutating func tryCopies(_ found: inout [[Copy]]) throws(DeltaCreateError) {
    options.observe(PatchProgress(.choosing))
    let matched = script(found[0].map(ScriptOperation.init))
    // What rebuilding streams saves by far is not searched for.
    if let best = ranking.best, !best.script.streams.isEmpty, try ranking.isFarAboveBest(matched) { return }
    let unchanged = UnchangedRanges(found[0], old: old, new: new)
    var ranking = ranking
    let (first, numbers) = try options.processors.both(
      { () throws(DeltaCreateError) in try ranking.add(matched) },
      { () throws(DeltaCreateError) in
        plan.searchesNumbers && !isResidual
          ? NumberParser(old: old, part: part, new: new, unchanged: unchanged) : nil
      })
    var (_, lines) = try options.processors.both(
      { () throws(DeltaCreateError) in
        guard let numbers else { return }
        try ranking.add(script(numbers.operations(matched.operations)), like: first)
      },
      { () throws(DeltaCreateError) in
        plan.effort == .full && !isResidual
          ? LineFinder.lines(old: old, part: part, new: new, unchanged: unchanged) : []
      })
    self.ranking = ranking
    // Numbers are encoded as such unless the first matching is smaller without.
    let chosen = self.ranking.best?.size == first?.size ? nil : numbers
    guard plan.effort == .full, !new.isEmpty else { return }
    for copies in isSmall ? found.dropFirst() : [] {
      let copies = copies.map(ScriptOperation.init)
      try self.ranking.add(script(chosen?.operations(copies) ?? copies), like: first)
    }
    if let chosen { lines = chosen.others(lines) }
    if let choice = CopyChoice(old: old, new: new, among: found, lines: lines, unchanged: unchanged) {
      found = []
      var search = CostSearch(
        choice, numbers: chosen, old: old, new: new, unchanged: unchanged, options: options)
      try search.run(&self.ranking, after: first)
    }
  }

  /// What each matching finds in the old file.
  ///
  /// The index is freed when this returns.
  func findCopies() throws(DeltaCreateError) -> [[Copy]] {
    options.observe(PatchProgress(.matching))
    let part = UnsafeBufferPointer(rebasing: old[part])
    if plan.effort == .full, known.isEmpty, Noise.isNoise(new), Noise.sharesNothing(old: part, new: new) {
      return options.matchings.map { _ in [] }
    }
    let finder = try CopyFinder(old: part, new: new, plan: plan, processors: options.processors)
    guard plan.effort == .full else {
      return finder.copies([options.matchings[0]], processors: options.processors)
    }
    var found = finder.copies(options.matchings, processors: options.processors)
    if self.part.lowerBound > 0 { found = found.map { $0.map { $0.moved(old: self.part.lowerBound) } } }
    if !known.isEmpty { return found + [known] }
    guard PatchSearch.different(found[0], old: old, new: new) + 4 * found[0].count <= 4 * options.smallPatch
    else { return found }
    return found + finder.copies(options.furtherMatchings, processors: options.processors)
  }

  /// What the first matching finds in two databases without their references.
  ///
  /// - `copies`: what it finds with them; nothing is searched for if few of the bytes that differ are references.
  private func findRows(unlike copies: [Copy]) throws(DeltaCreateError) -> [[Copy]] {
    guard plan.searchesRows else { return [] }
    let rows = options.processors.map([old, new]) { SQLiteDatabase($0)?.withoutReferences() }
    guard let oldRows = rows[0], let newRows = rows[1] else { return [] }
    return try oldRows.withUnsafeBufferPointer { (oldRows) throws(DeltaCreateError) in
      try newRows.withUnsafeBufferPointer { (newRows) throws(DeltaCreateError) in
        let (all, rows) = options.processors.both(
          { PatchSearch.different(copies, old: old, new: new) },
          { PatchSearch.different(copies, old: oldRows, new: newRows) })
        guard all - rows > all / PatchSearch.fewReferences else { return [] }
        let finder = try CopyFinder(old: oldRows, new: newRows, plan: plan, processors: options.processors)
        return finder.copies([options.matchings[0]], processors: options.processors)
      }
    }
  }

  /// The part of what differs that references have to be, for rows to be matched without them.
  private static var fewReferences: Int { 8 }

  /// How many bytes of the new file copies do not make.
  private static func different(
    _ copies: [Copy], old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>
  ) -> Int {
    var count = new.count
    for copy in copies {
      for index in 0..<copy.length where old[copy.old + index] == new[copy.new + index] { count -= 1 }
    }
    return count
  }

  private func script(_ operations: [ScriptOperation]) -> PatchScript {
    PatchScript(old: old, output: .file(new), operations: operations)
  }
}

extension ScriptOperation {
  init(_ copy: Copy) {
    self.init(operation: .copyOld, new: copy.new, source: copy.old, length: copy.length)
  }
}
