internal import CodecEncoding

/// The stage Pack: how the sections of a script are compressed, as a sample of it shows.
struct Packing {
  private let script: PatchScript
  private let model: LZMAModel
  /// Whether sections are sorted where that is worth it.
  private let sorts: Bool
  private let options: PatchMaker.Options

  init(of candidate: Candidate, options: PatchMaker.Options) throws(DeltaCreateError) {
    script = candidate.script
    model = try candidate.sample.best(of: options.models, options: options)
    sorts = try candidate.sample.isSmallerSorted(options)
    self.options = options
  }

  /// The compressed sections; nil if they have `limit` bytes or more.
  func sections(below limit: Int) throws(DeltaCreateError) -> CompressedSections? {
    let first = try CompressedSections(script, model: model, sorts: sorts, options: options, below: limit)
    guard sorts, let first else { return first }
    var variant = script
    variant.shortestPause = options.sortedPause
    let size = try ScriptEncoder.size(of: script, options: options)
    // Few differences: nothing to gain.
    let change = try ScriptEncoder.size(of: variant, options: options) - size
    guard abs(change) > size / 64 else { return first }
    let second = try CompressedSections(
      variant, model: model, sorts: true, options: options, below: first.size)
    return second ?? first
  }
}
