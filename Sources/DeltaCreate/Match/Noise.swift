/// Bytes that look like chance: of data that is compressed already, or encrypted.
enum Noise {
  /// Whether all windows of some bytes are incompressible, so that only copies could save anything; not of a few bytes.
  static func isNoise(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count >= Tuning.Noise.smallest else { return false }
    return stride(from: 0, to: bytes.count - window + 1, by: window).allSatisfy { start in
      isIncompressible(UnsafeBufferPointer(rebasing: bytes[start..<start + window]))
    }
  }

  /// Whether an old file shares so little with some noise that no copy makes it cheaper.
  ///
  /// Only some offsets are searched for, in a small part of the time that searching for copies takes.
  static func sharesNothing(with old: borrowing SuffixArray, _ noise: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = noise.baseAddress else { return true }
    var found = 0
    for offset in stride(from: 0, to: noise.count, by: Tuning.Noise.step) {
      let match = old.longestMatch(of: base + offset, count: noise.count - offset)
      // A matcher takes no shorter ones.
      if match.length >= 7 { found += 1 }
      if found == Tuning.Noise.fewest { return false }
    }
    return true
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
}
