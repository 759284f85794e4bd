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

/// Finds covers with the best index that the memory allows.
enum CoverFinder: ~Copyable {
  case none
  case suffixes(Matcher<SuffixArray>)
  case blocks(Matcher<BlockIndex>)

  /// - `memory`: bytes that the search may take.
  init(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, memory: Int
  ) throws(DeltaCreateError) {
    if old.isEmpty || new.isEmpty {
      self = .none
    } else if !CoverFinder.fitsSuffixes(max(old.count, new.count), memory) {
      self = .blocks(try Matcher(BlockIndex(old, memory: memory), old: old, new: new))
    } else {
      self = .suffixes(try Matcher(try SuffixArray(old), old: old, new: new))
    }
  }

  /// Whether suffixes can be sorted and all ways be tried in `memory` bytes if the larger file has `count`: that takes about
  /// three times as many at most (`bench/results.md`, "Growth"), and what does not depend on them.
  static func fitsSuffixes(_ count: Int, _ memory: Int) -> Bool {
    count <= SuffixArray.longestText && memoryForSuffixes(count) <= memory
  }

  /// The bytes that the same takes.
  static func memoryForSuffixes(_ count: Int) -> Int { 3 * count + (64 << 20) }

  /// The covers in the order of the new file; they do not overlap there.
  func covers(_ matching: PatchMaker.Matching) -> [Cover] {
    switch self {
    case .none: []
    case .suffixes(let matcher): matcher.covers(matching)
    case .blocks(let matcher): matcher.covers(matching)
    }
  }
}
