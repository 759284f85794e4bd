/// Finds copies with the index of a plan.
enum CopyFinder: ~Copyable {
  case none
  case suffixes(Matcher<SuffixArray>)
  case blocks(Matcher<BlockIndex>)

  init(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, plan: SearchBudget,
    processors: Processors = .none
  ) throws(DeltaCreateError) {
    // A residual or a content may be empty although the files are not.
    guard !old.isEmpty && !new.isEmpty else {
      self = .none
      return
    }
    switch plan.index {
    case .none: self = .none
    case .suffixes:
      let index = try SuffixArray(old, processors: processors)
      self = .suffixes(try Matcher(index, old: old, new: new, processors: processors))
    case .blocks:
      // The program and the copies that are found take some, too.
      self = .blocks(try Matcher(BlockIndex(old, memory: plan.limit / 2), old: old, new: new))
    }
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
