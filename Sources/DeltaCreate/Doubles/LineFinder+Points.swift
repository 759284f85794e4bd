/// Points: pairs of doubles, at any offset, which are the same although their last bits differ.
///
/// Half of all points are left out, chosen by their own bits, so the same ones of every file.
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

  /// The hash of the point at `offset`; nil if there is none, or it is left out.
  private static func hash(_ file: UnsafeRawBufferPointer, at offset: Int) -> UInt64? {
    guard NumberFinder.mayBeCoordinate(file[offset + 7]), NumberFinder.mayBeCoordinate(file[offset + 15])
    else { return nil }
    let x = file.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian >> ignoredBits
    let y = file.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self).littleEndian >> ignoredBits
    guard x != y else { return nil }  // zeros, or one number again and again
    var hash = x &* 0x9e37_79b9_7f4a_7c15
    hash = (hash ^ hash >> 29 ^ y) &* 0xbf58_476d_1ce4_e5b9
    return hash >> 63 == 0 ? hash : nil
  }

  /// A transformation there and back changes the last bits of a double, of a small one more than of a large one.
  private static var ignoredBits: UInt64 { 24 }
}
