internal import CodecEncoding

/// The stage Pack: how the sections of a script are compressed, as a sample of it shows.
struct Packing {
  private let script: PatchScript
  private let model: LZMAModel
  private let sorting: Sorting
  private let options: PatchMaker.Options

  /// Which sections are sorted.
  enum Sorting {
    case none
    /// Those where that saves so much that it is worth what decoding takes.
    case worthIt
    /// Those that are at all smaller sorted, by what decoding is worth in a small patch.
    case smaller
  }

  init(of candidate: Candidate, options: PatchMaker.Options) throws(DeltaCreateError) {
    sorting =
      switch candidate.estimate.extent {
      case .sample: try candidate.sample.isSmallerSorted(options) ? .worthIt : .none
      case .whole: .smaller
      }
    let best = sorting == .none ? candidate : try candidate.withBestPauses(options)
    script = best.script
    model = try best.sample.best(of: options.models, options: options)
    self.options = options
  }

  /// The compressed sections; nil if they have `limit` bytes or more.
  func sections(below limit: Int) throws(DeltaCreateError) -> CompressedSections? {
    try CompressedSections(script, model: model, sorting: sorting, options: options, below: limit)
  }
}
