/// The blocks of an old file by their hashes, for files whose suffixes do not fit into memory.
///
/// It finds matches that contain a whole block; a matcher then extends them in both directions. The hash is a polynomial
/// (R. Karp, M. Rabin, "Efficient randomized pattern-matching algorithms", 1987), so
/// moving on by a byte costs two multiplications.
final class BlockIndex: MatchIndex {
  private let old: UnsafeBufferPointer<UInt8>
  private let base: UnsafePointer<UInt8>
  private let blockSize: Int
  /// The number of a block plus one in the low half, other bits of its hash in the high half; 0: free.
  private var slots: [UInt64]
  private let shift: UInt64
  /// The multiplier to the power of `blockSize - 1`.
  private let power: UInt64
  /// What was hashed last: the next pattern usually begins one byte later.
  private var last: (pattern: UnsafePointer<UInt8>, hash: UInt64)?

  /// - `memory`: bytes that the index may take.
  init(_ old: UnsafeBufferPointer<UInt8>, memory: Int) throws(DeltaCreateError) {
    guard let base = old.baseAddress else { throw .fileTooLarge }
    self.old = old
    self.base = base
    var size = 1024
    // More than eight slots for each of the smallest blocks are never wanted.
    while size <= memory / 16 && size / 8 <= old.count / BlockIndex.smallestBlock { size *= 2 }
    // Half of the slots stay free.
    var blockSize = BlockIndex.smallestBlock
    while old.count / blockSize > size / 2 { blockSize *= 2 }
    while size > 1024 && size / 8 > old.count / blockSize { size /= 2 }
    guard old.count / blockSize < Int(UInt32.max) else { throw .fileTooLarge }
    self.blockSize = blockSize
    slots = [UInt64](repeating: 0, count: size)
    shift = UInt64(64 - size.trailingZeroBitCount)
    var power: UInt64 = 1
    for _ in 1..<blockSize { power = power &* BlockIndex.multiplier }
    self.power = power
    for block in 0..<old.count / blockSize { insert(block) }
  }

  var step: Int { blockSize }
  static var window: Int { .max }

  func longestMatch(of pattern: UnsafePointer<UInt8>, count: Int) -> Match {
    guard count >= blockSize else { return Match(old: 0, length: 0) }
    let hash: UInt64
    if let last, last.pattern + 1 == pattern {
      hash =
        (last.hash &- UInt64(last.pattern[0]) &* power) &* BlockIndex.multiplier
        &+ UInt64(pattern[blockSize - 1])
    } else {
      hash = self.hash(pattern)
    }
    last = (pattern, hash)
    var best = Match(old: 0, length: 0)
    forEachBlock(BlockIndex.mixed(hash)) { block in
      let start = block * blockSize
      let length = equalBytes(
        base + start, pattern, atMost: min(count, old.count - start, Tuning.BlockIndex.longestMatch))
      if length >= blockSize && length > best.length { best = Match(old: start, length: length) }
    }
    return best
  }

  private func hash(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    var hash: UInt64 = 0
    for index in 0..<blockSize { hash = hash &* BlockIndex.multiplier &+ UInt64(bytes[index]) }
    return hash
  }

  /// Of blocks with the same bytes, the first few count: a file may consist of zeros.
  private func insert(_ block: Int) {
    let hash = BlockIndex.mixed(hash(base + block * blockSize))
    var slot = Int(hash >> shift)
    var equal = 0
    for _ in 0..<Tuning.BlockIndex.longestSearch {
      if slots[slot] == 0 {
        slots[slot] = hash << 32 | UInt64(block + 1)
        return
      }
      if slots[slot] >> 32 == hash & 0xffff_ffff { equal += 1 }
      if equal == Tuning.BlockIndex.mostEqual { return }
      slot = (slot + 1) & (slots.count - 1)
    }
  }

  private func forEachBlock(_ hash: UInt64, _ body: (Int) -> Void) {
    var slot = Int(hash >> shift)
    for _ in 0..<Tuning.BlockIndex.longestSearch {
      let entry = slots[slot]
      if entry == 0 { return }
      if entry >> 32 == hash & 0xffff_ffff { body(Int(entry & 0xffff_ffff) - 1) }
      slot = (slot + 1) & (slots.count - 1)
    }
  }

  private static func mixed(_ hash: UInt64) -> UInt64 {
    let hash = (hash ^ hash >> 32) &* 0x9e37_79b9_7f4a_7c15
    return hash ^ hash >> 29
  }

  private static var multiplier: UInt64 { 0x5851_f42d_4c95_7f2d }
  /// Smaller blocks find little that LZMA does not compress just as well.
  private static var smallestBlock: Int { 32 }
}
