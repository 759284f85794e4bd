internal import DeltaApply

/// Finds bytes of the new file that come from nowhere in the old one and stand earlier in the new one, farther back than
/// the decoder remembers.
///
/// The device reads its own output back, so the distance costs no memory.
struct SelfMatcher {
  private let new: UnsafeBufferPointer<UInt8>
  private let base: UnsafePointer<UInt8>
  /// The extra bytes that the decoder remembers.
  private let reach: Int
  /// Places plus one of windows, each a multiple of `step`, divided by that; 0: free.
  private var slots: [UInt32]
  private let shift: UInt64

  /// Nil if the file is too large for the index, or too small to have such distances.
  ///
  /// - `reach`: bytes of extras that LZMA finds again by itself.
  init?(_ new: UnsafeBufferPointer<UInt8>, reach: Int) {
    guard let base = new.baseAddress, new.count > reach, new.count / SelfMatcher.step < Int(UInt32.max) else {
      return nil
    }
    self.new = new
    self.base = base
    self.reach = reach
    var size = 1024
    while size < new.count / SelfMatcher.step { size *= 2 }
    slots = [UInt32](repeating: 0, count: size)
    shift = UInt64(64 - size.trailingZeroBitCount)
  }

  /// The same operations, and copies in the gaps between them.
  mutating func operations(_ operations: [Operation]) -> [Operation] {
    var result: [Operation] = []
    result.reserveCapacity(operations.count)
    var gaps = Gaps()
    var indexed = 0
    var end = 0
    let all = operations.map { (start: $0.new, operation: Optional($0)) } + [(new.count, nil)]
    for (start, operation) in all {
      var place = end
      var literal = end
      while place + SelfMatcher.window <= start {
        insert(from: &indexed, upTo: place)
        let match = longestMatch(at: place, end: start)
        guard match.length >= SelfMatcher.shortest, !gaps.reaches(match.old, from: place - literal, reach)
        else {
          place += 1
          continue
        }
        gaps.append(literal..<place)
        result.append(Operation(kind: .new, new: place, source: match.old, length: match.length))
        place += match.length
        literal = place
      }
      gaps.append(literal..<start)
      guard let operation else { break }
      result.append(operation)
      end = operation.end
    }
    return result
  }

  private mutating func insert(from indexed: inout Int, upTo end: Int) {
    while indexed + SelfMatcher.window <= end {
      slots[slot(indexed)] = UInt32(indexed / SelfMatcher.step + 1)
      indexed += SelfMatcher.step
    }
  }

  private func slot(_ place: Int) -> Int {
    let bytes = UnsafeRawPointer(base + place)
    var hash: UInt64 = 0
    for offset in stride(from: 0, to: SelfMatcher.window, by: 8) {
      hash = (hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x9e37_79b9_7f4a_7c15
      hash ^= hash >> 29
    }
    return Int((hash &* 0xbf58_476d_1ce4_e5b9) >> shift)
  }

  private func longestMatch(at place: Int, end: Int) -> Match {
    let entry = slots[slot(place)]
    guard entry > 0 else { return Match(old: 0, length: 0) }
    let source = Int(entry - 1) * SelfMatcher.step
    let length = equalBytes(base + source, base + place, atMost: min(end - place, place - source))
    return Match(old: source, length: length)
  }

  /// Bytes that are compared by their hash.
  private static var window: Int { 24 }
  /// The fewest bytes that are worth an operation.
  private static var shortest: Int { 24 }
  /// Every so many bytes a window is indexed.
  private static var step: Int { 4 }
}

/// Stretches of the new file whose bytes are told as they are.
private struct Gaps {
  private var gaps: [(range: Range<Int>, before: Int)] = []
  private var total = 0

  mutating func append(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    gaps.append((range, total))
    total += range.count
  }

  /// Whether the byte at `place` was told as it is, no more than `reach` such bytes ago.
  ///
  /// `open`: such bytes that are not in the list yet.
  func reaches(_ place: Int, from open: Int, _ reach: Int) -> Bool {
    var low = 0
    var high = gaps.count
    while low < high {
      let middle = (low + high) / 2
      if gaps[middle].range.upperBound <= place { low = middle + 1 } else { high = middle }
    }
    guard low < gaps.count, gaps[low].range.contains(place) else { return false }
    return total + open - (gaps[low].before + place - gaps[low].range.lowerBound) < reach
  }
}
