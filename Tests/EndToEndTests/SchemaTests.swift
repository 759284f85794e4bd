import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What the programs print as JSON has the form that `docs/schema` says.
  ///
  /// This suite prints something for every schema; `scripts/run-tests` compares what all the others have printed.
  @Suite("Schemas")
  struct SchemaTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("schemas")
    }

    private func check(_ runs: [RecordedRun], _ options: String...) throws -> ChildProcess.Outcome {
      try scratch.write("runs", runs.map(\.line).joined())
      return try ChildProcess.run(
        "\(Checkout.root)/scripts/check-json", options + ["\(scratch.path)/runs"], timeout: 120)
    }

    private func finish(_ child: ChildProcess, expecting status: Int32) throws -> RecordedRun {
      let outcome = child.wait(timeout: 300)
      #expect(outcome.status == status, "\(child.words) \(outcome)")
      return try #require(child.recorded)
    }

    @Test("E9: every answer and event that the programs print fits its schema, and every schema is met")
    func everything() throws {
      let runs = try publisherRuns() + changes() + runsOfParts() + deviceRuns()
      let checked = try check(
        runs, "--complete", "tinypublish-report=\(scratch.path)/report/report.json",
        "tinyupdater-report=\(scratch.path)/device-report.json")
      #expect(checked.status == 0, "\(checked.error)")
    }

    // MARK: - The publisher

    private func publisherRuns() throws -> [RecordedRun] {
      let repository = try sample.repository.copy(to: "\(scratch.path)/repository")
      let (path, program) = (repository.path, try Programs.tinypublish())
      let keys = ["--keys", repository.keys, "--passphrase-file", repository.passphraseFile]
      var runs: [RecordedRun] = []
      func run(_ words: String, _ more: [String] = [], expecting status: Int32 = 0) throws {
        let arguments = words.split(separator: " ").map { String($0).replacing("REPO", with: path) } + more
        runs.append(try finish(ChildProcess(program, arguments), expecting: status))
      }
      for (name, bytes) in SampleMaps.files(4) { try scratch.write("maps/\(name)", bytes) }
      try scratch.write("maps/europe/malta/base.bin", SampleMaps.files(1)["europe/malta/base.bin"] ?? [])
      try scratch.write("maps/europe/map.xml", "<map><name>Europe</name></map>")
      try scratch.write("maps/README", "x")
      let maps = ["\(scratch.path)/maps", "--label", "5"]
      try run("release REPO --json --dry-run --progress json", maps)
      try run("plan REPO --json --progress json --jobs-to \(scratch.path)/jobs", maps)
      for _ in 1...2 { try run("work --json --index 0 \(scratch.path)/jobs") }
      try run("release REPO --json --progress json --effective 2100-01-01T00:00:00Z", maps + keys)
      try run("release REPO --json --progress json", maps + keys, expecting: 64)
      // For the devices, in a repository of its own.
      let recalled = try sample.repository.copy(to: "\(scratch.path)/recalled")
      try run(
        "recall \(recalled.path) 2024-04 --json --progress json", ["--because", "a reason"] + keys)
      let newest = try names("\(recalled.path)/metadata").filter { $0.hasSuffix(".targets.json") }
      for name in newest { try run("inspect --json \(recalled.path)/metadata/\(name)") }
      try run("key list REPO --json", keys)
      try run("key make root", ["--keys", "\(scratch.path)/more"] + keys.suffix(2))
      for folder in ["catalogs", "components", "metadata", "payloads"] {
        for name in try names("\(path)/\(folder)") {
          try run("inspect --json --contents REPO/\(folder)/\(name)")
        }
      }
      try run("inspect --json", ["\(scratch.path)/maps/europe/map.xml"])
      try run("verify REPO --deep --json --progress json")
      let server = try WebServer(path)
      try run("verify \(server.url) --root REPO/metadata/1.root.json --deep --json --progress json")
      try run("bundle REPO --json --progress json --from 4 -o \(scratch.path)/update.tar")
      try run("bundle REPO --progress json -o \(scratch.path)/all.tar")
      try run("report REPO --json --progress json -o \(scratch.path)/report")
      try run("prune REPO --json --dry-run --keep 1", keys)
      try run("prune REPO --json --verbose --progress json")
      let (old, new) = (
        "\(scratch.path)/maps/europe/iceland/base.bin", "\(scratch.path)/maps/europe/latvia/base.bin"
      )
      try run("diff --json --progress json \(old) \(new) -o \(scratch.path)/patch")
      // In windows. Noise is searched fast.
      let zeros = String(repeating: "0", count: 32)
      let cipher = "openssl enc -aes-128-ctr -K \(zeros) -iv \(zeros) </dev/zero 2>/dev/null"
      try Programs.run("sh", "-c", "\(cipher) | head -c 12000000 >\"$0\"", "\(scratch.path)/noise")
      let noise = "\(scratch.path)/noise"
      try run("diff --json --progress json --memory 96M /dev/null \(noise) -o \(scratch.path)/patch")
      // With a warning.
      try run("diff --json --progress json --memory 1M \(old) \(new) -o \(scratch.path)/patch")
      if Programs.exists("rclone") { try run("push REPO \(scratch.path)/there --json --progress json") }
      for path in [path, recalled.path] { try run("status \(path) --json --progress json") }
      return runs
    }

    /// Every command that changes the metadata, with the keys and without some of them.
    private func changes() throws -> [RecordedRun] {
      let repository = PublishedRepository(path: "\(scratch.path)/changed")
      let (path, program) = (repository.path, try Programs.tinypublish())
      try Programs.run("mkdir", "-p", "\(path).states")
      try Programs.run("cp", "-aT", sample.repository.passphraseFile, repository.passphraseFile)
      let keys = ["--passphrase-file", repository.passphraseFile, "--keys", repository.keys]
      var runs: [RecordedRun] = []
      func run(_ words: String, _ more: [String] = [], expecting status: Int32 = 0) throws {
        let arguments = words.split(separator: " ").map { String($0).replacing("REPO", with: path) } + more
        runs.append(
          try finish(ChildProcess(program, arguments + ["--json", "--progress", "json"]), expecting: status))
      }
      for _ in 1...2 { try run("init REPO --targets 2/2 --expiry snapshot=20", keys) }
      try repository.tinypublish(["release", path, "\(scratch.path)/maps", "--label", "1", "--quiet"])
      try run("rollout REPO 1 20", keys)
      try run("rollout REPO 1 200", keys, expecting: 64)
      try run("rollout REPO 2 20", keys, expecting: 64)
      try run("dates REPO 1 --effective 2100-01-01T00:00:00Z --expires 2101-01-01T00:00:00Z", keys)
      try run("renew REPO snapshot", keys)
      try run("timestamp REPO --expiry timestamp=1", keys)
      try run("key add REPO root", keys)
      try run("key rotate REPO timestamp", keys)
      let other = ["--keys", "\(scratch.path)/other"]
      try run("key make root", keys.prefix(2) + other)
      try scratch.write("root.pub", try #require(runs.last?.output))
      try run("key add REPO root --public \(scratch.path)/root.pub", keys)
      let id = try #require(
        try names(repository.keys).first { $0.hasPrefix("root-") && $0.hasSuffix(".pem") })
      try run("key revoke REPO root \(id.dropFirst(5).prefix(16))", keys)
      // From here on a key of targets is elsewhere.
      let elsewhere = try #require(try names(repository.keys).first { $0.hasPrefix("targets-") })
      try Programs.run("mv", "\(repository.keys)/\(elsewhere)", "\(scratch.path)/other")
      try run("rollout REPO 1 30", keys, expecting: 10)
      try run("status REPO")
      try run("sign export REPO -o \(scratch.path)")
      let file =
        "\(scratch.path)/\(try #require(try names(scratch.path).first { $0.hasSuffix(".targets.json") }))"
      try run("sign import REPO \(file)", keys, expecting: 10)
      try run("sign add \(file)", keys.prefix(2) + other)
      try run("sign import REPO \(file)", keys)
      try run("sign import REPO \(file)", keys, expecting: 64)
      try run("renew REPO root", keys)
      try run("prune REPO --keep 1 --dry-run", keys)
      return runs
    }

    /// A repository whose catalog has parts, of an archive, and what is said of it when files are missing.
    private func runsOfParts() throws -> [RecordedRun] {
      let repository = PublishedRepository(path: "\(scratch.path)/parts")
      try repository.make()
      let (path, program) = (repository.path, try Programs.tinypublish())
      var runs: [RecordedRun] = []
      func run(_ arguments: [String], expecting status: Int32 = 0) throws {
        let words = arguments + ["--progress", "json"]
        runs.append(try finish(ChildProcess(program, words), expecting: status))
      }
      for number in 0..<500 { try scratch.write("many/world/p\(number)/base.bin", "\(number)") }
      try Programs.run("tar", "-C", "\(scratch.path)/many", "-cf", "\(scratch.path)/many.tar", "world")
      try run([
        "release", path, "\(scratch.path)/many.tar", "--label", "1", "--json", "--keys", repository.keys,
        "--passphrase-file", repository.passphraseFile,
      ])
      for name in try names("\(path)/catalogs") {
        let words = ["inspect", "--json", "\(path)/catalogs/\(name)"]
        runs.append(try finish(ChildProcess(program, words), expecting: 0))
      }
      try run([
        "release", path, "\(scratch.path)/maps", "--label", "2", "--json", "--dry-run", "--allow-removed",
        "500",
      ])
      try repository.edit("components/\(try names("\(path)/components")[0])") { $0.append(0) }
      try run(["verify", path], expecting: 21)
      return runs
    }

    @Test("lines of progress end with a result even without memory")
    func outOfMemory() throws {
      for release in [1, 4] {
        try scratch.write("\(release)", SampleMaps.files(release)["europe/malta/base.bin"] ?? [])
      }
      let limited = "ulimit -d 40000; exec \"$0\" \"$@\""
      let (old, new) = ("\(scratch.path)/1", "\(scratch.path)/4")
      let words = ["diff", old, new, "-o", "\(scratch.path)/patch", "--progress", "json"]
      let child = try ChildProcess("sh", ["-c", limited, try Programs.tinypublish()] + words)
      let run = try finish(child, expecting: 23)
      #expect(run.error.hasSuffix("and run the command again\"}\n"), "\(run.error)")
      #expect(try check([run]).status == 0)
    }

    // MARK: - The device

    private func deviceRuns() throws -> [RecordedRun] {
      let device = try sample.device(at: 2)
      var runs: [RecordedRun] = []
      func run(_ words: String, on other: Device? = nil, expecting status: Int32 = 0) throws {
        let arguments = ["--json"] + words.split(separator: " ").map(String.init)
        runs.append(try finish((other ?? device).start(arguments), expecting: status))
      }
      for (words, status) in [
        ("check", 10), ("plan", 0), ("plan world/rivers", 0), ("list", 0), ("list --tree", 0),
        ("list --composite", 0),
        ("at 35.9 14.4", 0), ("groups", 0), ("status", 0), ("apply --stage", 0),
        ("status", 0), ("list", 0), ("activate", 0), ("apply", 0),
        ("install world/rivers", 0),
        ("install nowhere", 64), ("uninstall world/rivers", 0), ("groups deselect search", 0), ("apply", 0),
        ("groups select search", 0), ("repair", 0), ("verify", 0), ("rollback", 0), ("history", 0),
        ("status", 0),
        ("cancel", 0), ("export \(scratch.path)/export", 0), ("confirm", 0), ("boot", 0),
        ("support -o \(scratch.path)/support.tar", 0), ("support -o \(scratch.path)/support.tar", 64),
      ] as [(String, Int32)] {
        try run(words, expecting: status)
      }
      let watch = try device.start(["watch"])
      _ = try #require(watch.waitForLine(with: "\"event\":\"ready\""))
      try run("install world/rivers")
      watch.signal(SIGTERM)
      runs.append(try finish(watch, expecting: 0))
      let socket = "\(scratch.path)/socket"
      let door = try sample.device(at: 2, settings: "socket = \(socket)")
      let serve = try door.start(["--json", "serve"])
      _ = try VarlinkClient(socket).events("GetStatus")
      serve.signal(SIGTERM)
      runs.append(try finish(serve, expecting: 0))
      let dated = try sample.device(at: 4, of: PublishedRepository(path: "\(scratch.path)/repository").url)
      for words in ["check", "apply", "status"] { try run(words, on: dated) }
      let left = try sample.device(at: 4, of: PublishedRepository(path: "\(scratch.path)/recalled").url)
      for (words, status) in [("check", 10), ("plan", 0), ("status", 0), ("apply", 0), ("status", 0)]
        as [(String, Int32)]
      {
        try run(words, on: left, expecting: status)
      }
      let trees = try TreeSample.shared.get().device(installing: "europe/malta")
      try scratch.write("route.json", "{\"coordinates\":[[7.7,48.5],[14.2,36.05]]}")
      try run("near 36.05 14.2 --radius 20K", on: trees)
      try run("polygons europe/malta", on: trees)
      try run("along \(scratch.path)/route.json --within 10K", on: trees)
      try run("near 36.05 14.2 --radius 20K --install", on: trees)
      let vehicle = try TreeSample.shared.get().device(settings: "area_radius = 20K")
      for words in [
        "position", "install signs", "status", "position 36.05 14.2", "plan", "apply", "list", "status",
        "history",
      ] {
        try run(words, on: vehicle)
      }
      try run("status", on: sample.device(at: 2, settings: "storage_limit = 1G"))
      try runs.append(runningStatus())
      let empty = try Device("https://127.0.0.1:1", settings: "offline = yes")
      try run("status", on: empty)
      try run("check", on: empty, expecting: 20)
      try run("provision --from \(scratch.path)/all.tar europe/malta", on: Device("https://127.0.0.1:1"))
      let unreachable = "http://127.0.0.1:1"
      let reporting = try sample.device(
        at: 2, of: unreachable, settings: "report_url = \(unreachable)", "retries = 0")
      for words in ["apply", "status"] { try run(words, on: reporting, expecting: words == "apply" ? 20 : 0) }
      let report = String(decoding: try contents("\(reporting.root)/reports/waiting/1"), as: UTF8.self)
      try scratch.write("device-report.json", String(report.split(separator: "\n")[1]))
      return runs
    }

    /// The status of a device in the middle of a download.
    private func runningStatus() throws -> RecordedRun {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 2, of: server.url)
      let apply = try device.startInOverlay("apply")
      apply.signal(SIGSTOP)
      let status = try finish(device.start(["--json", "status"]), expecting: 0)
      apply.signal(SIGTERM)
      apply.signal(SIGCONT)
      _ = apply.wait(timeout: 60)
      return status
    }

    // MARK: - What is refused

    @Test(
      "a member that is renamed, missing, new, twice or of another type is found, and so is an unknown word",
      arguments: [
        (#""installedSize":"#, #""sizeInstalled":"#, "'sizeInstalled' was unexpected"),
        (#""damaged":0,"#, "", "'damaged' is a required property"),
        (#""damaged":0"#, #""damaged":"0""#, "'0' is not of type 'integer'"),
        (#""damaged":0"#, #""damaged":-1"#, "-1 is less than the minimum of 0"),
        (#""damaged":0,"#, #""damaged":0,"damaged":0,"#, "a member twice"),
        (#""damaged":0,"#, #""damaged":0,"new":0,"#, "'new' was unexpected"),
        (#""result":"Success""#, #""result":"Done""#, "'Done' is not one of"),
        (#""event":"status""#, #""event":"state""#, "no alternative has this event"),
        (#""label":"2024-02""#, #""label":"""#, "'' is too short"),
      ])
    func refused(from: String, to: String, complaint: String) throws {
      let device = try sample.device(at: 2)
      let run = try finish(device.start(["--json", "status"]), expecting: 0)
      #expect(try check([run]).status == 0)
      #expect(run.output.contains(from), "\(run.output)")
      let changed = RecordedRun(
        words: run.words, status: run.status, output: run.output.replacing(from, with: to), error: run.error)
      let checked = try check([run, changed])
      #expect(checked.status == 1 && checked.error.contains(complaint), "\(checked)")
    }

    @Test(
      "lines of progress without a first or last line, with another exit code, or with other text are found")
    func progress() throws {
      let words = ["verify", sample.repository.path, "--progress", "json"]
      let run = try finish(ChildProcess(Programs.tinypublish(), words), expecting: 0)
      let lines = run.error.split(separator: "\n").map(String.init)
      #expect(try check([run]).status == 0)
      for (changed, status) in [
        (Array(lines.dropFirst()), Int32(0)), (lines.dropLast(), 0), (lines, 21), (lines + ["warning"], 0),
      ] {
        let text = changed.map { $0 + "\n" }.joined()
        let checked = try check([RecordedRun(words: run.words, status: status, output: "", error: text)])
        #expect(checked.status == 1, "\(text) \(checked)")
      }
    }
  }
}
