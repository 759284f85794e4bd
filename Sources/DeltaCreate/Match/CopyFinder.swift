/// Finds copies by the suffixes of an old file, or by its blocks.
enum CopyFinder: ~Copyable {
  case none
  case suffixes(Matcher<SuffixArray>)
  case blocks(Matcher<BlockIndex>)

  /// By suffixes, or not at all if one of the files is empty.
  init(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, processors: Processors = .none
  ) throws(DeltaCreateError) {
    guard !old.isEmpty && !new.isEmpty else {
      self = .none
      return
    }
    let index = try SuffixArray(old, processors: processors)
    self = .suffixes(try Matcher(index, old: old, new: new, processors: processors))
  }

  /// By blocks of 32 bytes and more, with an index of at most that many bytes.
  init(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, memory: Int
  ) throws(DeltaCreateError) {
    guard !old.isEmpty && !new.isEmpty else {
      self = .none
      return
    }
    self = .blocks(try Matcher(BlockIndex(old, memory: memory), old: old, new: new))
  }

  /// The copies that each matching finds, in the order of the new file; those of one do not overlap there.
  func copies(_ matchings: [PatchMaker.Matching], processors: Processors = .none) -> [[Copy]] {
    switch self {
    case .none: matchings.map { _ in [] }
    case .suffixes(let matcher): matcher.copies(matchings, processors: processors)
    case .blocks(let matcher): matcher.copies(matchings, processors: .none)
    }
  }
}
