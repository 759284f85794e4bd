/// Sorts the suffixes of a text by their first bytes only: enough to estimate what sorting them by all bytes is worth.
///
/// Each pass counts and moves (M. Schindler, "A fast block-sorting algorithm for lossless data compression", DCC 1997), so it
/// takes the same time whatever the text.
enum ContextSorter {
  /// The offsets in the text in the order of the bytes that begin there; the caller deallocates what is returned.
  static func sort(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeMutablePointer<Int32> {
    var sorted = UnsafeMutablePointer<Int32>.allocate(capacity: text.count)
    var other = UnsafeMutablePointer<Int32>.allocate(capacity: text.count)
    for offset in 0..<text.count { sorted[offset] = Int32(truncatingIfNeeded: offset) }
    // The last bytes first: each pass keeps the order of what is equal.
    for depth in stride(from: Tuning.ContextSorter.depth - 2, through: 0, by: -2) {
      sort(sorted, byTwoBytesAt: depth, of: text, into: other)
      swap(&sorted, &other)
    }
    other.deallocate()
    return sorted
  }

  private static func sort(
    _ offsets: UnsafeMutablePointer<Int32>, byTwoBytesAt depth: Int, of text: UnsafeBufferPointer<UInt8>,
    into sorted: UnsafeMutablePointer<Int32>
  ) {
    func byte(_ offset: Int) -> Int { offset < text.count ? Int(text[offset]) : 0 }
    func two(_ offset: Int) -> Int { byte(offset + depth) << 8 | byte(offset + depth + 1) }
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: 1 << 16) { places in
      places.initialize(repeating: 0)
      for offset in 0..<text.count { places[two(offset)] += 1 }
      var start: Int32 = 0
      for two in places.indices {
        let count = places[two]
        places[two] = start
        start += count
      }
      for index in 0..<text.count {
        let offset = offsets[index]
        let two = two(Int(offset))
        sorted[Int(places[two])] = offset
        places[two] += 1
      }
    }
  }
}
