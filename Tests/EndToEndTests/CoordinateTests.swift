import TestSupport
import Testing

extension EndToEnd {
  /// `at LAT LON`.
  @Suite("Places")
  struct CoordinateTests {
    private let sample: TreeSample

    init() throws { sample = try TreeSample.shared.get() }

    @Test("B2: the smallest package containing a coordinate, and what is installed there")
    func smallest() throws {
      let device = try sample.device(installing: "europe/malta")
      for (latitude, longitude, id) in [
        ("35.85", "14.2", "europe/malta"), ("36.05", "14.2", "europe/gozo"),
        ("36.005", "14.18", "europe/gozo"),
        ("48.5", "7.7", "europe/france/alsace"), ("47.4", "6.8", "europe/france/alsace"),
        // On both sides of the antimeridian, and on it.
        ("-17", "178", "pacific/fiji"), ("-17", "-179", "pacific/fiji"), ("-17", "180", "pacific/fiji"),
        ("-17", "-180", "pacific/fiji"), ("-90", "0", "polar/antarctica"),
        ("-90", "123.4", "polar/antarctica"),
        ("-80", "-120", "polar/antarctica"),
      ] {
        let run = try device.json("at", latitude, longitude)
        #expect(run.exit == 0)
        #expect(run.nodes.compactMap { $0["id"] as? String } == [id], "\(latitude) \(longitude)")
        #expect(try run.event("result")["id"] as? String == id)
        let state = try run.node(id)["state"] as? String
        #expect(state == (id == "europe/malta" ? "installed" : "notInstalled"))
      }
    }

    @Test("a place without a map is reported")
    func nothing() throws {
      let device = try sample.device(installing: "europe/malta")
      // The second lies in the box of Malta, not in its triangle.
      for (latitude, longitude) in [("0", "0"), ("36.05", "14.55"), ("90", "0"), ("-17", "0"), ("-60", "45")]
      {
        let run = try device.json("at", latitude, longitude)
        #expect(run.exit == 0 && run.nodes.isEmpty, "\(latitude) \(longitude)")
        #expect(try run.event("result")["id"] == nil)
      }
      #expect(try device.run("at", "0", "-0.5").output == "no map contains 0 -0.5\n")
    }

    @Test("G4: the polygons of packages and regions are printed ring by ring, also of what is not installed")
    func polygons() throws {
      let device = try sample.device(installing: "europe/gozo")
      let malta = "# europe/malta\n35.8 14.1\n36.1 14.1\n35.8 14.6\n\n"
      #expect(try device.run("polygons", "europe/malta").output == malta)
      let fiji = "# pacific/fiji\n-21 176\n-12 176\n-12 -178\n-21 -178\n\n"
      #expect(
        try device.run("polygons", "pacific", "europe/malta", "europe/gozo").output
          == "# europe/gozo has no polygon\n\(malta)\(fiji)")
      let run = try device.json("polygons", "europe", "polar/antarctica")
      #expect(run.exit == 0)
      let events = run.events.filter { $0["event"] as? String == "polygon" }
      #expect(events.compactMap { $0["id"] as? String } == ["europe/malta", "polar/antarctica"])
      #expect(events.compactMap { $0["ring"] as? Int } == [0, 0])
      #expect(events.last?["corners"] as? [Double] == [-65, -180, -70, -90, -65, 0, -70, 90])
      let unknown = try device.json("polygons", "europe/malta", "europe/atlantis")
      #expect(unknown.exit == 64 && unknown.output.contains("europe/atlantis"), "\(unknown)")
      #expect(try device.run("polygons").exit == 64)
    }

    @Test("a polygon as large as a description can have is printed within the memory budget")
    func largePolygon() throws {
      let scratch = try Scratch("polygon")
      // 60,000 corners in two rings, near the end of a package's room for them.
      let ring = (0..<30_000).map { "\(Double($0) / 1000),\(Double($0 % 7) / 10)" }
      let polygon = "<polygon>\(ring.joined(separator: " "))</polygon>"
      try scratch.write("input/island/map.xml", "<map>\(polygon)\(polygon)</map>")
      try scratch.write("input/island/base.map", "data")
      let repository = PublishedRepository(path: "\(scratch.path)/repository")
      try repository.publish("\(scratch.path)/input", label: "1")
      let device = try Device("file://\(repository.path)", trusting: repository)
      let run = try device.json("polygons", "island")
      #expect(run.exit == 0)
      let corners = run.events.filter { $0["event"] as? String == "polygon" }
        .map { ($0["ring"] as? Int, $0["corners"] as? [Double] ?? []) }
      #expect(corners.allSatisfy { $0.1.count <= 512 })
      for index in 0...1 {
        let numbers = corners.filter { $0.0 == index }.flatMap(\.1)
        #expect(numbers.count == 60_000 && numbers[59_998...] == [29.999, Double(29_999 % 7) / 10])
      }
      let text = try device.run("polygons", "island")
      #expect(text.output.split(separator: "\n").count == 60_001)
    }

    @Test("where no map says where it is, that is said, and not that none is there")
    func unplaced() throws {
      let scratch = try Scratch("unplaced")
      try scratch.write("input/europe/malta/base.map", "data")
      let repository = PublishedRepository(path: "\(scratch.path)/repository")
      try repository.publish("\(scratch.path)/input", label: "1")
      let device = try Device("file://\(repository.path)", trusting: repository)
      for isInstalled in [false, true] {
        if isInstalled { #expect(try device.run("install", "europe/malta").exit == 0) }
        for words in [["at", "35.9", "14.4"], ["near", "35.9", "14.4", "--radius", "9K"]] {
          let run = try device.run(words)
          #expect(run.exit == 0 && run.output.hasPrefix("no map says where it is; "), "\(words): \(run)")
        }
      }
      // The newest release says where its maps are: elsewhere, none is there.
      try scratch.write(
        "input/europe/malta/map.xml",
        #"<map><bounds south="35.8" west="14.1" north="36.1" east="14.6"/></map>"#)
      try repository.publish("\(scratch.path)/input", label: "2")
      #expect(try device.run("check").exit == 10)
      #expect(try device.run("at", "0", "0").output == "no map contains 0 0\n")
      #expect(try device.run("near", "0", "0", "--radius", "9K").output == "no map is there\n")
    }

    @Test("at prints a line as list does, in the requested language")
    func text() throws {
      let device = try sample.device(installing: "europe/malta")
      let run = try device.run("at", "48.5", "7.7", "--lang", "de")
      #expect(run.output.hasPrefix("europe/france/alsace "))
      #expect(run.output.contains("Elsass (base, navigation, poi)"))
    }

    @Test(
      "bad coordinates are refused",
      arguments: [
        [], ["1"], ["1", "2", "3"], ["90.1", "0"], ["-91", "0"], ["0", "180.1"], ["0", "-181"], ["x", "0"],
        ["35,9", "14"], ["1e1", "2"], ["", ""], [".5", "1"], ["+1", "2"],
      ])
    func bad(words: [String]) throws {
      let device = try sample.device()
      let run = try device.run(["at"] + words)
      #expect(run.exit == 64)
      #expect(run.error.contains("at needs a latitude"))
    }
  }
}
