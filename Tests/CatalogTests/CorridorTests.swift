import Foundation
import TestSupport
import Testing

@testable import Catalog

@Suite("Corridor")
struct CorridorTests {
  private static let radius = 6_371_008.8

  /// A place in degrees.
  private struct Place {
    var latitude: Double
    var longitude: Double

    var point: Point {
      let found = Coordinate.point(
        latitude: Int64((latitude * 1e7).rounded()), longitude: Int64((longitude * 1e7).rounded()))
      guard let found else { preconditionFailure("a place of these tests is on the globe") }
      return found
    }

    /// By the haversine formula, in metres.
    func distance(to other: Place) -> Double {
      let (a, b) = (latitude * .pi / 180, other.latitude * .pi / 180)
      let (latitudes, longitudes) = (b - a, (other.longitude - longitude) * .pi / 180)
      let h = pow(sin(latitudes / 2), 2) + cos(a) * cos(b) * pow(sin(longitudes / 2), 2)
      return 2 * CorridorTests.radius * asin(min(1, h.squareRoot()))
    }

    /// A line to another place in small steps, straight in latitudes and longitudes.
    func line(to other: Place, _ steps: Int) -> [Place] {
      var step = other.longitude - longitude
      if step >= 180 { step -= 360 }
      if step < -180 { step += 360 }
      return (0...steps).map {
        let part = Double($0) / Double(steps)
        return Place(
          latitude: latitude + (other.latitude - latitude) * part, longitude: longitude + step * part)
      }
    }
  }

  private func measure(_ ring: [Place], _ corridor: Corridor) -> Bool {
    var measure = PolygonMeasure(corridor)
    for place in ring {
      measure.add(
        latitude: Int64(place.point.latitude.tenMillionths),
        longitude: Int64(place.point.longitude.tenMillionths))
    }
    measure.closeRing()
    return measure.contains || measure.isNear
  }

  private func corridor(_ line: [Place], _ metres: Double) throws -> Corridor {
    if line.count == 1 { return Corridor(around: line[0].point, metres: UInt64(metres)) }
    // Points that are left out make it wider.
    var track = Track(for: 0)
    for place in line { track.add(place.point) }
    track.finish()
    return try #require(Corridor(along: track, metres: UInt64(metres)))
  }

  /// Corners at random, around a centre anywhere on the globe, poles and antimeridian included.
  private func ring(_ generator: inout SeededGenerator, size: Double) -> [Place] {
    let centre = Place(
      latitude: Double.random(in: -88...88, using: &generator),
      longitude: Double.random(in: -180...180, using: &generator))
    let count = Int.random(in: 3...9, using: &generator)
    return (0..<count).map { index in
      let angle = 2 * .pi * Double(index) / Double(count)
      let reach = Double.random(in: size / 3...size, using: &generator)
      return Place(
        latitude: max(-90, min(90, centre.latitude + reach * sin(angle))),
        longitude: centre.longitude + reach * cos(angle) / max(0.2, cos(centre.latitude * .pi / 180)))
    }
  }

  @Test(
    "what lies within a distance is found, and what lies beyond is not, as dense samples of both lines say")
  func sampled() throws {
    var generator = SeededGenerator(7)
    var (near, far) = (0, 0)
    for size in [0.02, 0.5, 4, 15] {
      for _ in 0..<60 {
        let ring = ring(&generator, size: size)
        let start = Place(
          latitude: max(
            -90, min(90, ring[0].latitude + Double.random(in: -3 * size...3 * size, using: &generator))),
          longitude: ring[0].longitude + Double.random(in: -3 * size...3 * size, using: &generator))
        var line = [start]
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
          line.append(
            Place(
              latitude: max(
                -90, min(90, start.latitude + Double.random(in: -size...size, using: &generator))),
              longitude: start.longitude + Double.random(in: -size...size, using: &generator)))
        }
        let edges = ring.indices.flatMap { ring[$0].line(to: ring[($0 + 1) % ring.count], 300) }
        let path =
          line.count == 1 ? line : line.indices.dropLast().flatMap { line[$0].line(to: line[$0 + 1], 40) }
        var least = Double.infinity
        for place in path { for edge in edges { least = min(least, place.distance(to: edge)) } }
        // Of the steps, and of a track, which leaves out what is nearer than a metre.
        let coarse = size * 111_000 * 10 / 300 + 5
        if least + coarse < 4_900_000 {
          #expect(measure(ring, try corridor(line, least + coarse)), "\(ring) \(line) \(least)")
          near += 1
        }
        let inside = PolygonMeasure.contains(line[0].point, ring.map(\.point))
        if !inside, least - coarse > 10, least < 5_000_000 {
          #expect(!measure(ring, try corridor(line, least - coarse)), "\(ring) \(line) \(least)")
          far += 1
        }
        if inside { #expect(measure(ring, try corridor(line, 0))) }
      }
    }
    #expect(near > 150 && far > 100, "\(near) \(far)")
  }

