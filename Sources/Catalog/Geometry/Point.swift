/// A place on the globe.
package struct Point: Equatable {
  package let latitude: Degrees
  package let longitude: Degrees

  /// Nil unless the latitude is one.
  package init?(latitude: Degrees, longitude: Degrees) {
    guard latitude.isLatitude else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// At a pole every longitude is the same place.
  var isPole: Bool { latitude.tenMillionths.magnitude == Degrees.quarter }
}

extension Point {
  /// The points are more than `metres` apart.
  package func isFar(from other: Point, metres: Double) -> Bool {
    let chord = Width(angle: Corridor.angle(metres: metres)).chord
    let (a, b) = (Leg.End(self), Leg.End(other))
    return UnitVector.squaredChord(
      UnitVector(latitude: a.latitude, longitude: a.longitude),
      UnitVector(latitude: b.latitude, longitude: b.longitude)) > chord * chord
  }
}

extension Degrees {
  /// A quarter and the whole of a circle.
  static var quarter: Int64 { 900_000_000 }
  package static var circle: Int64 { 3_600_000_000 }

  /// Is between the poles.
  var isLatitude: Bool { Int64(tenMillionths.magnitude) <= Degrees.quarter }

  /// A step between longitudes the short way around the globe: at least minus a half circle, and less than one.
  ///
  /// So a step of exactly half a circle goes west.
  package static func short(_ step: Int64) -> Int64 {
    let rest = (step + circle / 2) % circle
    return (rest < 0 ? rest + circle : rest) - circle / 2
  }

  /// In radians.
  package static func radians(_ tenMillionths: Int64) -> Double {
    Double(tenMillionths) * (.pi / 1_800_000_000)
  }
}
