internal import Platform

/// All places within a distance of a line, or of a point: along a route, or around a place.
///
/// Distances are those on a sphere with the mean radius of the earth, 6,371,008.8 m (IUGG), at most 0.5 % off. Lines are
/// straight between latitudes and longitudes (RFC 7946, 3.1.1), and go the short way around the globe.
package struct Corridor: Equatable {
  /// Where the line begins.
  let first: Point
  private let width: Width
  private let legs: [Leg]

  /// Metres.
  package static var widest: UInt64 { 5_000_000 }
  private static var radius: Double { 6_371_008.8 }
  /// Of a piece that counts as straight in both ways, in ten-millionths of a degree.
  private static var piece: Int64 { 2_500_000 }
  /// Pieces of a line, 140 bytes each.
  private static var mostLegs: Int { 4096 }

  private init(_ first: Point, width: Width, legs: [Leg]) {
    (self.first, self.width, self.legs) = (first, width, legs)
  }

  /// The circle around a point; `metres` are at most `widest`.
  package init(around point: Point, metres: UInt64) {
    let angle = Corridor.angle(metres: Double(min(metres, Corridor.widest)))
    let end = Leg.End(point)
    self.init(
      point, width: Width(angle: angle),
      legs: [Leg(from: end, to: end, box: LegBox(end, end).widened(by: angle))])
  }

  /// What lies beside a track; nil if it has no point, or is too long.
  package init?(along track: Track, metres: UInt64) {
    guard let first = track.points.first else { return nil }
    let angle = Corridor.angle(metres: Double(min(metres, Corridor.widest)) + track.deviation)
    var legs: [Leg] = []
    var last = Leg.End(first)
    for point in track.points.count == 1 ? track.points[...] : track.points.dropFirst() {
      let end = Leg.End(point)
      Corridor.forEachPiece(from: last, to: end) { start, end in
        if legs.count <= Corridor.mostLegs {
          legs.append(Leg(from: start, to: end, box: LegBox(start, end).widened(by: angle)))
        }
      }
      last = end
    }
    guard legs.count <= Corridor.mostLegs else { return nil }
    self.init(first, width: Width(angle: angle), legs: legs)
  }

  static func angle(metres: Double) -> Double { metres / radius }

  /// Nothing lies in it.
  var isEmpty: Bool { legs.isEmpty }

  /// What of it may reach into a box.
  func narrowed(to bounds: Bounds) -> Corridor {
    let box = LegBox(bounds)
    return Corridor(first, width: width, legs: legs.filter { $0.box.overlaps(box) })
  }

  /// A box may reach into it; false is certain.
  package func mayMeet(_ bounds: Bounds) -> Bool {
    let box = LegBox(bounds)
    return legs.contains { $0.box.overlaps(box) }
  }

  /// A box reaches into it.
  func meets(_ bounds: Bounds) -> Bool {
    if bounds.contains(first) { return true }
    let narrow = narrowed(to: bounds)
    guard !narrow.isEmpty else { return false }
    let box = LegBox(bounds)
    // Its sides; those to the north and the south may go all around the globe.
    var steps = box.width / Corridor.piece + 1
    for index in 0..<steps {
      let west = box.west + box.width * index / steps
      let east = box.west + box.width * (index + 1) / steps
      for latitude in [box.south, box.north] {
        let (start, end) = (
          Leg.End(latitude: latitude, longitude: west), Leg.End(latitude: latitude, longitude: east)
        )
        if narrow.isNear(start, end) { return true }
      }
    }
    steps = (box.north - box.south) / Corridor.piece + 1
    for index in 0..<steps {
      let south = box.south + (box.north - box.south) * index / steps
      let north = box.south + (box.north - box.south) * (index + 1) / steps
      for longitude in [box.west, box.west + box.width] {
        let (start, end) = (
          Leg.End(latitude: south, longitude: longitude), Leg.End(latitude: north, longitude: longitude)
        )
        if narrow.isNear(start, end) { return true }
      }
    }
    return false
  }

  /// An edge of a polygon reaches into it.
  func meetsEdge(from start: Leg.End, to end: Leg.End) -> Bool {
    var isNear = false
    Corridor.forEachPiece(from: start, to: end) { start, end in
      if !isNear { isNear = self.isNear(start, end) }
    }
    return isNear
  }

  private func isNear(_ start: Leg.End, _ end: Leg.End) -> Bool {
    let box = LegBox(start, end)
    var edge: Leg?
    for leg in legs where leg.box.overlaps(box) {
      let found = edge ?? Leg(from: start, to: end, box: box)
      if leg.isNear(found, within: width) { return true }
      edge = found
    }
    return false
  }

  private static func forEachPiece(
    from start: Leg.End, to end: Leg.End, _ body: (Leg.End, Leg.End) -> Void
  ) {
    let (step, rise) = (Degrees.short(end.longitude - start.longitude), end.latitude - start.latitude)
    let pieces = max(abs(step), abs(rise)) / piece + 1
    var last = start
    for index in 1...pieces {
      let next = Leg.End(
        latitude: start.latitude + rise * index / pieces, longitude: start.longitude + step * index / pieces)
      body(last, next)
      last = next
    }
  }
}

extension Leg.End {
  init(_ point: Point) {
    self.init(
      latitude: Int64(point.latitude.tenMillionths), longitude: Int64(point.longitude.tenMillionths))
  }
}

extension LegBox {
  init(_ bounds: Bounds) {
    let width = Int64(bounds.east.tenMillionths) - Int64(bounds.west.tenMillionths)
    self.init(
      south: Int64(bounds.south.tenMillionths), north: Int64(bounds.north.tenMillionths),
      west: Int64(bounds.west.tenMillionths), width: width < 0 ? width + Degrees.circle : width)
  }
}
