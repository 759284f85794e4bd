/// How much effort the search for a pair of files gets.
///
/// It is chosen once, and depends only on the sizes of the files and the memory limit: the bytes of a patch are the same
/// however many are made at a time.
package struct SearchBudget: Equatable, Sendable {
  /// How matches in the old file are found.
  package enum Index: Equatable, Sendable {
    /// Not at all: one of the files is empty, as for a packed component.
    case none
    /// By the sorted suffixes of the old file: every match.
    case suffixes
    /// By hashed blocks of the old file: only long matches, in little memory. In windows, by suffixes as well.
    case blocks
  }

  /// How many scripts for the new file are tried.
  package enum Effort: Equatable, Sendable {
    /// All of them, and the smallest patch is kept.
    case full
    /// All of them for one window of the new file after the other, with the part of the old file that it resembles.
    case windows(size: Int)
  }

  package let index: Index
  package let effort: Effort
  /// The bytes that the search may take, all of its parts together, as far as more of them would make another patch.
  package let limit: Int
  /// The bytes that the search takes, an estimate; never more than `limit`.
  package let memory: Int

  /// Everything that decides the bytes of the patch, besides the two files and the version of this module.
  package var recipe: String { "\(index) \(effort) \(limit) \(searchesRows)" }

  /// The bytes that searching for streams may take; in windows they are taken from those of a window.
  var streamMemory: Int { effort == .full ? limit : limit / 2 }

  /// Whether the rows of databases are also matched without what refers to them, in copies of both files.
  package let searchesRows: Bool

  /// Plans the patch from a file of `old` bytes to one of `new` bytes; `old` is 0 for a packed component.
  ///
  /// - `limit`: the bytes that the search may take.
  package static func choose(old: Int, new: Int, limit: Int) -> SearchBudget {
    let limit = rounded(limit)
    let larger = max(old, new)
    let fits = larger <= SuffixArray.longestText && memoryForSuffixes(larger) <= limit
    let withRows = memoryForSuffixes(larger) + old + new
    // A quarter is left to those that help.
    let rest = limit - limit / 4
    let window = max((rest - Tuning.SearchBudget.fixedMemory) / 3, Tuning.SearchBudget.smallestWindow)
    return SearchBudget(
      index: old == 0 || new == 0 ? .none : fits ? .suffixes : .blocks,
      effort: fits ? .full : .windows(size: window),
      limit: fits ? min(limit, enough(for: larger)) : limit,
      memory: fits ? min(withRows, limit) : max(rest, memoryForSuffixes(Tuning.SearchBudget.smallestWindow)),
      searchesRows: fits && withRows <= limit)
  }

  /// A limit without its lower digits, never more: few limits are told apart, so that machines whose memory differs by a
  /// few percent make the same patches.
  package static func rounded(_ limit: Int) -> Int {
    let shift = max(0, Int.bitWidth - max(limit, 1).leadingZeroBitCount - Tuning.SearchBudget.significantBits)
    return (limit >> shift) << shift
  }

  /// The limit from which on more makes no difference, if the larger file has `count` bytes and everything is tried: any
  /// content is searched, and as many extents as the file can have.
  private static func enough(for count: Int) -> Int {
    let extents = count / DeflateLimits.minimumStream + 1
    return max(64 * DeflateLimits.maximumContent, 2 * DeflateLimits.memory(extents: extents))
  }

  /// The bytes that sorting suffixes and trying everything take if the larger file has `count`.
  ///
  /// At most about three times as many (`bench/results.md`, "Growth"), and a fixed amount.
  private static func memoryForSuffixes(_ count: Int) -> Int { 3 * count + Tuning.SearchBudget.fixedMemory }
}
