internal import Platform

/// A line on the globe, thinned as it is read: what is left has at most a fixed number of points.
package struct Track {
  package private(set) var points: [Point] = []
  /// How far a point that was left out may lie from the line, in metres.
  package private(set) var deviation: Double
  /// The last point of all, if it was left out.
  private var end: Point?

  package static var mostPoints: Int { 1024 }

  /// - `metres`: the width of the corridor that it is for; a sixteenth of that is not looked at.
  package init(for metres: UInt64) { deviation = max(1, Double(metres) / 16) }

  /// One that has been read before.
  package init(_ points: [Point], deviation: Double) { (self.points, self.deviation) = (points, deviation) }

  package var isEmpty: Bool { points.isEmpty }

  package mutating func add(_ point: Point) {
    guard let last = points.last else { return points.append(point) }
    guard isFar(point, from: last) else { return end = point }
    end = nil
    points.append(point)
    while points.count > Track.mostPoints { thin() }
  }

  /// Adds the end, if it was left out: it is as important as any.
  package mutating func finish() {
    if let end { points.append(end) }
    end = nil
  }

  private mutating func thin() {
    deviation *= 2
    let all = points
    points = [all[0]]
    for point in all.dropFirst() where isFar(point, from: points[points.count - 1]) { points.append(point) }
    // The next one goes on from where the line ends.
    if let last = all.last, last != points.last { points.append(last) }
  }

  private func isFar(_ point: Point, from last: Point) -> Bool { point.isFar(from: last, metres: deviation) }
}
