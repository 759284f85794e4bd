internal import Platform

/// Whether a polygon contains a point, and how large it is: all its rings, one corner at a time.
///
/// Edges are straight between latitudes and longitudes, as map compilers draw them, and go the short way around
/// the globe. What an odd number of rings surround is inside; a border is too.
///
/// A ring whose longitudes go once around the globe surrounds a pole. No direction says which one, so the smaller
/// side is inside; of two equal ones the northern.
struct PolygonMeasure: Equatable {
  private let point: Point
  /// What its edges may reach into.
  private let corridor: Corridor?
  private(set) var isNear = false
  private var corners = 0
  private var first = Corner()
  private var last = Corner()
  /// Edges of the ring that cross the point's meridian north of the point.
  private var crossings = 0
  /// The sum of all steps in longitude: a multiple of a circle once the ring is closed.
  private var steps: Int64 = 0
  /// The integral of the sine of the latitude along the ring: what lies between it and the equator.
  private var integral: Double = 0
  private var isOnBorder = false
  private var isInside = false
  /// Of all rings on a unit sphere; holes count as well.
  private(set) var area: Double = 0

  /// In ten-millionths of a degree.
  private struct Corner: Equatable {
    var latitude: Int64 = 0
    var longitude: Int64 = 0
  }

  init(_ point: Point) { (self.point, corridor) = (point, nil) }

  /// A polygon that none of its edges reaches into the corridor contains all of that, or nothing.
  init(_ corridor: Corridor) { (point, self.corridor) = (corridor.first, corridor) }

  var contains: Bool { isInside || isOnBorder }

  /// Adds the next corner of a ring, in ten-millionths of a degree.
  mutating func add(latitude: Int64, longitude: Int64) {
    let corner = Corner(latitude: latitude, longitude: longitude)
    if corners == 0 {
      first = corner
    } else {
      addEdge(to: corner)
    }
    last = corner
    corners += 1
  }

  /// Closes the ring; the next corner begins another one.
  mutating func closeRing() {
    if corners > 0 { addEdge(to: first) }
    let goesAround = (steps / Degrees.circle) % 2 != 0
    let magnitude = integral.magnitude
    area += goesAround ? Degrees.radians(abs(steps)) - magnitude : magnitude
    // A ring that lies north of the equator, taken on the whole, has less on its northern side.
    let isNorthern = steps > 0 ? integral >= 0 : integral <= 0
    if (crossings % 2 != 0) != (goesAround && isNorthern) { isInside.toggle() }
    (corners, crossings, steps, integral) = (0, 0, 0, 0)
  }

  private mutating func addEdge(to end: Corner) {
    if let corridor, !isNear {
      isNear = corridor.meetsEdge(
        from: Leg.End(latitude: last.latitude, longitude: last.longitude),
        to: Leg.End(latitude: end.latitude, longitude: end.longitude))
    }
    let step = Degrees.short(end.longitude - last.longitude)
    steps += step
    integrate(from: last.latitude, to: end.latitude, step: step)
    let latitude = Int64(point.latitude.tenMillionths)
    let west = Degrees.short(last.longitude - Int64(point.longitude.tenMillionths))
    let (low, high) = (min(last.latitude, end.latitude), max(last.latitude, end.latitude))
    if (point.isPole || (step == 0 && west == 0)) && (low...high).contains(latitude) { isOnBorder = true }
    if step != 0 {
      cross(from: west, step: step, rise: end.latitude - last.latitude, above: last.latitude - latitude)
    }
  }

  /// Looks where an edge meets the meridian of the point.
  ///
  /// - `west`: the longitude of its start, seen from the point; `step`: how far it goes from there.
  /// - `rise`: how far it goes north; `above`: where it begins, seen from the point.
  private mutating func cross(from west: Int64, step: Int64, rise: Int64, above: Int64) {
    let east = west + step
    // Where the edge is on the meridian, times the step: the largest products are 3.24e18 and fit, and so does their sum.
    let height = above * step - rise * west
    let isNorth = step > 0 ? height > 0 : height < 0
    if min(west, east) <= 0 && max(west, east) >= 0 && height == 0 { isOnBorder = true }
    if (west < 0) != (east < 0) && isNorth { crossings += 1 }
  }

  /// Simpson's rule: exact to far below a square metre for the edges of maps.
  private mutating func integrate(from: Int64, to: Int64, step: Int64) {
    guard step != 0 else { return }
    let (a, b) = (Degrees.radians(from), Degrees.radians(to))
    integral += Degrees.radians(step) * (a.sine + 4 * ((a + b) / 2).sine + b.sine) / 6
  }
}
