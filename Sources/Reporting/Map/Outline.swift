internal import Catalog

/// Where a package is on the globe: rings of points.
///
/// In ten-millionths of a degree. Longitudes do not jump at the antimeridian: they count on, beyond 180 degrees.
struct Outline: Equatable, Sendable {
  struct Place: Equatable, Sendable {
    var latitude: Int64
    var longitude: Int64
  }

  private(set) var rings: [[Place]]
  let south: Int64
  let north: Int64
  /// From -180 to less than 180 degrees.
  private(set) var west: Int64
  /// Not less than `west`.
  private(set) var east: Int64

  /// By its polygons, else by its box; nil if it says neither.
  init?(_ place: Report.Place) {
    var rings: [[Place]] = []
    for polygon in place.polygons {
      if let ring = Outline.ring(polygon, near: rings.first?.first) { rings.append(ring) }
    }
    if let bounds = place.bounds.flatMap(Bounds.init) {
      let box = Outline.ring(bounds)
      // The ring of a polygon all around the globe ends where it begins, with nothing between.
      if rings.isEmpty || Outline.isWorldwide(box[2].longitude - box[0].longitude) { rings = [box] }
    }
    let places = rings.joined()
    guard let first = places.first else { return nil }
    var (south, north, west, east) = (first.latitude, first.latitude, first.longitude, first.longitude)
    for place in places {
      south = min(south, place.latitude)
      north = max(north, place.latitude)
      west = min(west, place.longitude)
      east = max(east, place.longitude)
    }
    (self.rings, self.south, self.north, self.west, self.east) = (rings, south, north, west, east)
    move(by: Degrees.short(west) - west)
  }

  /// Covers so much of the globe that it would hide all others.
  var isWorldwide: Bool { Outline.isWorldwide(east - west) }

  private static func isWorldwide(_ width: Int64) -> Bool { width >= Degrees.circle * 3 / 4 }

  /// Of the box around it, in square degrees, roughly.
  var area: Double { Double(east - west) / 1e7 * (Double(north - south) / 1e7) }

  /// The same, that many ten-millionths of a degree further east.
  func moved(by step: Int64) -> Outline {
    var moved = self
    moved.move(by: step)
    return moved
  }

  private mutating func move(by step: Int64) {
    guard step != 0 else { return }
    west += step
    east += step
    for ring in rings.indices {
      for index in rings[ring].indices { rings[ring][index].longitude += step }
    }
  }

  private static func ring(_ bounds: Bounds) -> [Place] {
    let (south, north) = (Int64(bounds.south.tenMillionths), Int64(bounds.north.tenMillionths))
    let west = Int64(bounds.west.tenMillionths)
    let end = Int64(bounds.east.tenMillionths)
    let east = end < west ? end + Degrees.circle : end
    return [
      Place(latitude: south, longitude: west), Place(latitude: north, longitude: west),
      Place(latitude: north, longitude: east), Place(latitude: south, longitude: east),
    ]
  }

  /// Reads `latitude,longitude` pairs; nil if the text is something else.
  private static func ring(_ text: String, near start: Place?) -> [Place]? {
    var ring: [Place] = []
    for pair in text.utf8.split(whereSeparator: { $0 <= UInt8(ascii: " ") }) {
      let numbers = pair.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      guard numbers.count == 2, let latitude = Degrees(String(Substring(numbers[0]))),
        let longitude = Degrees(String(Substring(numbers[1]))),
        let point = Point(latitude: latitude, longitude: longitude)
      else { return nil }
      let before = ring.last ?? start
      let east = Int64(point.longitude.tenMillionths)
      ring.append(
        Place(
          latitude: Int64(point.latitude.tenMillionths),
          longitude: before.map { $0.longitude + Degrees.short(east - $0.longitude) } ?? east))
    }
    return ring.isEmpty ? nil : ring
  }
}

extension Bounds {
  /// Nil if the text is something else.
  init?(_ box: Report.Box) {
    guard let south = Degrees(box.south), let west = Degrees(box.west), let north = Degrees(box.north),
      let east = Degrees(box.east)
    else { return nil }
    self.init(south: south, west: west, north: north, east: east)
  }
}
