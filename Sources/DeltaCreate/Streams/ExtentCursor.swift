internal import Glibc

/// Compares bytes with those of some extents, piece by piece.
struct ExtentCursor {
  let file: UnsafeBufferPointer<UInt8>
  var extents: [Range<Int>]
  var index = 0

  init(file: UnsafeBufferPointer<UInt8>, extents: [Range<Int>]) {
    self.file = file
    self.extents = extents
  }

  var isAtEnd: Bool { index == extents.count }

  /// Advances if the next bytes are these; false if they are not.
  mutating func advance(over bytes: UnsafeRawBufferPointer) -> Bool {
    var compared = 0
    while compared < bytes.count {
      guard index < extents.count else { return false }
      let extent = extents[index]
      let count = min(bytes.count - compared, extent.count)
      let part = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: file[extent.prefix(count)]))
      guard let there = part.baseAddress, let here = bytes.baseAddress,
        memcmp(there, here + compared, count) == 0
      else { return false }
      compared += count
      extents[index] = extent.lowerBound + count..<extent.upperBound
      if extents[index].isEmpty { index += 1 }
    }
    return true
  }
}
