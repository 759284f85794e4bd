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
