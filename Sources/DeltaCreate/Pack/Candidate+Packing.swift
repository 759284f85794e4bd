internal import CodecEncoding

extension Candidate {
  /// The compressed sections, in the way that its sample shows to be best; nil if they have `limit` bytes or more.
  func packed(
    below limit: Int, options: PatchMaker.Options
  ) throws(DeltaCreateError) -> CompressedSections? {
    let sorting: CompressedSections.Sorting =
      switch estimate.extent {
      case .sample: try sample.isSmallerSorted(options) ? .worthIt : .none
      case .whole: .smaller
      }
    return try CompressedSections(
      script, model: sample.best(of: options.models, options: options), sorting: sorting, options: options,
      below: limit)
  }
}
