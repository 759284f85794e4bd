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
    script = candidate.script
    model = try candidate.sample.best(of: options.models, options: options)
    sorting =
      switch candidate.estimate.extent {
      case .sample: try candidate.sample.isSmallerSorted(options) ? .worthIt : .none
      case .whole: .smaller
      }
    self.options = options
  }

  /// The compressed sections; nil if they have `limit` bytes or more.
  func sections(below limit: Int) throws(DeltaCreateError) -> CompressedSections? {
    let first = try CompressedSections(script, model: model, sorting: sorting, options: options, below: limit)
    guard sorting != .none, let first else { return first }
    var variant = script
    variant.shortestPause = script.shortestPause == 1 ? options.longPause : 1
    let size = try ScriptEncoder.size(of: script, options: options)
    // Few differences: nothing to gain.
    let change = try ScriptEncoder.size(of: variant, options: options) - size
    guard abs(change) > size / 64 else { return first }
    let second = try CompressedSections(
      variant, model: model, sorting: sorting, options: options, below: first.size)
    return second ?? first
  }
}
