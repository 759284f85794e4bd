internal import CDivsufsort

/// An integer that libdivsufsort can sort suffixes with.
protocol SuffixIndex: FixedWidthInteger {
  static func sort(_ text: UnsafePointer<UInt8>, _ suffixes: UnsafeMutablePointer<Self>, _ count: Self)
    -> Bool
}

extension Int32: SuffixIndex {
  static func sort(_ text: UnsafePointer<UInt8>, _ suffixes: UnsafeMutablePointer<Int32>, _ count: Int32)
    -> Bool
  {
    divsufsort(text, suffixes, count) == 0
  }
}

extension Int64: SuffixIndex {
  static func sort(_ text: UnsafePointer<UInt8>, _ suffixes: UnsafeMutablePointer<Int64>, _ count: Int64)
    -> Bool
  {
    divsufsort64(text, suffixes, count) == 0
  }
}

/// The suffixes of a text in order, for finding the longest match of any bytes.
///
/// It borrows the text, which has to outlive it.
struct SuffixArray<Index: SuffixIndex>: MatchIndex, ~Copyable {
  private let text: UnsafeBufferPointer<UInt8>
  private let base: UnsafePointer<UInt8>
  private let suffixes: UnsafeMutablePointer<Index>
  /// Where in `suffixes` those begin that start with a given prefix; one more at the end.
  private let groups: UnsafeMutablePointer<Index>
  /// Bytes that are looked at for a group: 2 or 3; and bits at their end that are not.
  private let prefix: Int
  private let dropped: Int

  /// Sorts the suffixes of a text that is not empty.
  init(_ text: UnsafeBufferPointer<UInt8>) throws(DeltaCreateError) {
    guard let base = text.baseAddress, let count = Index(exactly: text.count) else { throw .fileTooLarge }
    let suffixes = UnsafeMutablePointer<Index>.allocate(capacity: text.count)
    guard Index.sort(base, suffixes, count) else {
      suffixes.deallocate()
      throw .outOfMemory
    }
    self.text = text
    self.base = base
    self.suffixes = suffixes
    // Each bit saves a step of each search, and doubles the table.
    prefix = text.count >= 1 << 20 ? 3 : 2
    dropped = prefix == 3 && text.count < 64 << 20 ? 4 : 0
    groups = SuffixArray.group(text, prefix, dropped)
  }

  deinit {
    suffixes.deallocate()
    groups.deallocate()
  }

  /// Counts the suffixes of each prefix; a shorter suffix stands before all that it begins.
  private static func group(
    _ text: UnsafeBufferPointer<UInt8>, _ prefix: Int, _ dropped: Int
  ) -> UnsafeMutablePointer<Index> {
    let count = 1 << (8 * prefix - dropped)
    let mask = (1 << (8 * prefix)) - 1
    let groups = UnsafeMutablePointer<Index>.allocate(capacity: count + 1)
    groups.initialize(repeating: 0, count: count + 1)
    var shorter: [(group: Int, count: Index)] = []
    var key = 0
    for (index, byte) in text.enumerated() {
      key = (key << 8 | Int(byte)) & mask
      if index >= prefix - 1 { groups[key >> dropped] += 1 }
    }
    for length in 1..<min(prefix, text.count + 1) {
      var group = 0
      for byte in text.suffix(length) { group = group << 8 | Int(byte) }
      shorter.append(((group << (8 * (prefix - length))) >> dropped, 1))
    }
    shorter.sort { $0.group < $1.group }

    var start: Index = 0
    var next = shorter.startIndex
    for group in 0..<count {
      while next < shorter.endIndex && shorter[next].group == group {
        start += shorter[next].count
        next += 1
      }
      let size = groups[group]
      groups[group] = start
      start += size
    }
    groups[count] = start
    return groups
  }

  /// The longest stretch of the text that `pattern` begins with, of those at least as long as a prefix.
  func longestMatch(of pattern: UnsafePointer<UInt8>, count: Int) -> Match {
    var best = Match(old: 0, length: 0)
    guard count >= prefix else { return best }
    var key = Int(pattern[0]) << 8 | Int(pattern[1])
    if prefix == 3 { key = (key << 8 | Int(pattern[2])) >> dropped }
    // The upper end may take in suffixes shorter than a prefix; they compare like any other.
    var low = Int(groups[key])
    var high = Int(groups[key + 1])
    // What the pattern is known to share with all suffixes between the two ends.
    var sharedLow = 0
    var sharedHigh = 0
    while low < high {
      let middle = (low + high) >> 1
      let old = Int(suffixes[middle])
      let shared = extend(old, pattern, min(count, text.count - old), from: min(sharedLow, sharedHigh))
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
    return best.length >= prefix ? best : Match(old: 0, length: 0)
  }

  private func extend(_ old: Int, _ pattern: UnsafePointer<UInt8>, _ limit: Int, from start: Int) -> Int {
    start + equalBytes(base + old + start, pattern + start, atMost: limit - start)
  }
}

/// How many bytes are equal at the front of two stretches.
func equalBytes(_ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, atMost limit: Int) -> Int {
  let a = UnsafeRawPointer(a)
  let b = UnsafeRawPointer(b)
  var count = 0
  while count + 8 <= limit {
    let x = a.loadUnaligned(fromByteOffset: count, as: UInt64.self)
    let y = b.loadUnaligned(fromByteOffset: count, as: UInt64.self)
    if x != y { return count + UInt64(littleEndian: x ^ y).trailingZeroBitCount >> 3 }
    count += 8
  }
  while count < limit,
    a.load(fromByteOffset: count, as: UInt8.self) == b.load(fromByteOffset: count, as: UInt8.self)
  {
    count += 1
  }
  return count
}
