/// The matches at the offsets of the new file that were searched last: several matchings search the same ones.
final class MatchCache {
  /// A power of two.
  let size: Int
  private let offsets: UnsafeMutablePointer<Int>
  private let matches: UnsafeMutablePointer<Match>

  /// For that many offsets, or for fewer of them at a time.
  init(_ count: Int) {
    var size = 1 << 10
    while size < min(count, MatchCache.largest) { size *= 2 }
    self.size = size
    offsets = .allocate(capacity: size)
    offsets.initialize(repeating: -1, count: size)
    matches = .allocate(capacity: size)
    matches.initialize(repeating: Match(old: 0, length: 0), count: size)
  }

  deinit {
    offsets.deallocate()
    matches.deallocate()
  }

  /// The match at an offset, which `search` finds if it is not known.
  func match(at offset: Int, _ search: () -> Match) -> Match {
    let slot = offset & (size - 1)
    if offsets[slot] == offset { return matches[slot] }
    let match = search()
    offsets[slot] = offset
    matches[slot] = match
    return match
  }

  private static var largest: Int { 1 << 16 }
}
