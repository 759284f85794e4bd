/// Points: pairs of doubles, at any offset, which are the same although their last bits differ.
extension LineFinder {
  /// The bytes of a point.
  static var pointSize: Int { 16 }

  static func count(_ file: UnsafeRawBufferPointer) -> Int {
    var count = 0
    forEachPoint(file) { _, _ in count += 1 }
    return count
  }

  /// Calls `body` with the hash and the offset of every point, in the order of the file.
  static func forEachPoint(_ file: UnsafeRawBufferPointer, _ body: (UInt64, Int) -> Void) {
    guard file.count >= pointSize else { return }
    for offset in 0...file.count - pointSize {
      if let hash = hash(file, at: offset) { body(hash, offset) }
    }
  }

  /// The hash of the point at `offset`; nil if there is none.
  private static func hash(_ file: UnsafeRawBufferPointer, at offset: Int) -> UInt64? {
    guard NumberFinder.mayBeCoordinate(file[offset + 7]), NumberFinder.mayBeCoordinate(file[offset + 15])
    else { return nil }
    func number(_ offset: Int) -> UInt64 {
      let bits = file.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
      return bits >> Tuning.LineFinder.ignoredBits
    }
    let (x, y) = (number(offset), number(offset + 8))
    guard x != y else { return nil }  // zeros, or one number again and again
    let hash = x &* 0x9e37_79b9_7f4a_7c15
    return (hash ^ hash >> 29 ^ y) &* 0xbf58_476d_1ce4_e5b9
  }
}
