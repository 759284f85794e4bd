/// How scripts for the same file are compared without compressing them as for a patch.
struct Estimate: Equatable {
  /// Of which blocks.
  let extent: Extent
  /// What compresses them: whatever will probably compress the patch.
  let compressor: Compressor

  enum Extent {
    /// Some pieces of the new file.
    case sample
    /// All of it: what a sample misses is much of a small patch.
    case whole
  }

  enum Compressor {
    /// A fast one of LZMA.
    case fast
    case sorting
  }

  /// By a fast compressor, from a sample.
  static let first = Estimate(extent: .sample, compressor: .fast)

  /// The one that suits scripts like the one that was found first.
  ///
  /// - `script`: estimated by `first`.
  static func after(_ script: Candidate, options: PatchMaker.Options) throws(DeltaCreateError) -> Estimate {
    guard script.size <= Tuning.Estimate.wholePatch else {
      let isSorted = try script.sample.isSmallerSorted(options)
      return Estimate(extent: .sample, compressor: isSorted ? .sorting : .fast)
    }
    let whole = Estimate(extent: .whole, compressor: .fast)
    let candidate = try Candidate(script.script, script.origin, by: whole, options: options)
    let isSorted = candidate.sample.sortedSize(options) < candidate.size
    return isSorted ? Estimate(extent: .whole, compressor: .sorting) : whole
  }
}
