import Foundation
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Indexes are made during the downloads, and belong to the maps that they were made of.
  @Suite("Index")
  struct IndexTests {
    private let maps: IndexedMaps
    private let scratch: Scratch

    init() throws {
      maps = try IndexedMaps.shared.get()
      scratch = try Scratch("index")
    }

    /// Makes an index that says what it was made of.
    private static let working = """
      echo "$TINYUPDATER_ID" >>"$notes"
      echo "talking about $TINYUPDATER_ID"
      echo "$TINYUPDATER_ID $TINYUPDATER_GROUP $TINYUPDATER_RELEASE $(wc -c <"$1")" >"$2"
      """

    private func text(_ path: String) throws -> String { String(decoding: try contents(path), as: UTF8.self) }

    @Test("A4: the space that indexes will need is shown before the download, and counts where they are made")
    func estimate() throws {
      let server = try WebServer(maps.repository.path)
      let command = try IndexedMaps.Command(IndexTests.working)
      let indexing = try maps.device(command, of: server.url)
      let plain = try maps.device(nil, of: server.url)
      let with = try indexing.json("plan", "sample")
      let without = try plain.json("plan", "sample")
      for plan in [with, without] {
        #expect(try plan.number("plan", "indexSize") == 3 * IndexedMaps.estimate)
      }
      #expect(try with.event("plan")["peakIncludesIndex"] as? Bool == true)
      #expect(try without.event("plan")["peakIncludesIndex"] as? Bool == false)
      let more = try with.number("plan", "peakDisk") - without.number("plan", "peakDisk")
      #expect(more >= 3 * IndexedMaps.estimate && more < 4 * IndexedMaps.estimate)
      #expect(
        try indexing.run("plan", "sample").output.contains(
          "index         900 kB of the peak for indexes, as the publisher estimates"))
      #expect(try plain.run("plan", "sample").output.contains("index         900 kB more for indexes"))
      #expect(try server.finish().payloads == [])
    }

    @Test("A10: after indexing, the maps are installed automatically, each with its index")
    func applied() throws {
      let command = try IndexedMaps.Command(IndexTests.working)
      let device = try maps.device(command)
      let run = try device.json("install", "sample")
      #expect(run.exit == 0, "\(run)")
      for package in IndexedMaps.packages {
        let size = try contents("\(device.root)/current/maps/\(package)/base.bin").count
        #expect(
          try text("\(device.root)/current/maps/\(package)/base.bin.index") == "\(package) base 2 \(size)\n")
      }
      #expect(try names("\(device.root)/current/maps/sample/plain") == ["base.bin"])
      #expect(command.notes == IndexedMaps.packages)
      #expect(try device.staged == [])
      #expect(try device.json("verify").exit == 0)
      #expect(try device.json("status").number("status", "indexSize") > 0)
      // As a failing disk does it.
      let file = try File(opening: "\(device.root)/current/maps/sample/one/base.bin.index", to: .update)
      try file.write("X")
      try file.close()
      let verify = try device.run("verify")
      #expect(verify.exit == 24)
      #expect(verify.error.contains("maps/sample/one/base.bin.index is damaged"), "\(verify.error)")
    }

    @Test("an unchanged map keeps its index through updates and rollbacks, and a changed one gets another")
    func kept() throws {
      let command = try IndexedMaps.Command(IndexTests.working)
      let old = try maps.copy(in: scratch, upTo: 1)
      let setup = try maps.device(command, of: old.url)
      #expect(try setup.run("install", "sample").exit == 0)
      let before = try setup.installed()
      let device = try maps.device(command)
      try device.copyStore(of: setup)
      #expect(try device.run("apply").exit == 0)
      #expect(command.notes == IndexedMaps.packages + ["sample/three", "sample/two"])
      let after = try device.installed()
      #expect(after["sample/one/base.bin.index"] == before["sample/one/base.bin.index"])
      #expect(after["sample/two/base.bin.index"] != before["sample/two/base.bin.index"])
      #expect(try device.run("uninstall", "sample/three").exit == 0)
      #expect(try device.installed() == after.filter { !$0.key.hasPrefix("sample/three") })
      #expect(try device.run("rollback").exit == 0)
      #expect(try device.installed() == after)
      #expect(try device.run("verify").exit == 0)
    }

    @Test("A7: maps are downloaded and indexed one by one, with progress")
    func oneByOne() throws {
      let server = try WebServer(
        maps.repository.path, directives: "location /components/ { limit_rate 150k; }")
      let device = try maps.device(try IndexedMaps.Command(IndexTests.working), of: server.url)
      let run = try device.json("install", "sample")
      #expect(run.exit == 0, "\(run)")
      let states = run.events("component").map { "\($0["id"] ?? "") \($0["state"] ?? "")" }
      for package in IndexedMaps.packages {
        #expect(
          states.filter { $0.hasPrefix("\(package) ") }
            == ["waiting", "downloading", "staged", "indexing", "indexed", "installed"].map {
              "\(package) \($0)"
            })
      }
      #expect(
        states.filter { $0.hasPrefix("sample/plain ") }
          == ["waiting", "downloading", "staged", "installed"].map { "sample/plain \($0)" })
      // One index at a time.
      let indexing = states.filter { $0.contains(" index") }.map { $0.split(separator: " ").last ?? "" }
      #expect(indexing == ["indexing", "indexed", "indexing", "indexed", "indexing", "indexed"])
      let done = run.events("progress").compactMap { $0["done"] as? Int }
      #expect(done.count > 2 && done == done.sorted())
    }

    @Test("A9: while the next map downloads, the previous one is indexed")
    func beside() throws {
      let server = try WebServer(
        maps.repository.path, directives: "location /components/ { limit_rate 100k; }")
      // Ends only when it has seen the beginning of another download; the last map has none after it.
      let command = try IndexedMaps.Command(
        """
        own=$(basename "$1")
        for try in $(seq 1500); do
          other=$(ls "$(dirname "$1")" | grep '\\.part$' | grep -v "$own" | head -n 1)
          if [ -n "$other" ] || [ "$TINYUPDATER_ID" = sample/two ]; then
            echo "$TINYUPDATER_ID beside ${other:+another}" >>"$notes"
            echo index >"$2"
            exit 0
          fi
          sleep 0.01
        done
        exit 9
        """)
      let device = try maps.device(command, of: server.url)
      let run = try device.json("install", "sample")
      #expect(run.exit == 0, "\(run)")
      #expect(
        command.notes == ["sample/one beside another", "sample/three beside another", "sample/two beside "])
      let states = run.events("component").map { "\($0["id"] ?? "") \($0["state"] ?? "")" }
      let order = ["sample/one indexing", "sample/plain downloading", "sample/one indexed"].compactMap {
        states.firstIndex(of: $0)
      }
      #expect(order.count == 3 && order == order.sorted(), "\(states)")
    }

    @Test("what an interrupted run has indexed is not indexed again")
    func interrupted() throws {
      let command = try IndexedMaps.Command(
        """
        echo "$TINYUPDATER_ID" >>"$notes"
        echo half >"$2"
        echo journal >"$2-journal"
        [ "$TINYUPDATER_ID" != sample/three ] || [ -e "$notes.again" ] || { touch "$notes.again"; exec sleep 60; }
        echo whole >"$2"
        """)
      let device = try maps.device(command)
      let child = try device.start(["--json", "install", "sample"])
      while access("\(command.path).notes.again", F_OK) != 0 { Clock.sleep(milliseconds: 10) }
      child.signal(SIGKILL)
      _ = child.wait()
      #expect(try device.current == nil)
      let run = try device.json("install", "sample")
      #expect(run.exit == 0, "\(run)")
      #expect(command.notes == ["sample/one", "sample/three", "sample/three", "sample/two"])
      for package in IndexedMaps.packages {
        #expect(try text("\(device.root)/current/maps/\(package)/base.bin.index") == "whole\n")
        #expect(try names("\(device.root)/current/maps/\(package)") == ["base.bin", "base.bin.index"])
      }
      #expect(try device.staged == [])
    }

    @Test("a command that succeeds without making an index is no error")
    func none() throws {
      let device = try maps.device(try IndexedMaps.Command("exit 0"))
      let run = try device.json("install", "sample")
      #expect(run.exit == 0, "\(run)")
      #expect(try device.installed().keys.allSatisfy { $0.hasSuffix(".bin") })
      #expect(run.events("component").compactMap { $0["indexSize"] as? Int } == [0, 0, 0])
      #expect(try device.run("verify").exit == 0)
    }

    @Test(
      "a user's operation takes priority over an automatic one that is indexing, which resumes afterwards")
    func stepsAside() throws {
      let old = try maps.copy(in: scratch, upTo: 1)
      let setup = try maps.device(nil, of: old.url)
      #expect(try setup.run("install", "sample/one", "sample/three").exit == 0)
      // Hangs once.
      let command = try IndexedMaps.Command(
        """
        echo "$TINYUPDATER_ID" >>"$notes"
        [ "$TINYUPDATER_ID" != sample/three ] || [ -e "$notes.again" ] || { touch "$notes.again"; exec sleep 60; }
        echo index >"$2"
        """)
      let device = try maps.device(command)
      try device.copyStore(of: setup)
      let automatic = try device.start(["--json", "apply"])
      while command.notes.isEmpty { Clock.sleep(milliseconds: 10) }
      let manual = try device.json("install", "sample/two")
      #expect(manual.exit == 0, "\(manual)")
      #expect(try device.finish(automatic).exit == 0)
      #expect(try device.release() == 2)
      #expect(Set(command.notes) == ["sample/three", "sample/two"])
      for package in ["sample/three", "sample/two"] {
        #expect(try text("\(device.root)/current/maps/\(package)/base.bin.index") == "index\n")
      }
      #expect(try device.staged == [])
    }

    /// Runs under strace, which follows no child: it is the updater that loses its power.
    private func trace(_ device: Device, _ options: [String]) throws -> Device.Run {
      try device.finish(device.start(["apply"], before: ["strace"] + options))
    }

    @Test(
      "killed at system calls that change the disk, the device has old maps with old indexes or new maps with new ones",
      .enabled(if: Programs.exists("strace"), "strace is missing; scripts/setup test installs it"))
    func killed() throws {
      let command = try IndexedMaps.Command(IndexTests.working)
      let old = try maps.copy(in: scratch, upTo: 1)
      let start = try maps.device(command, of: old.url)
      #expect(try start.run("install", "sample").exit == 0)
      let before = try start.installed()
      let device = try maps.device(command)
      try device.copyStore(of: start)
      let calls = ["renameat", "linkat", "unlinkat", "fsync", "syncfs", "openat"]
      let log = "\(scratch.path)/trace"
      #expect(try trace(device, ["-o", log, "-e", "trace=\(calls.joined(separator: ","))"]).exit == 0)
      let after = try device.installed()
      let lines = String(decoding: try contents(log), as: UTF8.self).split(separator: "\n")
      var generator = SeededGenerator(9)
      for call in calls {
        let count = lines.count { $0.hasPrefix("\(call)(") }
        try #require(count > 0, "\(call)")
        for number in (1...count).shuffled(using: &generator).prefix(5) {
          try device.copyStore(of: start)
          let injection = "inject=\(call):signal=SIGKILL:when=\(number)"
          let run = try trace(device, ["-o", "/dev/null", "-e", "trace=\(call)", "-e", injection])
          #expect(run.exit == nil, "\(call) \(number) was not reached")
          #expect([before, after].contains(try device.installed()), "\(call) \(number)")
          #expect(try device.run("apply").exit == 0, "\(call) \(number)")
          #expect(try device.installed() == after, "\(call) \(number)")
          #expect(try device.run("verify").exit == 0 && device.staged == [], "\(call) \(number)")
        }
      }
    }

    @Test(
      "the example indexes the names in a GeoPackage, and skips files that are not databases",
      .enabled(if: Programs.exists("sqlite3"), "sqlite3 is missing; scripts/setup test installs it"))
    func example() throws {
      let input = "\(scratch.path)/input/malta/places"
      try scratch.makeDirectory("input/malta/places")
      try Programs.run(
        "sqlite3", "\(input)/base.bin",
        """
        CREATE TABLE gpkg_contents (table_name TEXT PRIMARY KEY, data_type TEXT, identifier TEXT);
        INSERT INTO gpkg_contents VALUES ('places', 'features', 'name');
        CREATE TABLE places (fid INTEGER PRIMARY KEY, geom BLOB, name TEXT, name_mt TEXT, inhabitants INTEGER);
        INSERT INTO places VALUES (1, x'4750', 'Valletta', 'Il-Belt Valletta', 5827), (2, x'4750', 'Mdina', NULL, 292),
          (3, x'4750', 'It''s "odd"', ' ', 0);
        CREATE TABLE "a ""road"" table's" (name TEXT);
        INSERT INTO "a ""road"" table's" VALUES ('Triq ir-Repubblika');
        CREATE VIRTUAL TABLE rtree_places_geom USING rtree (id, west, east, south, north);
        """)
      try scratch.write("input/malta/places/noise.bin", [UInt8](repeating: 7, count: 5000))
      try scratch.write("input/malta/places/map.xml", "<map index-size=\"100000\"/>")
      let published = PublishedRepository(path: "\(scratch.path)/repository")
      try published.publish("\(scratch.path)/input", label: "one")
      let device = try Device(
        published.url, trusting: published,
        settings: "index_command = \(Checkout.root)/config/examples/index-geopackage",
        "log = \(scratch.path)/log")
      let run = try device.run("install", "malta")
      #expect(run.exit == 0, "\(run)")
      let maps = "\(device.root)/current/maps/malta/places"
      #expect(try names(maps) == ["base.bin", "base.bin.index", "noise.bin"])
      let rows = try Programs.run(
        "sqlite3", "\(maps)/base.bin.index", "SELECT key, source, feature, text FROM name;")
      #expect(
        rows == """
          il-belt valletta|places|1|Il-Belt Valletta
          it's "odd"|places|3|It's "odd"
          mdina|places|2|Mdina
          triq ir-repubblika|a "road" table's|1|Triq ir-Repubblika
          valletta|places|1|Valletta

          """)
      let log = try text("\(scratch.path)/log")
      #expect(log.contains("index of malta/places/base.bin: 5 names\n"), "\(log)")
      #expect(log.contains("index of malta/places/noise.bin: no SQLite database, so no index\n"), "\(log)")
      #expect(try device.staged == [])
    }

  }
}
