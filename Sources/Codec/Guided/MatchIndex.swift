/// The last bytes of a content, and where in them matches may begin.
///
/// Bytes are found by hashes of the three or four that begin there: chains go from each to the one before it with the same
/// hash. Everything is in integers, so every machine finds the same.
public struct MatchIndex: ~Copyable {
  /// Bytes of the content that are held: those up to `position`, as far as a match reaches back, and some after it.
  private let window: UnsafeMutablePointer<UInt8>
  /// For each hash of a chain, 1 + the last indexed offset in `window` that has it; 0 for none.
  private let heads: UnsafeMutablePointer<UInt16>
  /// The same for hashes of three bytes that have no chain.
  private let shortHeads: UnsafeMutablePointer<UInt16>
  /// For each of the last `reach` offsets, 1 + the one before it with the same hash.
  private let links: UnsafeMutablePointer<UInt16>
  /// What `shortHeads` had for each of the last four offsets.
  private var shortLinks = InlineArray<4, UInt16>(repeating: 0)
  private var kind = PredictorParameters.Index.three
  /// How many of the bytes of `window` are filled.
  private(set) var end = 0
  /// The bytes before this offset are indexed.
  private var indexed = 0
  /// The offset in the content of the first byte of `window`, modulo `reach`: all that `links` need of it.
  private(set) var base = 0

  init() {
    window = .allocate(capacity: MatchIndex.capacity + MatchIndex.slack)
    window.initialize(repeating: 0, count: MatchIndex.capacity + MatchIndex.slack)
    heads = .allocate(capacity: MatchIndex.headCount)
    shortHeads = .allocate(capacity: MatchIndex.shortHeadCount)
    links = .allocate(capacity: MatchIndex.reach)
    links.initialize(repeating: 0, count: MatchIndex.reach)
    reset(.three)
  }

  deinit {
    window.deallocate()
    heads.deallocate()
    shortHeads.deallocate()
    links.deallocate()
  }

  /// Forgets everything.
  mutating func reset(_ kind: PredictorParameters.Index) {
    self.kind = kind
    // Links are followed from heads alone, so those of the content before are not.
    heads.initialize(repeating: 0, count: usedHeads)
    shortHeads.initialize(repeating: 0, count: usedShortHeads)
    shortLinks = InlineArray(repeating: 0)
    end = 0
    indexed = 0
    base = 0
  }

  subscript(offset: Int) -> UInt8 { window[offset] }

  // MARK: - The window

  static var capacity: Int { 1 << 16 }
  /// How far back links go.
  static var reach: Int { 1 << 15 }
  /// How far the window slides: as rarely as the bytes that a prediction needs allow, because all offsets change with it.
  private static var step: Int { capacity - reach - 1024 }
  /// What is read after the window's end, at most, when bytes are compared by eight.
  private static var slack: Int { 8 }
  private static var headCount: Int { 1 << 16 }
  private static var shortHeadCount: Int { 1 << 15 }

  /// How many heads this kind of index has.
  private var usedHeads: Int { kind == .three ? 1 << 15 : MatchIndex.headCount }
  private var usedShortHeads: Int { kind == .fourAndThree ? MatchIndex.shortHeadCount : 0 }

  /// The memory that an index takes, in bytes.
  static var memoryNeeded: UInt64 { UInt64(capacity + 2 * (headCount + shortHeadCount + reach)) }

  /// Appends from the front of `bytes`; returns how many.
  mutating func append(_ bytes: RawSpan) -> Int {
    let count = min(bytes.byteCount, MatchIndex.capacity - end)
    bytes.extracting(..<count).withUnsafeBytes { bytes in
      UnsafeMutableRawBufferPointer(start: window + end, count: count).copyMemory(from: bytes)
    }
    end += count
    return count
  }

  /// Drops bytes that lie too far before `position`; returns by how much offsets become smaller.
  mutating func slide(_ position: Int) -> Int {
    let step = MatchIndex.step
    guard position >= MatchIndex.reach + step else { return 0 }
    // Nothing was searched for in stored blocks.
    index(upTo: position)
    // As raw bytes: Embedded Swift would move them one by one.
    UnsafeMutableRawPointer(window).copyMemory(from: window + step, byteCount: end - step)
    for index in 0..<usedHeads { heads[index] &-= min(heads[index], UInt16(step)) }
    for index in 0..<usedShortHeads { shortHeads[index] &-= min(shortHeads[index], UInt16(step)) }
    for index in 0..<MatchIndex.reach { links[index] &-= min(links[index], UInt16(step)) }
    for index in 0..<4 { shortLinks[index] -= min(shortLinks[index], UInt16(step)) }
    end -= step
    indexed -= step
    base = (base + step) & (MatchIndex.reach - 1)
    return step
  }

  // MARK: - Hashes

  private func link(_ offset: Int) -> Int { (base + offset) & (MatchIndex.reach - 1) }

  private func three(_ offset: Int) -> UInt32 { UInt32(truncatingIfNeeded: eight(offset)) & 0xff_ffff }

