/// Bytes that look like chance: of data that is compressed already, or encrypted.
///
/// Finding out that bytes are noise takes a small part of the time of searching them for copies.
enum Noise {
  /// Whether all windows of some bytes are incompressible, so that only copies could save anything; not of a few bytes.
  static func isNoise(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count >= Tuning.Noise.fewest else { return false }
    return stride(from: 0, to: bytes.count - window + 1, by: window).allSatisfy { start in
      isIncompressible(UnsafeBufferPointer(rebasing: bytes[start..<start + window]))
    }
  }

  /// Whether a window holds data that is compressed already.
  static func isIncompressible(_ window: UnsafeBufferPointer<UInt8>) -> Bool {
    var counts = [256 of Int](repeating: 0)
    for byte in window { counts[Int(byte)] += 1 }
    // The sum of squares is least when all values are equally frequent: n²/256, and about n more in random data.
    let size = window.count
    var squares = 0
    for value in counts.indices { squares += counts[value] * counts[value] }
    return squares - size < size * size / 128
  }

  /// The size of a window, in bytes.
  static var window: Int { 4096 }

  /// Whether two files share so little that no copy from the old one makes the new one cheaper.
  ///
  /// - `mostBits`: the binary logarithm of how many offsets of the old file are known.
  static func sharesNothing(
    old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, mostBits: Int = mostBits
  ) -> Bool {
    guard !old.isEmpty, let newBase = new.baseAddress else { return true }
    let known = KnownBytes(of: old, mostBits: mostBits)
    // Among many bytes a few are equal by chance.
    var left = Tuning.KnownBytes.fewest + known.expectedCollisions(old.count, new.count)
    for offset in stride(from: 0, through: new.count - KnownBytes.length, by: 1)
    where known.contains(newBase + offset) {
      left -= 1
      if left == 0 { return false }
    }
    return true
  }

  /// How many bytes of some deflate streams are probably nowhere in the old file, so that they stay as large as they are
  /// unless they are rebuilt.
  static func unsharedBytes(
    of streams: [DeflateStream], in new: UnsafeBufferPointer<UInt8>, old: UnsafeBufferPointer<UInt8>
  ) -> Int {
    guard let newBase = new.baseAddress else { return 0 }
    let known = KnownBytes(of: old, mostBits: mostBits)
    let share = known.keptShare
    var unshared = 0
    for stream in streams {
      var looked = 0
      var found = 0
      for extent in stream.extents {
        for offset in stride(from: extent.lowerBound, through: extent.upperBound - KnownBytes.length, by: 1)
        where known.mayKnow(newBase + offset) {
          looked += 1
          if known.contains(newBase + offset) { found += 1 }
        }
      }
      let shared = Double(KnownBytes.step * found) / (Double(max(looked, 1)) * share)
      unshared += Int(Double(stream.size) * max(1 - shared, 0))
    }
    return unshared
  }

  /// Of a table of 32 MiB.
  static var mostBits: Int { 23 }
}

/// Six bytes in a row, of every second offset: what shares seven bytes with them shares six of these.
///
/// A matcher takes no match of fewer bytes than seven. Of many bytes only those are known, of both files, that their hash
/// chooses; what is inserted late may push out what was before.
private struct KnownBytes {
  /// For the high bits of a hash, other bits of it.
  private var slots: [UInt32]
  private var insertions = 0
  private let shift: UInt64
  /// How many of the lowest bits of a hash have to be 0.
  private let skippedBits: UInt64

  /// Those of a file.
  init(of file: UnsafeBufferPointer<UInt8>, mostBits: Int) {
    let offsets = file.count / KnownBytes.step
    var bits = 10
    while bits < mostBits && 1 << bits < offsets { bits += 1 }
    var skippedBits: UInt64 = 0
    while skippedBits < 8 && 1 << bits < offsets >> Int(skippedBits) { skippedBits += 1 }
    self.skippedBits = skippedBits
    slots = [UInt32](repeating: 0, count: 1 << bits)
    shift = UInt64(64 - bits)
    guard let base = file.baseAddress else { return }
    for offset in stride(from: 0, through: file.count - KnownBytes.length, by: KnownBytes.step) {
      insert(base + offset)
    }
  }

  private mutating func insert(_ bytes: UnsafePointer<UInt8>) {
    let hash = KnownBytes.hash(bytes)
    guard isChosen(hash) else { return }
    insertions += 1
    slots[Int(hash >> shift)] = UInt32(truncatingIfNeeded: hash >> 8)
  }

  func contains(_ bytes: UnsafePointer<UInt8>) -> Bool {
    let hash = KnownBytes.hash(bytes)
    return isChosen(hash) && slots[Int(hash >> shift)] == UInt32(truncatingIfNeeded: hash >> 8)
  }

  /// The part of what was inserted that was not pushed out; at most that, if the same was inserted again.
  var keptShare: Double {
    insertions == 0 ? 1 : Double(slots.count { $0 != 0 }) / Double(insertions)
  }

  /// Whether `contains` says something about these bytes.
  func mayKnow(_ bytes: UnsafePointer<UInt8>) -> Bool { isChosen(KnownBytes.hash(bytes)) }

  private func isChosen(_ hash: UInt64) -> Bool { hash & (1 << skippedBits - 1) == 0 }

  private static func hash(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    let bytes = UnsafeRawPointer(bytes)
    let low = bytes.loadUnaligned(as: UInt32.self).littleEndian
    let high = bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self).littleEndian
    let hash = (UInt64(high) << 32 | UInt64(low)) &* 0x9e37_79b9_7f4a_7c15
    return (hash ^ hash >> 29) &* 0xbf58_476d_1ce4_e5b9
  }

  /// Twice as many offsets as are equal by chance in noise.
  func expectedCollisions(_ old: Int, _ new: Int) -> Int {
    2 * ((old / KnownBytes.step * (new >> 24)) >> (24 + Int(skippedBits)))
  }

  static var length: Int { 6 }
  static var step: Int { 2 }
}
