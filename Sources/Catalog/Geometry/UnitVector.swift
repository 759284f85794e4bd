internal import Platform

/// A place on the globe as a vector of length 1: arithmetic without special cases at the poles and the antimeridian.
struct UnitVector: Equatable {
  var x: Double
  var y: Double
  var z: Double

  init(_ x: Double, _ y: Double, _ z: Double) { (self.x, self.y, self.z) = (x, y, z) }

  /// In ten-millionths of a degree.
  init(latitude: Int64, longitude: Int64) {
    let (latitude, longitude) = (Degrees.radians(latitude), Degrees.radians(longitude))
    let cosine = latitude.cosine
    self.init(cosine * longitude.cosine, cosine * longitude.sine, latitude.sine)
  }

  static func dot(_ a: UnitVector, _ b: UnitVector) -> Double { a.x * b.x + a.y * b.y + a.z * b.z }

  static func cross(_ a: UnitVector, _ b: UnitVector) -> UnitVector {
    UnitVector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }

  /// The square of the straight distance through the globe.
  static func squaredChord(_ a: UnitVector, _ b: UnitVector) -> Double {
    let (x, y, z) = (a.x - b.x, a.y - b.y, a.z - b.z)
    return x * x + y * y + z * z
  }
}

extension Double {
  fileprivate var cosine: Double { (self + .pi / 2).sine }
}

/// A piece of a line on the globe, short enough to be taken for a great circle's.
struct Leg: Equatable {
  /// In ten-millionths of a degree.
  struct End: Equatable {
    var latitude: Int64
    var longitude: Int64
  }

  let box: LegBox
  let start: UnitVector
  let end: UnitVector
  /// At a right angle to both; zero for a point.
  private let normal: UnitVector
  private let middle: UnitVector
  /// The straight distance from the middle to each end, at most.
  private let reach: Double

  init(from start: End, to end: End, box: LegBox) {
    self.box = box
    self.start = UnitVector(latitude: start.latitude, longitude: start.longitude)
    self.end = UnitVector(latitude: end.latitude, longitude: end.longitude)
    normal = UnitVector.cross(self.start, self.end)
    middle = UnitVector(
      (self.start.x + self.end.x) / 2, (self.start.y + self.end.y) / 2, (self.start.z + self.end.z) / 2)
    // The middle lies a little below the arc.
    reach = UnitVector.squaredChord(middle, self.start).squareRoot() * 1.001
  }

  /// Somewhere they are as near to each other as `width`.
  func isNear(_ other: Leg, within width: Width) -> Bool {
    let most = reach + other.reach + width.chord * 1.001
    guard UnitVector.squaredChord(middle, other.middle) <= most * most else { return false }
    return isNear(other.start, within: width) || isNear(other.end, within: width)
      || other.isNear(start, within: width) || other.isNear(end, within: width) || crosses(other)
  }

  private func isNear(_ point: UnitVector, within width: Width) -> Bool {
    let length = UnitVector.dot(normal, normal)
    if length > 0, UnitVector.dot(UnitVector.cross(normal, start), point) >= 0,
      UnitVector.dot(UnitVector.cross(end, normal), point) >= 0
    {
      let height = UnitVector.dot(normal, point)
      return height * height <= width.sine * width.sine * length
    }
    return min(UnitVector.squaredChord(start, point), UnitVector.squaredChord(end, point))
      <= width.chord * width.chord
  }

  /// Both lie on the same side of the globe (`isNear`), so that their great circles meet between their ends or nowhere.
  private func crosses(_ other: Leg) -> Bool {
    let (a, b) = (UnitVector.dot(normal, other.start), UnitVector.dot(normal, other.end))
    let (c, d) = (UnitVector.dot(other.normal, start), UnitVector.dot(other.normal, end))
    return a * b < 0 && c * d < 0
  }
}

/// How far from a line something may be: an angle at the centre of the globe, in two forms.
struct Width: Equatable {
  let sine: Double
  /// The straight distance through the globe.
  let chord: Double

  /// In radians.
  init(angle: Double) { (sine, chord) = (angle.sine, 2 * (angle / 2).sine) }
}

/// A box in ten-millionths of a degree, from `west` on to the east by `width`.
struct LegBox: Equatable {
  var south: Int64
  var north: Int64
  var west: Int64
  var width: Int64

  /// Around both ends.
  init(_ a: Leg.End, _ b: Leg.End) {
    let step = Degrees.short(b.longitude - a.longitude)
    self.init(
      south: min(a.latitude, b.latitude), north: max(a.latitude, b.latitude),
      west: step < 0 ? b.longitude : a.longitude, width: abs(step))
  }

  init(south: Int64, north: Int64, west: Int64, width: Int64) {
    (self.south, self.north, self.west, self.width) = (south, north, west, min(width, Degrees.circle))
  }

  /// The same with all that lies within `angle` of it, in radians, or a little more.
  func widened(by angle: Double) -> LegBox {
    // A great circle between two ends lies nearer to the pole, by less than 0.002 degrees.
    let margin = Int64(angle * (1_800_000_000 / .pi)) + 20_000
    let (south, north) = (south - margin, north + margin)
    let nearest = max(abs(south), abs(north))
    guard nearest < Degrees.quarter - 1_000_000, angle < 1 else {
      return LegBox(south: south, north: north, west: west, width: Degrees.circle)
    }
    // The arc sine of x is at most x times pi / 2.
    let side = .pi / 2 * angle.sine / Degrees.radians(nearest).cosine
    guard side < .pi / 2 else { return LegBox(south: south, north: north, west: west, width: Degrees.circle) }
    let pad = Int64(side * (1_800_000_000 / .pi)) + 20_000
    return LegBox(south: south, north: north, west: west - pad, width: width + 2 * pad)
  }

  func overlaps(_ other: LegBox) -> Bool {
    guard south <= other.north, other.south <= north else { return false }
    return LegBox.eastward(from: west, to: other.west) <= width
      || LegBox.eastward(from: other.west, to: west) <= other.width
  }

  private static func eastward(from west: Int64, to east: Int64) -> Int64 {
    let step = (east - west) % Degrees.circle
    return step < 0 ? step + Degrees.circle : step
  }
}
