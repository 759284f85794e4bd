/// A stretch of the old file that equals the bytes that were searched for.
struct Match: Equatable {
  var old: Int
  var length: Int
}

/// Finds the longest match of any bytes in an old file.
protocol MatchIndex: ~Copyable {
  /// Of so many bytes in a row of the old file, a match may begin at one.
  var step: Int { get }
  /// The longest stretch that `pattern`, of which `count` bytes are there, begins with; length 0 if none is known.
  func longestMatch(of pattern: UnsafePointer<UInt8>, count: Int) -> Match
}

/// Finds covers with the index of a plan.
enum CoverFinder: ~Copyable {
  case none
  case suffixes(Matcher<SuffixArray>)
  case blocks(Matcher<BlockIndex>)

  init(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, _ plan: MatchPlan
  ) throws(DeltaCreateError) {
    // Parts of the files may be empty where they are not.
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

  /// The covers in the order of the new file; they do not overlap there.
  func covers(_ matching: PatchMaker.Matching) -> [Cover] {
    switch self {
    case .none: []
    case .suffixes(let matcher): matcher.covers(matching)
    case .blocks(let matcher): matcher.covers(matching)
    }
  }
}
