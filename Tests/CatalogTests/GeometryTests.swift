import MapModel
import Platform
import TestSupport
import Testing

@testable import Catalog

/// Where a package is on the globe, as `at` asks.
@Suite("Geometry")
struct GeometryTests {
  private func point(_ latitude: Double, _ longitude: Double) throws -> Point {
    let degrees = [latitude, longitude].map { Degrees(tenMillionths: Int32(($0 * 1e7).rounded())) }
    return try #require(Point(latitude: degrees[0], longitude: degrees[1]))
  }

  private func bounds(_ south: String, _ west: String, _ north: String, _ east: String) throws -> Bounds {
    let degrees = try [south, west, north, east].map { try #require(Degrees($0)) }
    return try #require(Bounds(south: degrees[0], west: degrees[1], north: degrees[2], east: degrees[3]))
  }

  private func measure(_ rings: [String], at point: Point) throws -> PolygonMeasure {
    var measure = PolygonMeasure(point)
    for ring in rings {
      var scanner = PolygonScanner(measure)
      for byte in ring.utf8 { scanner.take(byte) }
      scanner.finish()
      try #require(!scanner.isMalformed, "\(ring)")
      measure = try #require(scanner.measure)
    }
    return measure
  }

  // MARK: - Boxes

  @Test(
    "a box contains what is in it and on its border, across the antimeridian and at the poles",
    arguments: [
      (("35", "14", "36", "15"), 35.5, 14.5, true), (("35", "14", "36", "15"), 35, 14, true),
      (("35", "14", "36", "15"), 36, 15, true), (("35", "14", "36", "15"), 36.0000001, 15, false),
      (("35", "14", "36", "15"), 35.5, 13.9999999, false), (("35", "14", "36", "15"), 35.5, -165.5, false),
      (("-20", "177", "-15", "-179"), -17, 178, true), (("-20", "177", "-15", "-179"), -17, -179.5, true),
      (("-20", "177", "-15", "-179"), -17, 180, true), (("-20", "177", "-15", "-179"), -17, -180, true),
      (("-20", "177", "-15", "-179"), -17, 0, false), (("-20", "177", "-15", "-179"), -17, 176.9, false),
      (("-20", "170", "-15", "180"), -17, -180, true), (("-20", "-180", "-15", "-170"), -17, 180, true),
      (("-90", "-180", "-60", "180"), -75, 12, true), (("-90", "-180", "90", "180"), 0, 180, true),
      (("80", "10", "90", "20"), 90, -100, true), (("-90", "10", "-80", "20"), -90, 100, true),
      (("80", "10", "89", "20"), 90, 15, false),
    ] as [((String, String, String, String), Double, Double, Bool)])
  func box(_ box: (String, String, String, String), latitude: Double, longitude: Double, expected: Bool)
    throws
  {
    let bounds = try bounds(box.0, box.1, box.2, box.3)
    #expect(bounds.contains(try point(latitude, longitude)) == expected)
  }

  @Test("areas are those on a sphere")
  func areas() throws {
    #expect(abs(try bounds("-90", "-180", "90", "180").area - 4 * .pi) < 1e-9)
    #expect(abs(try bounds("0", "0", "90", "90").area - .pi / 2) < 1e-9)
    let crossing = try bounds("10", "175", "20", "-175")
    #expect(abs(crossing.area - (try bounds("10", "0", "20", "10")).area) < 1e-12)
    let ring = try measure(["10,175 20,175 20,-175 10,-175"], at: try point(0, 0))
    #expect(abs(ring.area - crossing.area) < 1e-9)
    // An octant, and the cap around a pole.
    #expect(abs(try measure(["0,0 0,90 90,90 90,0"], at: try point(50, 50)).area - .pi / 2) < 1e-6)
    let cap = try measure(["60,0 60,120 60,-120"], at: try point(50, 50)).area
    #expect(abs(cap - (try bounds("60", "-180", "90", "180")).area) < 1e-6)
  }

  // MARK: - Polygons

  private static let square = "10,10 10,20 20,20 20,10"
  private static let fiji = "-20,177 -15,177 -15,-179 -20,-179"
  private static let triangle = "0,0 0,10 10,0"
  private static let antarctica = "-65,-180 -70,-90 -65,0 -70,90 -65,180 -90,180 -90,-180"
  private static let cap = "80,0 85,90 80,180 75,-90"

  @Test(
    "a polygon contains what is in it and on its border",
    arguments: [
      (square, 15, 15, true), (square, 10, 15, true), (square, 20, 20, true), (square, 15, 10, true),
      (square, 15, 20, true), (square, 9.9999999, 15, false), (square, 15, 20.0000001, false),
      (square, 25, 15, false), (square, 5, 15, false), (square, 15, -165, false), (square, 15, -170, false),
      (square, 90, 15, false), (square, -90, 15, false),
      (triangle, 5, 5, true), (triangle, 4.9999999, 5, true), (triangle, 5.0000001, 5, false),
      (triangle, 3, 0, true), (triangle, -1, 0, false), (triangle, 11, 0, false),
      (fiji, -17, 178, true), (fiji, -17, 180, true), (fiji, -17, -180, true), (fiji, -17, -179.5, true),
      (fiji, -17, -178.9, false), (fiji, -17, 0, false), (fiji, -21, 180, false), (fiji, -10, 180, false),
      (antarctica, -90, 0, true), (antarctica, -90, 77, true), (antarctica, -80, 45, true),
      (antarctica, -66, 1, true), (antarctica, -60, 45, false), (antarctica, 0, 0, false),
      (antarctica, 90, 0, false),
      (cap, 90, 0, true), (cap, 89, 10, true), (cap, 84.9, 90, false), (cap, 85.1, 90, true),
      (cap, 80.1, 0, true), (cap, 79.9, 0, false), (cap, 0, 0, false), (cap, -90, 0, false),
    ] as [(String, Double, Double, Bool)])
  func contains(ring: String, latitude: Double, longitude: Double, expected: Bool) throws {
    let point = try point(latitude, longitude)
    let forwards = try measure([ring], at: point).contains
    #expect(forwards == expected)
    // Neither the direction nor where it begins nor a repeated corner counts.
    let corners = ring.split(separator: " ")
    let turned = corners.dropFirst() + corners.prefix(2)
    for other in [Array(corners.reversed()), Array(turned)] {
      #expect(try measure([other.joined(separator: "\n ")], at: point).contains == expected)
    }
  }

  @Test("rings in rings are holes and islands, in any order")
  func holes() throws {
    let rings = ["0,0 0,30 30,30 30,0", "10,10 10,20 20,20 20,10", "14,14 14,16 16,16 16,14"]
    for rings in [rings, rings.reversed()] {
      #expect(try measure(rings, at: try point(5, 5)).contains)
      #expect(try !measure(rings, at: try point(12, 12)).contains)
      #expect(try measure(rings, at: try point(15, 15)).contains)
      #expect(try measure(rings, at: try point(10, 15)).contains)
    }
  }

  @Test(
    "of many points, those in a polygon are those that a plain comparison finds",
    arguments: [0, 90, 175, -179])
  func grid(shift: Int) throws {
    // A cross of two rectangles, moved around the globe, with points on all of its lines.
    func longitude(_ value: Int) -> Int { (value + shift + 540) % 360 - 180 }
    let corners = [
      (0, 2), (0, 4), (2, 4), (2, 6), (4, 6), (4, 4), (6, 4), (6, 2), (4, 2), (4, 0), (2, 0), (2, 2),
    ]
    let ring = corners.map { "\($0.0),\(longitude($0.1))" }.joined(separator: " ")
    for latitude in -1...7 {
      for offset in -1...7 {
        let expected =
          ((2...4).contains(latitude) && (0...6).contains(offset))
          || ((2...4).contains(offset) && (0...6).contains(latitude))
        let point = try point(Double(latitude), Double(longitude(offset)))
        #expect(try measure([ring], at: point).contains == expected, "\(latitude) \(offset)")
      }
    }
  }

  // MARK: - Text

  @Test(
    "what is not pairs of a latitude and a longitude is refused",
    arguments: [
      "1", "1,", ",1", "1,2,3", "1,2 3", "91,0", "-90.0000001,0", "0,181", "0,180.0000001", "1.2.3,4", ".5,1",
      "1,-",
      "--1,2", "1-,2", "+1,2", "1e1,2", "a,b", "1;2", "1,2 \u{e9}", "0,99999999999999999999", "1.,x",
      "0.00000000000000000000000001,360",
    ])
  func malformed(text: String) throws {
    var scanner = PolygonScanner(PolygonMeasure(try point(0, 0)))
    for byte in text.utf8 { scanner.take(byte) }
    scanner.finish()
    #expect(scanner.isMalformed)
  }

  @Test(
    "numbers are read as Degrees reads them",
    arguments: ["1", "-0.5", "12.3456789", "179.99999999", "-0", "5."])
  func numbers(text: String) throws {
    let degrees = try #require(Degrees(text))
    let here = try #require(Point(latitude: Degrees(tenMillionths: 0), longitude: degrees))
    // A polygon of one corner contains nothing but itself.
    #expect(try measure(["0,\(text)"], at: here).contains)
    #expect(try !measure(["1,\(text)"], at: here).contains)
  }

  @Test("any bytes at all are read to their end", arguments: 0..<50 as Range<UInt64>)
  func anything(seed: UInt64) throws {
    var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    var scanner = PolygonScanner(PolygonMeasure(try point(1, 1)))
    for _ in 0..<5000 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      scanner.take(Array("0123456789.,- \u{7f}".utf8)[Int(state % 15)])
    }
    scanner.finish()
    #expect(try !#require(scanner.measure).area.isNaN)
  }

