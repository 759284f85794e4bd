/// Where pairs of points are in a file, to find lines that occur again, in either direction.
///
/// A point is two doubles. The index keeps the last two offsets of each pair: its memory depends on the count of numbers.
struct LineIndex {
  /// Nil for an empty file, which has no numbers.
  private let base: UnsafeRawPointer?
  /// Offsets plus one; 0: free.
  private var slots: [UInt32]
  private let mask: Int

  /// For that many numbers of a file that outlives the index.
  init(_ file: UnsafeBufferPointer<UInt8>, numbers: Int) {
    base = UnsafeRawPointer(file.baseAddress)
    var size = 2
    while size < numbers { size *= 2 }
    slots = [UInt32](repeating: 0, count: size)
    mask = size - 2
  }

  /// Adds the two points that begin at `offset`.
  mutating func insert(_ offset: Int) {
    // Lines after the first 4 GiB are not found.
    guard let base, let entry = UInt32(exactly: offset + 1) else { return }
    let slot = self.slot(LineIndex.load(base, at: offset), LineIndex.load(base, at: offset + 16))
    slots[slot + 1] = slots[slot]
    slots[slot] = entry
  }

  /// Calls `body` with the offsets where these two points may be; the caller compares them.
  func forEachOffset(of first: Point, _ second: Point, _ body: (Int) -> Void) {
    let slot = slot(first, second)
    for index in slot..<slot + 2 where slots[index] > 0 { body(Int(slots[index] - 1)) }
  }

  struct Point: Equatable {
    let x: UInt64
    let y: UInt64
  }

  static func load(_ base: UnsafeRawPointer, at offset: Int) -> Point {
    Point(
      x: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
      y: base.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
  }

  private func slot(_ first: Point, _ second: Point) -> Int {
    var hash = first.x &* 0x9e37_79b9_7f4a_7c15
    for word in [first.y, second.x, second.y] {
      hash = (hash ^ hash >> 29 ^ word) &* 0xbf58_476d_1ce4_e5b9
    }
    return Int(truncatingIfNeeded: hash >> 20) & mask
  }
}
