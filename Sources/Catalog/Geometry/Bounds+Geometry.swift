internal import Platform

extension Bounds {
  /// The point is in the box or on its border.
  package func contains(_ point: Point) -> Bool {
    guard (south...north).contains(point.latitude) else { return false }
    if point.isPole { return true }
    let inside = Bounds.eastward(from: west, to: point.longitude)
    // A point on the west border is there by either way around.
    return inside <= width || inside == Degrees.circle
  }

  /// How much of a unit sphere it covers; the whole sphere is 4 pi.
  package var area: Double {
    let (low, high) = (
      Degrees.radians(Int64(south.tenMillionths)).sine, Degrees.radians(Int64(north.tenMillionths)).sine
    )
    return (high - low) * Degrees.radians(width)
  }

  /// From west to east; -180 to 180 is all around.
  private var width: Int64 {
    let width = Int64(east.tenMillionths) - Int64(west.tenMillionths)
    return width < 0 ? width + Degrees.circle : width
  }

  private static func eastward(from west: Degrees, to east: Degrees) -> Int64 {
    let step = Int64(east.tenMillionths) - Int64(west.tenMillionths)
    return step < 0 ? step + Degrees.circle : step
  }
}
