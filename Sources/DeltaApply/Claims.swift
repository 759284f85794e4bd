internal import PatchFormat

/// A stretch of a file, in bytes.
struct Extent: Equatable {
  let start: UInt64
  let size: UInt64

  /// The first byte behind it.
  var end: UInt64 { start + size }
}

/// Stretches of the new file that a stream has filled before the bytes around them came.
struct Claims {
  /// In the order of the file.
  private var extents: [Extent] = []

  /// Takes all memory that they will ever need: growing would hold the old and the new at a time.
  mutating func reserve() { extents.reserveCapacity(Claims.maximum) }

  /// The one that comes next.
  var first: Extent? { extents.first }

  /// Adds a stretch that lies behind `position`; false if it is not, or shares bytes with another, or there are too many.
  mutating func insert(_ extent: Extent, behind position: UInt64) -> Bool {
    guard extent.start >= position, extents.count < Claims.maximum else { return false }
    var index = extents.count
    while index > 0 && extents[index - 1].start > extent.start { index -= 1 }
    if index > 0 { guard extents[index - 1].end <= extent.start else { return false } }
    if index < extents.count { guard extent.end <= extents[index].start else { return false } }
    extents.insert(extent, at: index)
    return true
  }

  mutating func removeFirst() { extents.removeFirst() }

  /// The most that there may be at a time: so many overflow pages of a database come to 16 MiB.
  static var maximum: Int { PatchLimits.maximumExtents }
}
