/// A suffix array, for finding the longest match of a pattern.
///
/// Of a long text only the suffixes at multiples of a step are sorted: matches are then found from the first of these, and a
/// matcher extends them backwards. It borrows the text, which has to outlive it.
struct SuffixArray: MatchIndex, ~Copyable {
  private let text: UnsafeBufferPointer<UInt8>
  private let base: UnsafePointer<UInt8>
  let step: Int
  private let suffixes: UnsafeMutablePointer<Int32>
  /// Where in `suffixes` those with a given prefix begin; one more at the end.
  private let groups: UnsafeMutablePointer<Int32>
  /// How many of the highest bits of a suffix's first four bytes select its group.
  private let groupBits: Int

  /// Sorts suffixes of a text that is not empty.
  init(_ text: UnsafeBufferPointer<UInt8>) throws(DeltaCreateError) {
    let step = SuffixArray.step(text.count)
    guard let base = text.baseAddress, text.count <= SuffixArray.longestText else { throw .fileTooLarge }
    self.text = text
    self.base = base
    self.step = step
    let count = (text.count + step - 1) / step
    let suffixes = SuffixSorter.sort(text, step: step)
    // Each bit saves an iteration of each search, and doubles the table.
    let groupBits = min(max(16, Int.bitWidth - count.leadingZeroBitCount - 3), 20)
    let groups = UnsafeMutablePointer<Int32>.allocate(capacity: 1 << groupBits + 1)
    var begun = 0
    for index in 0..<count {
      let offset = Int(suffixes[index]) * step
      let group = SuffixArray.group(base + offset, count: text.count - offset, bits: groupBits)
      while begun <= group {
        groups[begun] = Int32(index)
        begun += 1
      }
    }
    for empty in begun...1 << groupBits { groups[empty] = Int32(count) }
    (self.suffixes, self.groups, self.groupBits) = (suffixes, groups, groupBits)
  }

  deinit {
    suffixes.deallocate()
    groups.deallocate()
  }

  /// A copy begins anew with each window, so they are long.
  static var window: Int { 2 << 20 }

  /// With the largest step, the suffixes of a text of this length have 32-bit numbers.
  static var longestText: Int { 4 * (Int(Int32.max) - 1) }

  /// Fewer suffixes take less memory and time, and miss more short matches.
  private static func step(_ count: Int) -> Int {
    count < 1 << 19 ? 1 : count < 4 << 20 ? 2 : 4
  }

  /// The group of `count` bytes, padded with zeros.
  private static func group(_ bytes: UnsafePointer<UInt8>, count: Int, bits: Int) -> Int {
    var key: UInt32 = 0
    for index in 0..<4 { key = key << 8 | (index < count ? UInt32(bytes[index]) : 0) }
    return Int(key >> UInt32(32 - bits))
  }

  /// The longest match of the front of `pattern`, if it has at least four bytes.
  func longestMatch(of pattern: UnsafePointer<UInt8>, count: Int) -> Match {
    var best = Match(old: 0, length: 0)
    guard count >= Tuning.SuffixArray.shortest else { return best }
    let group = SuffixArray.group(pattern, count: count, bits: groupBits)
    var low = Int(groups[group])
    var high = Int(groups[group + 1])
    // What the pattern is known to share with all suffixes between both ends.
    var sharedLow = 0
    var sharedHigh = 0
    while low < high {
      let middle = (low + high) >> 1
      let old = Int(suffixes[middle]) * step
      let shared = extend(
        old, pattern: pattern, limit: min(count, text.count - old), from: min(sharedLow, sharedHigh))
      if shared > best.length { best = Match(old: old, length: shared) }
      if shared == count { return best }
      if old + shared == text.count || base[old + shared] < pattern[shared] {
        low = middle + 1
        sharedLow = shared
      } else {
        high = middle
        sharedHigh = shared
      }
    }
    return best.length >= Tuning.SuffixArray.shortest ? best : Match(old: 0, length: 0)
  }

  private func extend(_ old: Int, pattern: UnsafePointer<UInt8>, limit: Int, from start: Int) -> Int {
    start + equalBytes(base + old + start, pattern + start, atMost: limit - start)
  }
}
