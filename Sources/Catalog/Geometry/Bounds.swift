/// A box on the globe; `west` is greater than `east` when it crosses the antimeridian.
package struct Bounds: Equatable {
  package let south: Degrees
  package let west: Degrees
  package let north: Degrees
  package let east: Degrees

  /// South, west, north and east.
  package var degrees: [Degrees] { [south, west, north, east] }

  /// Nil unless the latitudes are at most 90 degrees and in order.
  package init?(south: Degrees, west: Degrees, north: Degrees, east: Degrees) {
    guard south <= north, south.tenMillionths >= -900_000_000, north.tenMillionths <= 900_000_000 else {
      return nil
    }
    self.south = south
    self.west = west
    self.north = north
    self.east = east
  }
}
