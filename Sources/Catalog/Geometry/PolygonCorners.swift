/// The rings of a polygon, each as its corners.
package struct PolygonCorners: Equatable {
  private var corners: [Corner] = []
  /// Where each ring ends.
  private var ends: [Int] = []

  /// A corner, whose longitude may be west of the antimeridian where the one before is east of it.
  package struct Corner: Equatable {
    package let latitude: Degrees
    package let longitude: Degrees
  }

  init() {}

  package var ringCount: Int { ends.count }

  /// The corners of a ring in their order, without the first one again at its end unless its publisher wrote it there.
  package func ring(_ index: Int) -> ArraySlice<Corner> {
    corners[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// Adds the next corner of a ring, in ten-millionths of a degree; false if there are too many.
  mutating func add(latitude: Int64, longitude: Int64) -> Bool {
    guard corners.count < CatalogLimits.corners else { return false }
    corners.append(
      Corner(
        latitude: Degrees(tenMillionths: Int32(latitude)), longitude: Degrees(tenMillionths: Int32(longitude))
      ))
    return true
  }

  mutating func closeRing() { if corners.count > ends.last ?? 0 { ends.append(corners.count) } }
}