  // MARK: - In a catalog

  private func read(_ entries: [CatalogEntry], at point: Point) throws -> [Double?] {
    let text = Fixture.catalog(entries)
    var reader = try CatalogReader(BytesSource(text, piece: 7), path: "catalog", detail: .covering(point))
    var areas: [Double?] = []
    while let entry = try reader.next() {
      #expect(entry.description.geography.polygons.isEmpty)
      areas.append(entry.description.geography.area(around: point))
    }
    return areas
  }

  private func entry(_ id: PackageID, group: DataGroup = "base", bounds: Bounds?, polygons: [String])
    -> CatalogEntry
  {
    var entry = Fixture.entry(id, dataGroup: group)
    entry.description.geography.bounds = bounds
    entry.description.geography.polygons = polygons
    return entry
  }

  @Test("polygons count before the box, and only where the box contains the point")
  func catalog() throws {
    let box = try bounds("10", "10", "20", "20")
    let here = try point(15, 15)
    let areas = try read(
      [
        entry("a", bounds: box, polygons: []), entry("b", bounds: box, polygons: ["14,14 14,16 16,16 16,14"]),
        entry("c", bounds: box, polygons: ["11,11 11,12 12,12"]), entry("d", bounds: nil, polygons: []),
        entry("e", bounds: nil, polygons: [Self.square]),
        entry("f", bounds: try bounds("0", "0", "1", "1"), polygons: ["not read"]),
        entry("f", group: "search", bounds: box, polygons: ["not read"]),
        entry("g", bounds: box, polygons: ["11,11 11,12 12,12", "14,14 14,16 16,16 16,14"]),
      ], at: here)
    #expect(areas.map { $0 != nil } == [true, true, false, false, true, false, true, true])
    let (boxArea, ringArea) = (try #require(areas[0]), try #require(areas[1]))
    #expect(boxArea > ringArea && ringArea > 0)
  }

  private func corners(_ entries: [CatalogEntry]) throws -> [PolygonCorners?] {
    var reader = try CatalogReader(
      BytesSource(Fixture.catalog(entries), piece: 7), path: "catalog", detail: .corners)
    var corners: [PolygonCorners?] = []
    while let entry = try reader.next() {
      #expect(entry.description.geography.polygons.isEmpty && entry.description.geography.names.isEmpty)
      corners.append(entry.description.geography.corners)
    }
    return corners
  }

  @Test("the corners of all rings are read from the first component of a package, whatever its box")
  func kept() throws {
    let corners = try corners([
      entry("a", bounds: nil, polygons: ["1,2 3,-4.5\n5,6", "", "-90,180 0.1234567,0.0000001"]),
      entry("a", group: "search", bounds: nil, polygons: ["not read"]),
      entry("b", bounds: try bounds("0", "0", "1", "1"), polygons: []),
      entry("c", bounds: try bounds("0", "0", "1", "1"), polygons: ["7,8"]),
    ])
    let rings = corners.map { polygon in
      polygon.map { polygon in
        (0..<polygon.ringCount).map { ring in
          polygon.ring(ring).map { "\($0.latitude.text),\($0.longitude.text)" }.joined(separator: " ")
        }
      }
    }
    #expect(rings == [["1,2 3,-4.5 5,6", "-90,180 0.1234567,0.0000001"], nil, nil, ["7,8"]])
  }

  @Test("as many corners as a device keeps are read, and one more is refused")
  func tooMany() throws {
    let ring = Array(repeating: "1,2", count: CatalogLimits.corners / 4).joined(separator: " ")
    let most = try corners([entry("a", bounds: nil, polygons: [ring, ring, ring, ring])])
    #expect(most.first??.ringCount == 4)
    let found = flaw { () throws(CatalogError) in
      var reader = try CatalogReader(
        BytesSource(Fixture.catalog([entry("a", bounds: nil, polygons: [ring, ring, ring, ring, "3,4"])])),
        path: "catalog", detail: .corners)
      _ = try reader.next()
    }
    #expect(found == .invalid(attribute: "polygon"))
  }

  @Test("a malformed polygon around the point is refused")
  func refused() throws {
    let bad = entry("a", bounds: try bounds("10", "10", "20", "20"), polygons: ["10,10 x"])
    let here = try point(15, 15)
    let found = flaw { () throws(CatalogError) in
      var reader = try CatalogReader(
        BytesSource(Fixture.catalog([bad])), path: "catalog", detail: .covering(here))
      _ = try reader.next()
    }
    #expect(found == .invalid(attribute: "polygon"))
  }
}
