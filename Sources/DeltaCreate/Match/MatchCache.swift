/// The matches at the offsets of the new file that were searched last: several matchings search the same ones.
final class MatchCache {
  /// A power of two.
  let size: Int
  private let entries: UnsafeMutablePointer<(offset: Int, match: Match)>

  /// For that many offsets, or for fewer of them at a time.
  init(_ count: Int) {
    var size = 1 << 10
    while size < min(count, MatchCache.largest) { size *= 2 }
    self.size = size
    entries = .allocate(capacity: size)
    entries.initialize(repeating: (-1, Match(old: 0, length: 0)), count: size)
  }

  deinit { entries.deallocate() }

  /// The match at an offset, which `search` finds if it is not known.
  func match(at offset: Int, _ search: () -> Match) -> Match {
    let slot = offset & (size - 1)
    if entries[slot].offset != offset { entries[slot] = (offset, search()) }
    return entries[slot].match
  }

  private static var largest: Int { 1 << 16 }
}
