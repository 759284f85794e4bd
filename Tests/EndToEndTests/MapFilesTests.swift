import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// What the publisher's folder has, the device has: the same names and the same bytes.
  @Suite("Map files")
  struct MapFilesTests {
    private let scratch: Scratch
    private let repository: PublishedRepository

    init() throws {
      scratch = try Scratch("map-files")
      repository = PublishedRepository(path: "\(scratch.path)/repository")
    }

    private var input: String { "\(scratch.path)/maps" }

    /// A layout of files as map programs have it.
    struct Layout: CustomTestStringConvertible {
      let testDescription: String
      let files: [String]
      var maps: [String: String] = [:]
    }

    private static let layouts = [
      Layout(
        testDescription: "an ENC_ROOT of sea charts",
        files: ["CATALOG.031", "US5NY1CM/US5NY1CM.000", "US5NY1CM/US5NY1CM.001", "US5NY2CM/US5NY2CM.000"]
          .map { "ENC_ROOT/\($0)" }),
      Layout(
        testDescription: "shapefiles",
        files: ["roads.shp", "roads.shx", "roads.dbf", "roads.prj", "water.shp", "water.dbf"].map {
          "malta/\($0)"
        }),
      Layout(
        testDescription: "the files of OSRM",
        files: ["", ".cells", ".ebg", ".edges", ".names", ".turn_weight_penalties"].map { "malta.osrm\($0)" }),
      Layout(
        testDescription: "a flat folder of Organic Maps",
        files: ["Malta.mwm", "Germany_Baden-Wurttemberg_Regierungsbezirk Freiburg.mwm", "World.mwm"]),
      Layout(
        testDescription: "countries beside folders of their regions",
        files: [
          "europe/france-latest.osm.pbf", "europe/france/alsace-latest.osm.pbf",
          "europe/malta-latest.osm.pbf",
        ]
      ),
      Layout(
        testDescription: "the tiles of Valhalla",
        files: ["2/000/750/192.gph", "2/000/750/193.gph", "1/047/701.gph", "0/003/015.gph", "admin.sqlite"]
          .map { "valhalla/\($0)" }, maps: ["valhalla/map.xml": "<map package=\"tree\"/>"]),
      Layout(testDescription: "terrain", files: ["N35E014.hgt", "N36E014.hgt"].map { "srtm/\($0)" }),
      Layout(
        testDescription: "maps and indexes of Mapsforge",
        files: ["europe/malta.map", "europe/malta.poi", "europe/gozo.map"]),
    ]

    /// Writes the files of a layout, other ones in each release, and publishes them.
    private func publish(_ layout: Layout, _ release: Int) throws {
      for (index, name) in layout.files.enumerated() {
        let line = "\(name), line of a map that nobody has drawn\n"
        let text =
          String(repeating: line, count: 300 + index) + (index % 2 == 0 ? "release \(release)\n" : "")
        try scratch.write("maps/\(name)", text)
      }
      for (name, text) in layout.maps { try scratch.write("maps/\(name)", text) }
      try repository.publish(input, label: "release-\(release)")
      try Programs.run("rm", "-rf", "\(scratch.path)/\(release)")
      try Programs.run("cp", "-r", input, "\(scratch.path)/\(release)")
      for name in layout.maps.keys { try Programs.run("rm", "\(scratch.path)/\(release)/\(name)") }
    }

    private func expectSame(_ device: Device, _ release: Int) throws {
      let difference = try ChildProcess.run(
        "diff", ["-r", "\(scratch.path)/\(release)", "\(device.root)/current/maps"])
      #expect(difference.status == 0, "\(difference.output)")
    }

    @Test(
      "G1: the tree on a device is the publisher's, in each release and after a rollback", arguments: layouts)
    func trees(layout: Layout) throws {
      try publish(layout, 1)
      let device = try Device(repository.url, trusting: repository)
      let ids = try device.json("list").events("package").compactMap { $0["id"] as? String }
      #expect(try device.run(["install"] + ids).exit == 0)
      try expectSame(device, 1)
      try publish(layout, 2)
      let update = try device.json("apply")
      #expect(update.exit == 0)
      try expectSame(device, 2)
      #expect(try device.run("verify").exit == 0)
      #expect(try device.run("rollback").exit == 0)
      try expectSame(device, 1)
    }

    // MARK: - Names

    private func write(_ name: String, _ seed: UInt64, count: Int = 200_000) throws {
      var generator = SeededGenerator(seed)
      try scratch.write(name, (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// What the next update downloads of maps, as planned and then in fact.
    private func update(_ device: Device, installing id: String? = nil) throws -> Int {
      let ids = id.map { [$0] } ?? []
      let planned = try device.finish(device.start(["--json", "plan"] + ids)).number("plan", "download")
      let run = try device.finish(device.start(ids.isEmpty ? ["apply"] : ["install"] + ids))
      #expect(run.exit == 0, "\(run.error)")
      #expect(try device.run("verify").exit == 0)
      return planned
    }

    @Test("G2: a map with another file name, or another package with the same bytes, is not downloaded again")
    func otherNames() throws {
      try write("maps/europe/malta/base.old", 1)
      try repository.publish(input, label: "1")
      let device = try Device(repository.url, trusting: repository)
      #expect(try device.run("install", "europe/malta").exit == 0)
      try Programs.run("mv", "\(input)/europe/malta/base.old", "\(input)/europe/malta/base.new")
      try Programs.run("cp", "-r", "\(input)/europe/malta", "\(input)/europe/gozo")
      try repository.publish(input, label: "2")
      #expect(try update(device) == 0)
      #expect(try Array(device.installed().keys) == ["europe/malta/base.new"])
      #expect(try update(device, installing: "europe/gozo") == 0)
      let installed = try device.installed()
      #expect(installed["europe/gozo/base.new"] == installed["europe/malta/base.new"] && installed.count == 2)
    }

    @Test("a device goes from .dat files to plain ones and back by patches, beside its maps or in place")
    func forms() throws {
      try write("maps/europe/malta/base.mbtiles", 1)
      try write("maps/europe/malta/search.sqlite", 2)
      try repository.publish(input, label: "1", options: "--form", "dat")
      let device = try Device(repository.url, trusting: repository)
      let inPlace = try Device(repository.url, trusting: repository, settings: "low_space = in-place")
      for device in [device, inPlace] { #expect(try device.run("install", "europe/malta").exit == 0) }
      #expect(try device.installed().keys.sorted() == ["europe/malta/base.dat", "europe/malta/search.dat"])
      try repository.publish(input, label: "2", options: "--form", "plain")
      for device in [device, inPlace] {
        #expect(try update(device) < 1000)
        #expect(
          try device.installed() == [
            "europe/malta/base.mbtiles": digest(of: contents("\(input)/europe/malta/base.mbtiles")),
            "europe/malta/search.sqlite": digest(of: contents("\(input)/europe/malta/search.sqlite")),
          ])
      }
      try repository.publish(input, label: "3", options: "--form", "dat")
      #expect(try update(device) < 1000)
      #expect(try device.installed().keys.sorted() == ["europe/malta/base.dat", "europe/malta/search.dat"])
    }

    @Test(
      "in place, maps with the same bytes are both replaced, and a renamed one is not downloaded",
      .enabled(if: Volume.isPossible, "mounting file systems takes root"))
    func inPlace() throws {
      // One new file fits beside the maps at a time.
      try write("maps/europe/malta/base.map", 1, count: 3 << 20)
      try write("maps/europe/sicily/base.map", 4, count: 3 << 20)
      try write("maps/europe/gozo/base.map", 3)
      try Programs.run("cp", "-r", "\(input)/europe/gozo", "\(input)/europe/filfla")
      try write("maps/europe/comino/base.old", 2)
      try repository.publish(input, label: "1")
      for name in ["malta", "sicily", "gozo", "filfla"] {
        try Damage.flip("\(input)/europe/\(name)/base.map")
      }
      try Programs.run("mv", "\(input)/europe/comino/base.old", "\(input)/europe/comino/base.new")
      try repository.publish(input, label: "2")
      let volume = try Volume(megabytes: 24)
      try volume.install("europe", of: repository)
      try volume.fill(leaving: 5 << 20)
      let device = try Device(
        repository.url, root: volume.store, trusting: repository, settings: "low_space = in-place")
      let run = try device.json("apply")
      #expect(run.exit == 0, "\(run)")
      #expect(!run.events("component").filter { $0["state"] as? String == "made" }.isEmpty, "\(run)")
      let same = try digest(of: contents("\(input)/europe/gozo/base.map"))
      #expect(
        try device.installed() == [
          "europe/comino/base.new": digest(of: contents("\(input)/europe/comino/base.new")),
          "europe/filfla/base.map": same, "europe/gozo/base.map": same,
          "europe/malta/base.map": digest(of: contents("\(input)/europe/malta/base.map")),
          "europe/sicily/base.map": digest(of: contents("\(input)/europe/sicily/base.map")),
        ])
      #expect(try device.run("verify").exit == 0)
      #expect(try names(device.root).filter { $0.hasPrefix("in-place") } == [])
    }

    @Test("a corrected name of a region costs the devices no map")
    func correctedName() throws {
      try write("maps/europe/malta/base.mbtiles", 1)
      try scratch.write("maps/europe/malta/map.xml", "<map><name>Mlata</name></map>")
      try repository.publish(input, label: "1")
      let device = try Device(repository.url, trusting: repository)
      #expect(try device.run("install", "europe/malta").exit == 0)
      try scratch.write("maps/europe/malta/map.xml", "<map><name>Malta</name></map>")
      try repository.publish(input, label: "2")
      #expect(try update(device) == 0)
      #expect(try device.release() == 2)
      #expect(try device.run("list").output.contains("Malta"))
    }

    @Test(
      "A15: a lost manifest is rebuilt from the signed catalog and the files, in both forms",
      arguments: ["plain", "dat"])
    func rebuilt(form: String) throws {
      try write("maps/europe/malta/base.mbtiles", 1)
      try write("maps/europe/malta/names of places.sqlite", 2)
      try repository.publish(input, label: "1", options: "--form", form)
      let device = try Device(repository.url, trusting: repository)
      #expect(try device.run("install", "europe/malta").exit == 0)
      let before = try device.installed()
      #expect(before.count == 2 && before.keys.allSatisfy { $0.hasSuffix(".dat") == (form == "dat") })
      try Programs.run("rm", "\(device.root)/current/manifest")
      #expect(try device.run("boot").exit == 0)
      #expect(try device.installed() == before)
      #expect(try device.run("verify").exit == 0)
    }

    // MARK: - Programs

    @Test(
      "G1: programs get the same answers of installed maps as of the input, while maps are updated and rolled back",
      .enabled(if: Programs.exists("sqlite3"), "sqlite3 is not installed"))
    func programs() throws {
      let answers = try [1, 2].map { (release) -> [String] in
        try makeMaps(release)
        try repository.publish(input, label: "\(release)")
        return try self.answers(input)
      }
      #expect(answers[0] != answers[1])
      let device = try Device(repository.url, trusting: repository)
      #expect(try device.run("install", "europe").exit == 0)
      let maps = "\(device.root)/current/maps"
      #expect(try self.answers(maps) == answers[1])
      let old = try repository.copy(to: "\(scratch.path)/old", upTo: 1)
      let late = try Device(old.url, trusting: repository)
      #expect(try late.run("install", "europe").exit == 0)
      try device.copyStore(of: late)
      for _ in 0..<3 {
        #expect(try self.answers(maps) == answers[0])
        let apply = try device.start(["apply", "--release", "2"])
        let seen = try self.answers(maps)
        #expect(seen.count == answers[0].count)
        #expect(try device.finish(apply).exit == 0)
        #expect(try self.answers(maps) == answers[1])
        #expect(try device.run("rollback").exit == 0)
      }
      let before = try device.installed()
      #expect(try device.installed() == before)
      #expect(try device.run("verify").exit == 0)
    }

    /// An MBTiles, a GeoPackage where GDAL is there, a zip archive and a tar archive.
    private func makeMaps(_ release: Int) throws {
      let folder = "\(input)/europe/malta"
      try Programs.run("rm", "-rf", folder)
      try Programs.run("mkdir", "-p", folder)
      try Programs.run(
        "sqlite3", "\(folder)/base.mbtiles",
        """
        CREATE TABLE metadata (name TEXT, value TEXT);
        CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
        INSERT INTO metadata VALUES ('release', '\(release)');
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
        INSERT INTO tiles SELECT 8, i, i, printf('tile %d of %d', i, i % 7 * \(release)) FROM n;
        """)
      try scratch.write(
        "places.csv",
        "name,lat,lon\n" + (0..<200).map { "place \($0 * release),35.\($0),14.\($0)\n" }.joined())
      if Programs.exists("ogr2ogr") {
        try Programs.run(
          "ogr2ogr", "-q", "-f", "GPKG", "\(folder)/search.gpkg", "\(scratch.path)/places.csv", "-oo",
          "X_POSSIBLE_NAMES=lon", "-oo", "Y_POSSIBLE_NAMES=lat")
      }
      try Programs.run("tar", "-cf", "\(folder)/pictures.tar", "-C", scratch.path, "places.csv")
      try Programs.run(
        "python3", "-m", "zipfile", "-c", "\(folder)/offline.zip", "\(scratch.path)/places.csv")
    }

    /// What programs say of the maps below a directory.
    private func answers(_ maps: String) throws -> [String] {
      let folder = "\(maps)/europe/malta"
      var commands = [
        [
          "sqlite3", "file:\(folder)/base.mbtiles?mode=ro&immutable=1",
          "SELECT count(*), max(tile_data) FROM tiles",
        ],
        [
          "sqlite3", "file:\(folder)/base.mbtiles?mode=ro&immutable=1",
          "PRAGMA integrity_check; SELECT * FROM metadata",
        ],
        ["tar", "-tvf", "\(folder)/pictures.tar"],
        ["python3", "-m", "zipfile", "-l", "\(folder)/offline.zip"],
        ["python3", "-m", "zipfile", "-t", "\(folder)/offline.zip"],
      ]
      if Programs.exists("ogrinfo") {
        commands.append(["ogrinfo", "-ro", "-al", "-q", "\(folder)/search.gpkg"])
      }
      return try commands.map { words in
        let outcome = try ChildProcess.run(words[0], Array(words.dropFirst()))
        #expect(outcome.status == 0, "\(outcome)")
        return outcome.output
      }
    }
  }
}
