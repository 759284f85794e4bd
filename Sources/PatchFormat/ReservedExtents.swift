/// Extents of the new file that deflate streams have filled before the output position reached them.
package struct ReservedExtents {
  /// In the order of the file.
  private var extents: [Extent] = []

  /// Allocates all the memory that they will ever need: growing would hold the old and the new array at a time.
  mutating func reserveCapacity() { extents.reserveCapacity(PatchLimits.maximumExtents) }

  package var count: Int { extents.count }

  /// The one with the lowest offset.
  package var first: Extent? { extents.first }

  /// Adds an extent; false if it shares bytes with another one or there are too many.
  mutating func insert(_ extent: Extent) -> Bool {
    guard extents.count < PatchLimits.maximumExtents else { return false }
    var index = extents.count
    while index > 0 && extents[index - 1].start > extent.start { index -= 1 }
    if index > 0 { guard extents[index - 1].end <= extent.start else { return false } }
    if index < extents.count { guard extent.end <= extents[index].start else { return false } }
    extents.insert(extent, at: index)
    return true
  }

  mutating func removeFirst() { extents.removeFirst() }

  mutating func removeAll(endingBy end: UInt64) { extents.removeAll { $0.end <= end } }
}
