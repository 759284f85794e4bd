/// The last four offsets in a file for each hash; its memory depends on how many are expected.
struct OffsetTable {
  /// Offsets plus one, four for each hash, the latest first; 0: free.
  private var slots: [UInt32]
  private let mask: Int

  init(expected count: Int) {
    var size = 4
    while size < 2 * count { size *= 2 }
    slots = [UInt32](repeating: 0, count: size)
    mask = size - 4
  }

  mutating func insert(_ offset: Int, hash: UInt64) {
    // What is after the first 4 GiB is not found.
    guard let entry = UInt32(exactly: offset + 1) else { return }
    let slot = slot(hash)
    for index in [3, 2, 1] { slots[slot + index] = slots[slot + index - 1] }
    slots[slot] = entry
  }

  /// Calls `body` with the offsets that may have this hash; the caller compares what is there.
  func forEachOffset(hash: UInt64, _ body: (Int) -> Void) {
    let slot = slot(hash)
    for index in slot..<slot + 4 where slots[index] > 0 { body(Int(slots[index] - 1)) }
  }

  /// The high bits of a hash are the well mixed ones.
  private func slot(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 20) & mask }
}
