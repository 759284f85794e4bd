import Foundation
import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What programs that read the maps can rely on (`docs/readers.md`), with the examples of `config/examples`.
  @Suite("Readers")
  struct ReaderTests {
    let scratch: Scratch
    let device: Device

    /// A polygon of two rings; the first has more corners than fit into one event.
    private static let description = """
      <map><polygon>\((0..<300).map { "35.\($0 + 100),14" }.joined(separator: " "))</polygon>
      <polygon>0,0 0,1.5 -1,1</polygon></map>
      """

    /// A device at release 1 of two; no component of one is a component of the other.
    init() throws {
      scratch = try Scratch("readers")
      let repository = PublishedRepository(path: "\(scratch.path)/repository")
      for release in 1...2 {
        for name in ["europe/iceland/base", "europe/malta/base", "europe/malta/search", "world/base"] {
          let data = String(repeating: "\(name) of release \(release)\n", count: 300 * release)
          try scratch.write("maps/\(release)/\(name).bin", data)
        }
        try scratch.write("maps/\(release)/europe/malta/map.xml", ReaderTests.description)
        try repository.publish("\(scratch.path)/maps/\(release)", label: "2024-0\(release)")
      }
      let old = try repository.copy(to: "\(scratch.path)/old", upTo: 1)
      let setup = try Device(old.url, trusting: repository)
      #expect(try setup.run("install", "europe", "world").exit == 0)
      device = try Device(repository.url, trusting: repository)
      try device.copyStore(of: setup)
    }

    @Test(
      "GDAL reads a .dat file in place with the command of readers.md",
      .enabled(if: Programs.exists("ogrinfo"), "gdal-bin is not installed"))
    func gdal() throws {
      let maps = "\(scratch.path)/maps/3/places"
      try Programs.run("mkdir", "-p", maps)
      try Programs.run(
        "sqlite3", "\(maps)/base.sqlite", "CREATE TABLE place (name TEXT); INSERT INTO place VALUES ('Gozo')")
      let repository = PublishedRepository(path: "\(scratch.path)/places")
      try repository.publish("\(scratch.path)/maps/3", label: "2024-03", options: "--form", "dat")
      let device = try Device(repository.url, trusting: repository)
      #expect(try device.run("install", "places").exit == 0)
      let document = try String(decoding: contents("\(Checkout.root)/docs/readers.md"), as: UTF8.self)
      let script = try #require(
        document.components(separatedBy: "```sh\n").last?.components(separatedBy: "```").first)
      let map = "\(device.root)/current/maps/places/base.dat"
      let layers = try ChildProcess.run(
        "sh", ["-c", script.replacingOccurrences(of: "ogrinfo", with: "ogrinfo -al")],
        environment: ["map": map])
      #expect(layers.output.contains("name (String) = Gozo"), "\(layers)")
    }

    // MARK: - The readers

    /// What a reader counted until it was stopped.
    struct Counts: Equatable {
      var views = 0
      var failures = 0
      /// The numbers of the releases, each time that another one than before was seen.
      var releases: [Int] = []
      var report = ""
    }

    /// Compiles the example in C, changed or as it is.
    private func compile(_ name: String = "reader", _ change: (String) -> String = { $0 }) throws -> String {
      let source = try contents("\(Checkout.root)/config/examples/reader-without-library.c")
      try scratch.write("\(name).c", change(String(decoding: source, as: UTF8.self)))
      let program = "\(scratch.path)/\(name)"
      try Programs.run(
        Programs.exists("cc") ? "cc" : "clang", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o",
        program, "\(program).c")
      return program
    }

    var script: String { "\(Checkout.root)/config/examples/reader.sh" }

    /// Starts readers in front of the device's store, and returns when each has seen the maps once.
    func start(_ words: [String]...) throws -> [ChildProcess] {
      try words.map { try start($0, environment: [:]) }
    }

    func start(_ words: [String], environment: [String: String]) throws -> ChildProcess {
      let reader = try ChildProcess(words[0], words[1...] + [device.root], environment: environment)
      #expect(reader.waitForLine(with: "release 1 ") != nil, "\(words)")
      return reader
    }

    /// Stops a reader and returns what it counted; the first release was read already.
    func stop(_ reader: ChildProcess) throws -> Counts {
      reader.signal(SIGTERM)
      let outcome = reader.wait()
      var counts = Counts(
        releases: [1], report: "\(outcome.output.prefix(2000))\(outcome.error.prefix(2000))")
      for line in outcome.output.split(separator: "\n") {
        let words = line.split(separator: " ")
        if words.count == 4, words[1] == "release" { counts.releases.append(Int(words[2]) ?? 0) }
        if words.count == 4, words[1] == "views," {
          counts.views = Int(words[0]) ?? 0
          counts.failures = Int(words[2]) ?? -1
        }
      }
      #expect(outcome.status == (counts.failures == 0 ? 0 : 1), "\(counts)")
      return counts
    }

    /// Updates and rolls back in turn, beginning with an update: each second one to the generation that was left, the
    /// others to a new one.
    func makeSwitches(_ numbers: ClosedRange<Int>) throws {
      for number in numbers {
        if number % 4 == 1 { #expect(try device.run("confirm").exit == 0) }
        let command = number % 2 == 1 ? ["apply", "--release", "2"] : ["rollback"]
        let run = try device.run(["--quiet"] + command)
        #expect(run.exit == 0, "\(number): \(run.error)")
      }
    }

    /// The lines of a reader that watches, up to the last of a generation with that many maps.
    func lines(_ reader: ChildProcess, upTo generation: String, maps: Int) -> [String] {
      var lines: [String] = []
      var missing: Int?
      while missing != 0, let line = reader.waitForLine(with: " ") {
        lines.append(line)
        missing = line.hasPrefix("\(generation) ") ? maps : missing.map { $0 - 1 }
      }
      return lines
    }

    // MARK: - Tests

    @Test("E10: readers never see a missing or mixed file through 200 updates and rollbacks")
    func neverMixed() throws {
      let program = try compile()
      let readers = try start([program, "--check"], [program, "--check"], ["sh", script, "--check"])
      let watcher = try ChildProcess(program, ["--watch", device.root])
      try makeSwitches(1...1)
      // One more, which never moves to new maps.
      let holder = try Directory(opening: "\(device.root)/generations/2")
      try holder.lock(.shared)
      let held = try digests(holder.path)
      try makeSwitches(2...200)

      for (index, least) in [201, 201, 2].enumerated() {
        let counts = try stop(readers[index])
        #expect(counts.failures == 0, "\(index): \(counts)")
        #expect(counts.views >= least, "\(index): \(counts)")
        #expect(Set(counts.releases) == [1, 2], "\(index): \(counts)")
      }
      #expect(try device.run("uninstall", "world").exit == 0)
      let current = try #require(try device.current)
      let seen = lines(watcher, upTo: current, maps: 3)
      #expect(seen.filter { !$0.hasSuffix(" ok") && !$0.contains(" release ") } == [])
      #expect(seen.suffix(4).first == "\(current) release 1 2024-01")
      #expect(Set(seen.filter { $0.contains(" release ") }).count > 2)
      watcher.signal(SIGTERM)
      #expect(watcher.wait().signal == SIGTERM)

      #expect(try digests(holder.path) == held && held.count == 6)
      #expect(try names("\(device.root)/generations").contains("2"))
      _ = consume holder
      #expect(try device.run("install", "world").exit == 0)
      #expect(try names("\(device.root)/generations").count == 2)
    }

    @Test("a reader that resolves current for each map sees a mix, which these checks detect")
    func mixed() throws {
      let path = ("\"maps/%s\"", "\"../../current/maps/%s\"")
      let program = try compile("broken") { $0.replacingOccurrences(of: path.0, with: path.1) }
      #expect(
        try contents("\(program).c") != contents("\(Checkout.root)/config/examples/reader-without-library.c"))
      let readers = try start([program, "--check"])
      try makeSwitches(1...40)
      let counts = try stop(readers[0])
      #expect(counts.failures > 0, "\(counts)")
    }

    @Test("the examples read .dat files, and notice one of another release")
    func described() throws {
      let program = try compile()
      let repository = PublishedRepository(path: "\(scratch.path)/described")
      try repository.publish("\(scratch.path)/maps/1", label: "1", options: "--form", "dat")
      let device = try Device(repository.url, trusting: repository)
      #expect(try device.run("install", "europe", "world").exit == 0)
      let maps = ["europe/iceland/base", "europe/malta/base", "europe/malta/search", "world/base"]
      for (release, words) in [("1", "ok"), ("2", "is of another release")] {
        let search = "\(device.root)/current/maps/europe/malta/search.dat"
        try Programs.run("sed", "-i", "s/ release=\"1\"/ release=\"\(release)\"/", search)
        let expected = maps.map { "maps/\($0).dat \($0.hasSuffix("search") ? words : "ok")" }
        for reader in [[program], ["sh", script]] {
          let outcome = try ChildProcess.run(reader[0], reader[1...] + [device.root])
          #expect(outcome.status == (words == "ok" ? 0 : 1))
          #expect(outcome.output.split(separator: "\n").dropFirst().map(String.init) == expected)
        }
      }
    }

    @Test("the examples report what is installed, what is wrong with it, or that nothing is installed")
    func examples() throws {
      let program = try compile()
      for words in [[program], ["sh", script]] {
        func read(_ root: String) throws -> ChildProcess.Outcome {
          try ChildProcess.run(words[0], words[1...] + [root])
        }
        let whole = try read(device.root)
        #expect(whole.status == 0, "\(whole)")
        #expect(
          whole.output == """
            generations/1 release 1 2024-01
            maps/europe/iceland/base.bin ok
            maps/europe/malta/base.bin ok
            maps/europe/malta/search.bin ok
            maps/world/base.bin ok

            """)
        let nothing = try read(scratch.path)
        #expect(nothing.status == 2 && nothing.output == "", "\(nothing)")
      }
      let maps = "\(device.root)/generations/1/maps"
      let manifest = String(decoding: try contents("\(device.root)/generations/1/manifest"), as: UTF8.self)
      for text in ["", String(manifest.dropLast(69)), manifest.replacing("manifest 1", with: "manifest 2")] {
        try scratch.write("other/generations/7/manifest", text)
        try Programs.run("ln", "-sfn", "generations/7", "\(scratch.path)/other/current")
        for words in [[program], ["sh", script]] {
          let unusable = try ChildProcess.run(words[0], words[1...] + ["\(scratch.path)/other"])
          #expect(
            unusable.status == 1 && unusable.output.contains("generations/7 has no manifest of"),
            "\(unusable)")
        }
      }
      try Programs.run("truncate", "-s", "-1", "\(maps)/europe/malta/base.bin")
      try Programs.run("rm", "\(maps)/world/base.bin")
      for words in [[program], ["sh", script]] {
        let damaged = try ChildProcess.run(words[0], words[1...] + [device.root])
        #expect(damaged.status == 1)
        let lines = damaged.output.split(separator: "\n").dropFirst(2)
        #expect(lines.first == "maps/europe/malta/base.bin has another size")
        #expect(lines.dropFirst().first == "maps/europe/malta/search.bin ok")
        #expect(lines.last?.hasPrefix("maps/world/base.bin ") == true && lines.last?.hasSuffix("ok") == false)
      }
    }
  }
}
