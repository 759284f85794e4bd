/// Finds copies with the index of a plan.
enum CopyFinder: ~Copyable {
  case none
  case suffixes(Matcher<SuffixArray>)
  case blocks(Matcher<BlockIndex>)

  init(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, plan: MatchPlan
  ) throws(DeltaCreateError) {
    // A residual or a content may be empty although the files are not.
    guard !old.isEmpty && !new.isEmpty else {
      self = .none
      return
    }
    switch plan.index {
    case .none: self = .none
    case .suffixes: self = .suffixes(try Matcher(try SuffixArray(old), old: old, new: new))
    case .blocks: self = .blocks(try Matcher(BlockIndex(old, memory: plan.limit), old: old, new: new))
    }
  }

  /// The copies in the order of the new file; they do not overlap there.
  func copies(_ matching: PatchMaker.Matching) -> [Copy] {
    switch self {
    case .none: []
    case .suffixes(let matcher): matcher.copies(matching)
    case .blocks(let matcher): matcher.copies(matching)
    }
  }
}
