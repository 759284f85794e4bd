import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// `near LAT LON --radius` and `along ROUTE --within`.
  @Suite("Near and along")
  struct NearTests {
    private let sample: TreeSample
    private let scratch: Scratch

    init() throws {
      sample = try TreeSample.shared.get()
      scratch = try Scratch("near")
    }

    private func ids(_ run: Device.Run) -> [String] { run.nodes.compactMap { $0["id"] as? String } }

    @Test(
      "G7: packages around a place are those that reach into the circle, by their polygons",
      arguments: [
        ("36.05", "14.2", "0", ["europe/gozo"]), ("36.05", "14.2", "20K", ["europe/gozo", "europe/malta"]),
        // In the box of Malta, not in its triangle, and some way from that.
        ("36.05", "14.55", "100", []), ("36.05", "14.55", "30K", ["europe/gozo", "europe/malta"]),
        ("-17", "180", "1", ["pacific/fiji"]), ("-89.99", "77", "5K", ["polar/antarctica"]),
        ("0", "0", "100K", []),
      ] as [(String, String, String, [String])])
    func near(latitude: String, longitude: String, radius: String, expected: [String]) throws {
      let device = try sample.device(installing: "europe/malta")
      let run = try device.json("near", latitude, longitude, "--radius", radius)
      #expect(run.exit == 0 && ids(run) == expected, "\(ids(run))")
      let installed = expected.filter { $0 == "europe/malta" }.count
      #expect(try run.number("result", "packages") == expected.count)
      #expect(try run.number("result", "installed") == installed)
      #expect((try run.number("result", "download") > 0) == (installed < expected.count))
    }

    @Test("packages around a place are installed in one operation, those that are there stay")
    func install() throws {
      let device = try sample.device(installing: "europe/malta")
      let text = try device.run("near", "36.05", "14.2", "--radius", "20K")
      #expect(text.output.contains("2 packages, 1 installed; "), "\(text.output)")
      let run = try device.json("near", "36.05", "14.2", "--radius", "20K", "--install")
      #expect(run.exit == 0)
      #expect(run.events("changed").count == 1)
      let again = try device.json("near", "36.05", "14.2", "--radius", "20K", "--install")
      #expect(again.exit == 0 && again.events("changed").isEmpty)
      #expect(try again.number("result", "installed") == 2)
      #expect(
        try device.run("near", "36.05", "14.2", "--radius", "20K").output.contains(
          "2 packages, all installed"))
      #expect(try device.run("near", "0", "0", "--radius", "9").output == "no map is there\n")
    }

    @Test("packages along a route, from GeoJSON and GPX")
    func along() throws {
      let device = try sample.device(installing: "europe/malta")
      try scratch.write("route.geojson", #"{"type":"LineString","coordinates":[[7.7,48.5],[14.2,36.05]]}"#)
      try scratch.write(
        "route.gpx",
        #"<gpx><trk><trkseg><trkpt lat="48.5" lon="7.7"/><trkpt lat="36.05" lon="14.2"/></trkseg></trk></gpx>"#
      )
      for name in ["route.geojson", "route.gpx"] {
        let run = try device.json("along", "\(scratch.path)/\(name)", "--within", "10K")
        let found = ids(run)
        #expect(
          run.exit == 0 && found.contains("europe/gozo") && found.contains("europe/france/alsace"), "\(found)"
        )
        #expect(!found.contains("pacific/fiji"))
      }
      let bad = try device.run("along", "\(device.configuration)", "--within", "10K")
      #expect(bad.exit == 64 && bad.error.contains("is not a route that can be read"), "\(bad)")
      #expect(try device.run("along", "/nonexistent", "--within", "10K").exit == 24)
    }

    @Test(
      "distances that are none are refused",
      arguments: [
        ["near", "1", "2"], ["near", "1", "2", "--radius", "x"], ["near", "1", "2", "--radius", "-1"],
        ["near", "1", "2", "--radius", "5001K"], ["near", "1", "2", "--radius", "1.5K"],
        ["near", "91", "2", "--radius", "1"], ["along", "--within", "1"],
        ["along", "a", "b", "--within", "1"],
        ["along", "a"], ["near", "1", "2", "--radius", "99999999999"], ["near", "1", "2", "--within", "9"],
      ])
    func refused(words: [String]) throws {
      #expect(try sample.device().run(words).exit == 64)
    }
  }
}
