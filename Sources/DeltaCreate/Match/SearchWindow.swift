/// A part of a new file that is searched by itself, because not all of it fits into memory.
struct SearchWindow {
  /// In the new file.
  let range: Range<Int>
  /// What is searched of the old file.
  let part: Range<Int>
  /// What blocks have found in the window.
  let copies: [Copy]

  /// The windows of a new file, of at most `size` bytes each, as are their parts of the old one.
  ///
  /// - `copies`: what blocks have found, in the order of the new file.
  static func all(
    _ copies: [Copy], old: UnsafeBufferPointer<UInt8>, new: UnsafeBufferPointer<UInt8>, size: Int
  ) -> [SearchWindow] {
    var windows: [SearchWindow] = []
    var next = 0
    for start in stride(from: 0, to: new.count, by: size) {
      let range = start..<min(new.count, start + size)
      var inside: [Copy] = []
      while next < copies.count && copies[next].new < range.upperBound {
        inside.append(copies[next].clipped(to: range))
        if copies[next].new + copies[next].length > range.upperBound { break }
        next += 1
      }
      inside.removeAll { $0.length <= 0 }
      windows.append(
        SearchWindow(
          range: range, part: part(of: old.count, new: new.count, around: inside, range, size: size),
          copies: inside))
    }
    return windows
  }

  /// The part of an old file of `count` bytes from which most of the copies come; without any, the one at the same place.
  private static func part(
    of count: Int, new: Int, around copies: [Copy], _ range: Range<Int>, size: Int
  ) -> Range<Int> {
    let size = min(size, count)
    var sources = copies
    sources.sort { $0.old < $1.old }
    var best = (bytes: 0, first: 0, last: -1)
    var (first, bytes) = (0, 0)
    for (last, copy) in sources.enumerated() {
      bytes += copy.length
      while first < last && copy.old + copy.length - sources[first].old > size {
        bytes -= sources[first].length
        first += 1
      }
      if bytes > best.bytes { best = (bytes, first, last) }
    }
    var middle = Int(Double(range.lowerBound + range.upperBound) / 2 * Double(count) / Double(new))
    if best.last >= 0 {
      middle = (sources[best.first].old + sources[best.last].old + sources[best.last].length) / 2
    }
    let start = max(0, min(middle - size / 2, count - size))
    return start..<start + size
  }
}

extension Copy {
  fileprivate func clipped(to range: Range<Int>) -> Copy {
    let front = max(0, range.lowerBound - new)
    return Copy(
      new: new + front, old: old + front,
      length: min(new + length, range.upperBound) - (new + front))
  }

  /// The same between files that begin elsewhere.
  func moved(new: Int = 0, old: Int = 0) -> Copy {
    Copy(new: self.new + new, old: self.old + old, length: length)
  }
}
