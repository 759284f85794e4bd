/// How scripts for the same file are compared without compressing them as for a patch.
enum Estimate {
  /// By what a fast compressor makes of a sample.
  case sample
  /// By what a fast compressor makes of all blocks: in a patch that is small, what a sample misses is much of it.
  case whole
  /// By what sorting makes of all blocks.
  case sorted

  /// The one that suits scripts like the one that was found first.
  ///
  /// - `first`: estimated by a sample.
  init(after first: Candidate, options: PatchMaker.Options) throws(DeltaCreateError) {
    guard first.size <= Tuning.Estimate.wholePatch else {
      self = .sample
      return
    }
    let whole = try Candidate(first.script, first.origin, by: .whole, options: options)
    let sorted = SortedSection.compress(whole.sample.blocks, below: whole.size, processors: options.processors)
    self = sorted == nil ? .whole : .sorted
  }

  var isWhole: Bool {
    switch self {
    case .sample: false
    case .whole, .sorted: true
    }
  }
}
