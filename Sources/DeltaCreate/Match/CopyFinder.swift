/// Finds copies by the suffixes of an old file, or by its blocks; none if one of the files is empty.
///
/// What each matching finds is in the order of the new file, where its copies do not overlap.
enum CopyFinder {
  static func bySuffixes(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, _ matchings: [PatchMaker.Matching],
    processors: Processors = .none
  ) throws(DeltaCreateError) -> [[Copy]] {
    guard !old.isEmpty && !new.isEmpty else { return matchings.map { _ in [] } }
    let index = try SuffixArray(old)
    if Noise.isNoise(new) && Noise.sharesNothing(with: index, new) { return matchings.map { _ in [] } }
    return try Matcher(index, old: old, new: new).copies(matchings, processors: processors)
  }

  /// By blocks of 32 bytes and more, with an index of at most `memory` bytes.
  static func byBlocks(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, _ matching: PatchMaker.Matching,
    memory: Int
  ) throws(DeltaCreateError) -> [Copy] {
    guard !old.isEmpty && !new.isEmpty else { return [] }
    let index = try BlockIndex(old, memory: memory)
    return try Matcher(index, old: old, new: new).copies([matching], processors: .none)[0]
  }
}
