/// Where the points of a file are: pairs of doubles, at any offset, found again although their last bits differ.
///
/// Only half of all points are in it, chosen by their own bits, so the same ones of every file.
struct PointIndex {
  private let file: UnsafeRawBufferPointer
  /// Two offsets for each hash, plus one, the latest first; 0: free.
  private var slots: [UInt32]
  private let mask: Int

  /// For `count` points of a file that outlives the index.
  init(_ file: UnsafeBufferPointer<UInt8>, count: Int) {
    self.file = UnsafeRawBufferPointer(file)
    var size = 2
    while size < count { size *= 2 }
    slots = [UInt32](repeating: 0, count: size)
    mask = size - 2
  }

  /// The bytes of a point.
  static var pointSize: Int { 16 }

  /// The hash of the point at `offset`, of which the lowest bits do not count; nil if there is none, or it is not one of
  /// those that are in an index.
  static func hash(_ file: UnsafeRawBufferPointer, at offset: Int) -> Int? {
    guard mayEnd(file[offset + 7]), mayEnd(file[offset + 15]) else { return nil }
    let x = file.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian >> ignoredBits
    let y = file.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self).littleEndian >> ignoredBits
    guard x != y else { return nil }  // zeros, or one number again and again
    var hash = x &* 0x9e37_79b9_7f4a_7c15
    hash = (hash ^ hash >> 29 ^ y) &* 0xbf58_476d_1ce4_e5b9
    return hash >> 63 == 0 ? Int(truncatingIfNeeded: hash >> 20 & 0x3fff_ffff) : nil
  }

  /// Adds the point at `offset`.
  mutating func insert(_ hash: Int, at offset: Int) {
    // Points after the first 4 GiB are not found.
    guard let entry = UInt32(exactly: offset + 1) else { return }
    let slot = 2 * hash & mask
    slots[slot + 1] = slots[slot]
    slots[slot] = entry
  }

  /// Calls `body` with the offsets where this point may be; the caller compares them.
  func forEachOffset(_ hash: Int, _ body: (Int) -> Void) {
    let slot = 2 * hash & mask
    for index in slot..<slot + 2 where slots[index] > 0 { body(Int(slots[index] - 1)) }
  }

  /// Whether this may be the highest byte of a coordinate: its magnitude is between 2^-15 and 2^32.
  private static func mayEnd(_ byte: UInt8) -> Bool { (0x3f...0x41).contains(byte & 0x7f) }

  /// A transformation there and back changes the last bits of a double, of a small one more than of a large one.
  private static var ignoredBits: UInt64 { 24 }
}
