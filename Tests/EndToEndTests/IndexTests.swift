import Foundation
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Indexes are made beside the downloads, and belong to the maps that they were made of.
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

    @Test("A10: after indexing the maps are applied by themselves, each with its index")
    func applied() throws {
      let command = try IndexedMaps.Command(IndexTests.working)
      let device = try maps.device(command)
      let run = try device.json("install", "sample")
      #expect(run.exit == 0, "\(run)")
      for package in IndexedMaps.packages {
        let size = try contents("\(device.root)/current/maps/\(package)/base.dat").count
        #expect(
          try text("\(device.root)/current/maps/\(package)/base.index") == "\(package) base 2 \(size)\n")
      }
      #expect(try names("\(device.root)/current/maps/sample/plain") == ["base.dat"])
      #expect(command.notes == IndexedMaps.packages)
      #expect(try device.staged == [])
      #expect(try device.json("verify").exit == 0)
      #expect(try device.json("status").number("status", "indexSize") > 0)
      // As a failing medium does it.
      let file = try File(opening: "\(device.root)/current/maps/sample/one/base.index", .update)
      try file.write("X")
      try file.close()
      let verify = try device.run("verify")
      #expect(verify.exit == 24)
      #expect(verify.error.contains("maps/sample/one/base.index is damaged"), "\(verify.error)")
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
      #expect(after["sample/one/base.index"] == before["sample/one/base.index"])
      #expect(after["sample/two/base.index"] != before["sample/two/base.index"])
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
            == ["downloading", "staged", "indexing", "indexed"].map { "\(package) \($0)" })
      }
      #expect(
        states.filter { $0.hasPrefix("sample/plain ") } == [
          "sample/plain downloading", "sample/plain staged",
        ])
      // One index at a time.
      let indexing = states.filter { $0.contains("index") }.map { $0.split(separator: " ").last ?? "" }
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
      while command.notes.last != "sample/three" { Clock.sleep(milliseconds: 10) }
      child.signal(SIGKILL)
      _ = child.wait()
      #expect(try device.current == nil)
      let run = try device.json("install", "sample")
      #expect(run.exit == 0, "\(run)")
      #expect(command.notes == ["sample/one", "sample/three", "sample/three", "sample/two"])
      for package in IndexedMaps.packages {
        #expect(try text("\(device.root)/current/maps/\(package)/base.index") == "whole\n")
        #expect(try names("\(device.root)/current/maps/\(package)") == ["base.dat", "base.index"])
      }
      #expect(try device.staged == [])
    }

    @Test("a command that makes no index although all went well is taken at its word")
    func none() throws {
      let device = try maps.device(try IndexedMaps.Command("exit 0"))
      let run = try device.json("install", "sample")
      #expect(run.exit == 0, "\(run)")
      #expect(try device.installed().keys.allSatisfy { $0.hasSuffix(".dat") })
      #expect(run.events("component").compactMap { $0["indexSize"] as? Int } == [0, 0, 0])
      #expect(try device.run("verify").exit == 0)
    }

    /// Runs an update with an index command that fails, and expects that nothing is left of it.
    private func failure(_ script: String, _ exit: Int32, _ settings: String...) throws -> String {
      let old = try maps.copy(in: scratch, upTo: 1)
      let setup = try maps.device(nil, of: old.url)
      #expect(try setup.run("install", "sample").exit == 0)
      let device = try maps.device(
        try IndexedMaps.Command(script), settings: settings.joined(separator: "\n"))
      try device.copyStore(of: setup)
      let before = try device.state()
      let run = try device.run("apply")
      #expect(run.exit == exit, "\(run)")
      #expect(try device.state() == before)
      #expect(try device.staged == [])
      return run.error
    }

    @Test(
      "A6: a failed index leaves the device as it was and staging empty, and is named with its cause",
      arguments: [
        (
          "echo no table roads >&2; echo part >\"$2\"; echo x >\"$2-wal\"; exit 3",
          "exited with 3; the log has"
        ),
        ("kill -SEGV $$", "was ended by a signal (Segmentation fault)"),
        ("exec sleep 60", "was not ready after 1 seconds"),
        ("mkdir \"$2\"", "left something else than a file"),
        ("exec head -c 100000000 /dev/zero | tail -n 1 >\"$2\"", "tail: memory exhausted"),
      ])
    func failed(script: String, text: String) throws {
      // The last one is about memory: a line without end is too much for it.
      let error = try failure(script, 78, "index_time = 1", "index_memory = 16M")
      #expect(error.contains("no index of sample/three/base.dat was made: "), "\(error)")
      #expect(error.contains(text), "\(error)")
      #expect(error.contains("nothing was changed"))
      if script.contains("roads") {
        #expect(error.contains("tinyupdater: index of sample/three/base.dat: no table roads\n"), "\(error)")
      }
    }

    @Test("a command that cannot be started is named")
    func notStarted() throws {
      let device = try Device(
        maps.repository.url, trusting: maps.repository, settings: "index_command = /nonexistent/index")
      let run = try device.run("install", "sample")
      #expect(run.exit == 78)
      #expect(
        run.error.contains("/nonexistent/index could not be started (No such file or directory)"),
        "\(run.error)")
      #expect(try device.staged == [])
    }

    @Test("A6: a failed download leaves staging empty, with an index in the making")
    func failedDownload() throws {
      let copy = try maps.copy(in: scratch, upTo: 2)
      let server = try WebServer(copy.path)
      let probe = try maps.device(nil, of: server.url)
      #expect(try probe.run("install", "sample").exit == 0)
      let last = try #require(try server.log().payloads.last?.path)
      try Directory(opening: copy.path).remove(last)
      let command = try IndexedMaps.Command("echo $$ >>\"$notes\"; exec sleep 60")
      let device = try maps.device(command, of: server.url)
      // The first index is waited for before the next one begins: it never ends by itself.
      let child = try device.start(["install", "sample/plain", "sample/two"])
      let run = try device.finish(child)
      #expect(run.exit == 20, "\(run)")
      #expect(try device.staged == [])
      for id in command.notes { #expect(try !isRunning(id)) }
    }

    @Test(
      "A6: a cancelled run leaves staging empty and no child, in the download and in the indexing",
      arguments: [
        true, false,
      ])
    func cancelled(isIndexing: Bool) throws {
      let server = try WebServer(
        maps.repository.path,
        directives: "location ~ /(components|payloads)/ { limit_rate \(isIndexing ? "0" : "20k"); }")
      let command = try IndexedMaps.Command("echo $$ >>\"$notes\"; echo part >\"$2\"; sleep 60")
      let device = try maps.device(command, of: server.url)
      let child = try device.start(["--json", "install", "sample"])
      if isIndexing {
        while command.notes.isEmpty { Clock.sleep(milliseconds: 10) }
      } else {
        #expect(child.waitForLine(with: "\"downloading\"") != nil)
      }
      let start = Clock.milliseconds
      child.signal(SIGTERM)
      let run = try device.finish(child)
      #expect(Clock.milliseconds - start < 2500)
      #expect(run.exit == 26, "\(run)")
      #expect(try device.staged == [])
      #expect(try device.current == nil)
      for id in command.notes { #expect(try !isRunning(id)) }
    }

    /// A zombie does not run.
    private func isRunning(_ id: String) throws -> Bool {
      let state = try ChildProcess.run("sh", ["-c", "cut -d ' ' -f 3 /proc/\(id)/stat 2>/dev/null"]).output
      return !state.isEmpty && !state.hasPrefix("Z")
    }

    @Test(
      "the example makes an index of the names in a GeoPackage, and none of what is no database",
      .enabled(if: Programs.exists("sqlite3"), "sqlite3 is missing; scripts/setup test installs it"))
    func example() throws {
      let input = "\(scratch.path)/input/malta/places"
      try scratch.makeDirectory("input/malta/places")
      try Programs.run(
        "sqlite3", "\(input)/base.gpkg",
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
      #expect(try names(maps) == ["base.dat", "base.index", "noise.dat"])
      let rows = try Programs.run(
        "sqlite3", "\(maps)/base.index", "SELECT key, source, feature, text FROM name;")
      #expect(
        rows == """
          il-belt valletta|places|1|Il-Belt Valletta
          it's "odd"|places|3|It's "odd"
          mdina|places|2|Mdina
          triq ir-repubblika|a "road" table's|1|Triq ir-Repubblika
          valletta|places|1|Valletta

          """)
      let log = try text("\(scratch.path)/log")
      #expect(log.contains("index of malta/places/base.dat: 5 names\n"), "\(log)")
      #expect(log.contains("index of malta/places/noise.dat: no SQLite database, so no index\n"), "\(log)")
      #expect(try device.staged == [])
    }

    @Test("A5: an index command that finds no space ends the update with exit 22, needed and available")
    func noSpace() throws {
      let error = try failure("echo part >\"$2\"; exit 22", 22)
      #expect(error.contains("the index of sample/three/base.dat needs at least "), "\(error)")
      #expect(error.contains("nothing was changed"))
    }

    @Test(
      "A5: no free space on download and on indexing is its own error with needed and available",
      .enabled(if: Medium.isPossible, "mounting file systems takes root"))
    func full() throws {
      let medium = try Medium(megabytes: 4)
      let command = try IndexedMaps.Command("exec head -c 20000000 /dev/zero >\"$2\"")
      let device = try maps.device(command, root: "\(medium.path)/store", settings: "space_reserve = 1M")
      let indexing = try device.json("install", "sample")
      #expect(indexing.exit == 22, "\(indexing)")
      let result = try indexing.event("result")
      #expect(result["result"] as? String == "OutOfSpace")
      let (needed, available) = (
        try indexing.number("result", "needed"), try indexing.number("result", "available")
      )
      #expect(needed > available && available > 0 && available < 3 << 20)
      #expect((result["message"] as? String)?.contains("the index of sample/one/base.dat") == true)
      #expect(try device.staged == [])
      let small = try Medium(megabytes: 2)
      let other = try maps.device(command, root: "\(small.path)/store", settings: "space_reserve = 1M")
      let download = try other.json("install", "sample")
      #expect(download.exit == 22)
      #expect(
        try download.number("result", "needed") == other.json("plan", "sample").number("plan", "peakDisk"))
      #expect(try download.number("result", "needed") > download.number("result", "available"))
      #expect(download.events("component").isEmpty)
    }
  }
}