  @Test(
    "a box reaches into a corridor exactly if its outline as a polygon does, or it contains its beginning")
  func boxes() throws {
    var generator = SeededGenerator(3)
    for _ in 0..<300 {
      let south = Double.random(in: -90...80, using: &generator)
      let north = min(90, south + Double.random(in: 0.01...30, using: &generator))
      let west = Double.random(in: -180...180, using: &generator)
      let width = Double.random(in: 0.01...170, using: &generator)
      let corners = [
        Place(latitude: south, longitude: west), Place(latitude: south, longitude: west + width),
        Place(latitude: north, longitude: west + width), Place(latitude: north, longitude: west),
      ]
      let bounds = try #require(
        Bounds(
          south: corners[0].point.latitude, west: corners[0].point.longitude,
          north: corners[2].point.latitude,
          east: corners[2].point.longitude))
      let start = Place(
        latitude: Double.random(in: -90...90, using: &generator),
        longitude: Double.random(in: -180...180, using: &generator))
      let metres = Double.random(in: 0...3_000_000, using: &generator)
      let corridor = try corridor([start], metres)
      let expected = measure(corners, corridor) || bounds.contains(start.point)
      #expect(corridor.meets(bounds) == expected, "\(corners) \(start) \(metres)")
      // What is said quickly may be too much, never too little.
      if expected { #expect(corridor.mayMeet(bounds)) }
    }
  }

  @Test(
    "poles, the antimeridian and whole circles",
    arguments: [
      // Latitude, longitude, kilometres; south, west, north, east.
      ("89.9", "0", 50, "80", "170", "89.8", "-170", true),
      ("89", "0", 120, "87", "179", "89.5", "-179", false),
      ("89", "0", 200, "87", "179", "89.5", "-179", true), ("-90", "77", 5, "-90", "0", "-89.99", "1", true),
      ("0", "179.9", 30, "-1", "-179.9", "1", "-179", true),
      ("0", "179.9", 20, "-1", "-179.9", "1", "-179", false),
      ("10", "5", 1, "-90", "-180", "90", "180", true), ("0.5", "100", 60, "1", "-180", "2", "180", true),
      ("0.5", "100", 55, "1", "-180", "2", "180", false),
    ])
  func special(
    latitude: String, longitude: String, kilometres: UInt64, south: String, west: String, north: String,
    east: String, expected: Bool
  ) throws {
    func degrees(_ text: String) throws -> Degrees { try #require(Degrees(text)) }
    let place = Point(latitude: try degrees(latitude), longitude: try degrees(longitude))
    let point = try #require(place)
    let box = Bounds(
      south: try degrees(south), west: try degrees(west), north: try degrees(north), east: try degrees(east))
    let bounds = try #require(box)
    #expect(Corridor(around: point, metres: kilometres * 1000).meets(bounds) == expected)
  }

  @Test("a track of a million points is thinned to a thousand, and no place on it is lost")
  func thinned() throws {
    var track = Track(for: 1000)
    var all: [Place] = []
    for index in 0..<1_000_000 {
      let place = Place(
        latitude: 45 + sin(Double(index) / 30_000) * 3, longitude: 170 + Double(index) / 50_000)
      if index % 1000 == 0 { all.append(place) }
      track.add(place.point)
    }
    track.finish()
    #expect(track.points.count <= 1025 && track.points.count > 200, "\(track.points.count)")
    let corridor = try #require(Corridor(along: track, metres: 1000))
    for place in all {
      let point = place.point
      let box = try #require(
        Bounds(south: point.latitude, west: point.longitude, north: point.latitude, east: point.longitude))
      #expect(corridor.meets(box))
    }
  }

  @Test(
    "coordinates are read as files write them, and nothing else is",
    arguments: [
      ("14.5", 145_000_000), ("-0", 0), ("0", 0), ("1e1", 100_000_000), ("-1.5E-3", -15_000),
      ("1e+2", 1_000_000_000), ("35.123456789", 351_234_568), ("1e-300", 0), ("1e-1000", nil), ("1e-99", 0),
      ("", nil),
      ("-", nil), (".5", nil), ("5.", 50_000_000), ("1e", nil), ("1e5", nil), ("1000", nil), ("--1", nil),
      ("1.2.3", nil), ("nan", nil), ("0x1", nil), ("1 ", nil), ("1e1e1", nil), ("1e-", nil),
    ] as [(String, Int64?)])
  func coordinates(text: String, expected: Int64?) {
    #expect(Coordinate.tenMillionths(text.utf8) == expected)
  }
}

extension PolygonMeasure {
  fileprivate static func contains(_ point: Point, _ ring: [Point]) -> Bool {
    var measure = PolygonMeasure(point)
    for corner in ring {
      measure.add(
        latitude: Int64(corner.latitude.tenMillionths), longitude: Int64(corner.longitude.tenMillionths))
    }
    measure.closeRing()
    return measure.contains
  }
}
