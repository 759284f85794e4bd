/// Bytes of a file in an order of their own: a blob that SQLite has cut into pages, or a picture in chunks.
struct Extents {
  let ranges: [Range<Int>]
  /// Where each range begins in the order of these bytes.
  private let starts: [Int]
  let count: Int

  init(_ ranges: [Range<Int>]) {
    var starts: [Int] = []
    starts.reserveCapacity(ranges.count)
    var count = 0
    for range in ranges {
      starts.append(count)
      count += range.count
    }
    self.ranges = ranges
    self.starts = starts
    self.count = count
  }

  /// Where a part of these bytes, which has to be one, lies in the file.
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

  /// Where in the file one of these bytes is.
  func place(of offset: Int) -> Int {
    let index = index(of: offset)
    return ranges[index].lowerBound + offset - starts[index]
  }

  /// The last range that begins at or before `offset`.
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

/// The bytes of a part of a file, read with their bounds checked.
struct ExtentReader {
  let file: UnsafeBufferPointer<UInt8>
  let extents: Extents

  var count: Int { extents.count }

  /// Nil behind the end.
  func byte(at offset: Int) -> UInt8? {
    guard offset >= 0, offset < extents.count else { return nil }
    return file[extents.place(of: offset)]
  }

  func bigEndian32(at offset: Int) -> UInt32? {
    var value: UInt32 = 0
    for index in 0..<4 {
      guard let byte = byte(at: offset + index) else { return nil }
      value = value << 8 | UInt32(byte)
    }
    return value
  }

  func begins(with bytes: [UInt8], at offset: Int = 0) -> Bool {
    for (index, expected) in bytes.enumerated() where byte(at: offset + index) != expected { return false }
    return true
  }
}
