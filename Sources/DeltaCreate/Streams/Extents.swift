/// Extents of a file that belong together, read with their bounds checked: a blob that SQLite has split into pages, or a picture
/// in chunks.
struct Extents {
  let file: UnsafeBufferPointer<UInt8>
  let ranges: [Range<Int>]
  /// Where each range begins in the order of these bytes.
  private let starts: [Int]
  let count: Int

  init(_ ranges: [Range<Int>], of file: UnsafeBufferPointer<UInt8>) {
    var starts: [Int] = []
    starts.reserveCapacity(ranges.count)
    var count = 0
    for range in ranges {
      starts.append(count)
      count += range.count
    }
    self.file = file
    self.ranges = ranges
    self.starts = starts
    self.count = count
  }

  /// Where a part of these bytes is in the file.
  func part(_ part: Range<Int>) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var index = index(of: part.lowerBound)
    var offset = part.lowerBound
    while offset < part.upperBound {
      let from = ranges[index].lowerBound + offset - starts[index]
      let to = min(ranges[index].upperBound, from + part.upperBound - offset)
      // What follows directly in the file is one extent.
      if let last = result.last, last.upperBound == from {
        result[result.count - 1] = last.lowerBound..<to
      } else {
        result.append(from..<to)
      }
      offset += to - from
      index += 1
    }
    return result
  }

  /// Where one of these bytes is in the file.
  func fileOffset(of offset: Int) -> Int {
    let index = index(of: offset)
    return ranges[index].lowerBound + offset - starts[index]
  }

  /// One of these bytes; nil after the end.
  func byte(at offset: Int) -> UInt8? {
    offset >= 0 && offset < count ? file[fileOffset(of: offset)] : nil
  }

  func bigEndian32(at offset: Int) -> UInt32? {
    var value: UInt32 = 0
    for index in 0..<4 {
      guard let byte = byte(at: offset + index) else { return nil }
      value = value << 8 | UInt32(byte)
    }
    return value
  }

  func begins(with bytes: [UInt8]) -> Bool {
    bytes.indices.allSatisfy { byte(at: $0) == bytes[$0] }
  }

  /// The last range that begins at `offset` or before.
  private func index(of offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}