  /// The bytes from an offset, the first one lowest.
  private func eight(_ offset: Int) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(window + offset).loadUnaligned(as: UInt64.self))
  }

  private func hash(_ offset: Int) -> Int {
    if kind == .three {
      return (Int(window[offset]) << 10 ^ Int(window[offset + 1]) << 5 ^ Int(window[offset + 2])) & 0x7fff
    }
    return Int((UInt32(truncatingIfNeeded: eight(offset)) &* MatchIndex.multiplier) >> 16)
  }

  private func shortHash(_ offset: Int) -> Int { Int((three(offset) &* MatchIndex.multiplier) >> 17) }

  private static var multiplier: UInt32 { 0x1e35_a7bd }

  /// How many bytes a hash takes.
  private var hashed: Int { kind == .three ? 3 : 4 }

  /// Indexes the bytes before an offset, except for the last ones, as far as they are too few for a hash.
  private mutating func index(upTo offset: Int) {
    let last = min(offset, end - hashed + 1)
    while indexed < last {
      let hash = hash(indexed)
      links[link(indexed)] = heads[hash]
      heads[hash] = UInt16(indexed + 1)
      if kind == .fourAndThree {
        let short = shortHash(indexed)
        shortLinks[indexed & 3] = shortHeads[short]
        shortHeads[short] = UInt16(indexed + 1)
      }
      indexed += 1
    }
  }

  // MARK: - Matches

  /// How many bytes from `first` equal those from `second`, at most `most`.
  private func equal(_ first: Int, _ second: Int, most: Int) -> Int {
    var count = 0
    while count < most {
      let different = eight(first + count) ^ eight(second + count)
      if different != 0 { return min(count + different.trailingZeroBitCount >> 3, most) }
      count += 8
    }
    return most
  }

  /// What the bytes from an offset must end with to equal the first ones from another: comparing it rejects most of them.
  private struct Tail {
    let start: Int
    let mask: UInt64
    let bytes: UInt64
  }

  /// The last eight of `count` bytes from an offset, or all if they are fewer.
  private func tail(_ offset: Int, count: Int) -> Tail {
    let start = max(count - 8, 0)
    let mask = UInt64.max >> UInt64(8 * (8 - (count - start)))
    return Tail(start: start, mask: mask, bytes: eight(offset + start) & mask)
  }

  private func has(_ tail: Tail, at offset: Int) -> Bool {
    eight(offset + tail.start) & tail.mask == tail.bytes
  }

  /// The bounds of a search.
  struct Search {
    /// A match has to be longer.
    var above: Int
    /// The most bytes that are tried.
    var depth: Int
    /// A match as long ends the search.
    var niceLength: Int
    var maximumDistance: Int
  }

  /// The longest match of the bytes at an offset, of several the nearest; nil if none is longer than `search.above`.
  mutating func longest(at offset: Int, _ search: Search) -> DeflateMatch? {
    let most = min(end - offset, Deflate.lengths.upperBound)
    guard most >= (kind == .three ? 3 : 5) else { return nil }
    var best = search.above
    var distance = 0
    index(upTo: offset)
    if kind == .fourAndThree && best < 3 {
      let candidate = firstShort(offset)
      if offset - candidate <= search.maximumDistance && candidate >= 0 && three(candidate) == three(offset) {
        best = 3
        distance = offset - candidate
      }
    }
    guard best < most else { return distance == 0 ? nil : DeflateMatch(length: best, distance: distance) }
    var left = search.depth
    var candidate = first(offset)
    var tail = tail(offset, count: best + 1)
    while candidate >= 0 && offset - candidate <= search.maximumDistance {
      if has(tail, at: candidate) {
        let length = equal(candidate, offset, most: most)
        if length > best && length >= hashed {
          best = length
          distance = offset - candidate
          if best >= min(search.niceLength, most) { break }
          tail = self.tail(offset, count: best + 1)
        }
      }
      left -= 1
      guard left > 0, let next = earlier(candidate) else { break }
      candidate = next
    }
    return distance == 0 ? nil : DeflateMatch(length: best, distance: distance)
  }

  /// The distance of the nearest match with at least that many bytes; nil if there is none.
  mutating func nearest(at offset: Int, length: Int) -> Int? {
    guard end - offset >= max(length, hashed) else { return nil }
    index(upTo: offset)
    if kind == .fourAndThree && length == 3 {
      let candidate = firstShort(offset)
      let isNear = candidate >= 0 && offset - candidate < MatchIndex.reach
      if isNear && three(candidate) == three(offset) { return offset - candidate }
    }
    var left = PredictorParameters.maximumDepth
    var candidate = first(offset)
    let tail = tail(offset, count: length)
    while candidate >= 0 && offset - candidate < MatchIndex.reach {
      if has(tail, at: candidate) && equal(candidate, offset, most: length) == length {
        return offset - candidate
      }
      left -= 1
      guard left > 0, let next = earlier(candidate) else { return nil }
      candidate = next
    }
    return nil
  }

  /// The last offset before another with the same hash, -1 for none.
  private func first(_ offset: Int) -> Int {
    Int(offset < indexed ? links[link(offset)] : heads[hash(offset)]) - 1
  }

  /// The same for hashes of three bytes that have no chain.
  private func firstShort(_ offset: Int) -> Int {
    Int(offset < indexed ? shortLinks[offset & 3] : shortHeads[shortHash(offset)]) - 1
  }

  /// The offset before a candidate in its chain; nil at the end.
  private func earlier(_ candidate: Int) -> Int? {
    let next = Int(links[link(candidate)]) - 1
    return next >= 0 && next < candidate ? next : nil
  }
}

/// Earlier bytes that equal the next ones.
package struct DeflateMatch: Equatable, Sendable {
  package let length: Int
  package let distance: Int

  package init(length: Int, distance: Int) {
    self.length = length
    self.distance = distance
  }
}
