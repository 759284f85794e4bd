/// A box on the globe, in degrees (WGS 84).
public struct GeoBox: Sendable, Hashable {
  /// The smallest latitude.
  public let south: Double
  /// Where it begins; greater than `east` if it lies across the antimeridian.
  public let west: Double
  /// The greatest latitude.
  public let north: Double
  /// Where it ends.
  public let east: Double

  init?(_ numbers: [Double]) {
    guard numbers.count == 4 else { return nil }
    (south, west, north, east) = (numbers[0], numbers[1], numbers[2], numbers[3])
  }
}

/// A place on the globe, in degrees (WGS 84).
public struct Coordinate: Sendable, Hashable {
  /// From -90 to 90.
  public var latitude: Double
  /// From -180 to 180.
  public var longitude: Double

  /// Makes one; it is checked where it is used.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// Where a package is: rings of places, in degrees (WGS 84).
///
/// What an odd number of rings surround is inside. Edges are straight between latitudes and longitudes, and go the short
/// way around the globe.
public struct GeoPolygon: Sendable, Hashable {
  /// The corners of each ring; the first one follows the last.
  public private(set) var rings: [[Coordinate]] = []

  /// Takes corners as an event has them: a latitude, its longitude, the next latitude and so on.
  mutating func add(_ numbers: [Double], toRing ring: Int) {
    if ring >= rings.count { rings.append([]) }
    for index in stride(from: 0, to: numbers.count - 1, by: 2) {
      rings[rings.count - 1].append(Coordinate(latitude: numbers[index], longitude: numbers[index + 1]))
    }
  }
}
