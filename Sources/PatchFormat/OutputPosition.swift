/// Where in the new file the next byte goes that is in no deflate stream.
///
/// A stream reserves its destinations when it begins; the bytes around it are then placed around them:
///
///     while bytes are left:
///       while an extent is reserved at the position: position = end of that extent, which is released
///       place as many of them as fit before the next reserved extent
package struct OutputPosition {
  package private(set) var offset: UInt64
  private var reserved = ReservedExtents()

  package init(_ offset: UInt64 = 0) { self.offset = offset }

  /// Allocates all the memory that reserving may need.
  package mutating func reserveCapacity() { reserved.reserveCapacity() }

  /// Whether a reserved extent begins at the position.
  package var isAtReserved: Bool { reserved.first?.start == offset }

  /// Whether no extent after the position is reserved.
  package var isClear: Bool { reserved.first == nil }

  /// The number of reserved extents.
  package var reservedCount: Int { reserved.count }

  /// How many bytes fit before the next reserved extent.
  package var room: UInt64 { (reserved.first?.start ?? .max) - offset }

  /// Reserves an extent; false if it begins before the position or shares bytes with another one, or there are too many.
  package mutating func reserve(_ extent: Extent) -> Bool {
    extent.start >= offset && reserved.insert(extent)
  }

  /// Skips the reserved extent that begins at the position.
  package mutating func skipReserved() {
    guard isAtReserved, let first = reserved.first else { return }
    offset = first.end
    reserved.removeFirst()
  }

  /// Places bytes, at most `room`.
  package mutating func place(_ count: UInt64) { offset += count }

  /// Places bytes around reserved extents, and skips those that follow directly.
  package mutating func placeAround(_ count: UInt64) {
    var left = count
    while true {
      while isAtReserved { skipReserved() }
      if left == 0 { return }
      let placed = min(left, room)
      place(placed)
      left -= placed
    }
  }

  /// Moves to `end`, as if everything before were placed or in a stream, and skips the extents that are reserved there.
  package mutating func move(to end: UInt64) {
    reserved.removeAll(endingBy: end)
    offset = max(offset, end)
    placeAround(0)
  }
}
