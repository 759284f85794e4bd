import Platform
import TestSupport
import Testing

@testable import Catalog
@testable import MapTree

@Suite("Routes")
struct RouteTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch("routes") }

  /// The line of a document, in degrees.
  private func line(_ text: String, for metres: UInt64 = 16) throws -> [String] {
    try scratch.write("route", text)
    return try RouteFile.track("\(scratch.path)/route", for: metres).points.map {
      "\($0.latitude.text),\($0.longitude.text)"
    }
  }

  @Test(
    "lines of GeoJSON are found wherever they are, and joined in their order",
    arguments: [
      #"{"type":"LineString","coordinates":[[14.5,35.9],[14.2,36]]}"#,
      #"{"coordinates":[[[14.5,35.9,12.5],[14.2,36.0,1,2]]],"type":"MultiLineString"}"#,
      "{\"type\": \"FeatureCollection\", \"bbox\": [1, 2, 3, 4], \"features\": [\r\n{\"type\":\"Feature\","
        + #""properties":{"name":"x ] \" coordinates","n":[1,2]},"geometry":{"type":"LineString","#
        + "\"coordinates\":[\n [1.45e1 , 3.59E+1 ],[14.2,36] ] } }]}",
      // Points are none.
      #"{"features":[{"geometry":{"type":"Point","coordinates":[1,2]}},{"geometry":{"coordinates":[[14.5,35.9],[14.2,36]]}},{"geometry":{"coordinates":[[5,5]]}}]}"#,
    ])
  func geoJSON(text: String) throws { #expect(try line(text) == ["35.9,14.5", "36,14.2"]) }

  @Test(
    "tracks of GPX are found, or else its routes",
    arguments: [
      #"<?xml version="1.0"?><gpx version="1.1"><trk><trkseg><trkpt lat="35.9" lon="14.5"><ele>3</ele></trkpt></trkseg><trkseg><trkpt lon="14.2" lat="36"/></trkseg></trk></gpx>"#,
      #"<gpx xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="1" lon="2"/><rte><rtept lat="35.9" lon="14.5"/><rtept lat="36.0" lon="14.2"/></rte></gpx>"#,
      "\n\u{feff}<gpx><rte><rtept lat=\"1\" lon=\"1\"/></rte><trk><trkseg><trkpt lat=\"35.9\" lon=\"14.5\"/><trkpt lat=\"36\" lon=\"14.2\"/></trkseg></trk></gpx>",
    ])
  func gpx(text: String) throws {
    let text = text.hasPrefix("\n") ? String(text.dropFirst()) : text
    #expect(try line(text) == ["35.9,14.5", "36,14.2"])
  }

  @Test(
    "what is no route is refused",
    arguments: [
      "", " ", "x", "{", "{}", "[[1,2],[3,4]]", #"{"coordinates":[[1,2],[3,4]]"#,
      #"{"coordinates":[[1,2],[3,4]]}]"#, #"{"coordinates":[[1,2],[3,4]]} {}"#,
      #"{"coordinates":[[1,95],[3,4]]}"#,
      #"{"coordinates":[[1],[3,4]]}"#, #"{"coordinates":[["1","2"],[3,4]]}"#,
      #"{"coordinates":[[1,2],[3,x]]}"#, #"{"coordinates":[[1e99,2],[3,4]]}"#, #"{"coordinates":[[1,2]]}"#,
      #"{"coordinates":[1,2]}"#, #"{"coordinate":[[1,2],[3,4]]}"#, "{\"coordinates\":[[1,2],[3,4}]",
      "<gpx>", "<gpx/>", "<kml><trkpt lat=\"1\" lon=\"2\"/></kml>", #"<gpx><trkpt lat="1"/></gpx>"#,
      #"<gpx><trkpt lat="91" lon="1"/></gpx>"#, #"<gpx><trkpt lat="1" lon="x"/></gpx>"#,
      "<!DOCTYPE gpx [<!ENTITY a \"b\">]><gpx><trkpt lat=\"1\" lon=\"2\"/></gpx>",
      String(repeating: "{\"a\":", count: 100), String(repeating: "<a>", count: 100),
    ])
  func refused(text: String) throws {
    try scratch.write("route", text)
    do throws(Failure) {
      let track = try RouteFile.track("\(scratch.path)/route", for: 16)
      Issue.record("\(track)")
    } catch {
      if case .badRoute = error { return }
      Issue.record("\(error)")
    }
  }

  @Test("bytes that are changed at random make another line or none, and nothing worse")
  func hostile() throws {
    var generator = SeededGenerator(11)
    let text = Array(
      #"{"type":"MultiLineString","coordinates":[[[14.5,35.9],[14.2,36]],[[1e1,-2.5],[3,4]]]}"#.utf8)
    for _ in 0..<20_000 {
      var bytes = text
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      var scanner = GeoJSONScanner(Track(for: 100))
      for byte in bytes { scanner.take(byte) }
      scanner.finish()
      for point in scanner.track.points { #expect(abs(point.latitude.tenMillionths) <= 900_000_000) }
    }
  }
}
