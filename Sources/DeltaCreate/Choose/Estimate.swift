/// How scripts for the same file are compared without compressing them as for a patch.
struct Estimate: Equatable {
  /// The blocks that are compressed.
  let extent: Extent
  /// The compressor that will probably be used for the patch, or resembles it.
  let compressor: Compressor

  enum Extent {
    /// Those of some pieces of the new file.
    case sample
    /// All of them: a sample misses much of a small patch.
    case whole
  }

  enum Compressor {
    /// A fast one of LZMA.
    case fast
    case sorting
  }

  /// By a fast compressor, from a sample.
  static let first = Estimate(extent: .sample, compressor: .fast)
}
