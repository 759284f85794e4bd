import CatalogWriting
import Glibc
import MapModel
import Platform
import Releases
import TestSupport
import Testing
import Trust

@testable import Catalog
@testable import Publisher

/// Whether this is a build with a sanitizer, which has allocation functions and threads of its own.
private let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

@Suite("tinypublish")
struct ProgramTests {
  private let scratch: TestRepository
  private let program: Program

  init() throws {
    scratch = try TestRepository()
    program = try #require(try Program(), "tinypublish has to be built beside the tests")
  }

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try program.run(arguments, in: scratch.path)
  }

  @Test(
    "where no thread has room for its stack, the program ends and says so", .enabled(if: !isSanitized),
    arguments: [12_000, 20_000])
  func threads(kibibytes: Int) throws {
    let outcome = try ChildProcess.run(
      "timeout", ["60", "sh", "-c", "ulimit -d \(kibibytes) && exec \(program.path) --version"])
    #expect(outcome.status == 23 && outcome.error.hasPrefix("tinypublish: out of memory; "), "\(outcome)")
  }

  @Test("a release from end to end, with a table or as JSON")
  func release() throws {
    try Maps.write(to: scratch)
    let made = try run("init", scratch.repository)
    #expect(made.status == 0 && made.error.isEmpty)
    #expect(made.output.hasPrefix("\(scratch.repository) is now a repository without releases.\n\nrole "))
    #expect(made.output.contains("metadata/1.root.json belongs on the devices"))
    let again = try run("init", scratch.repository)
    #expect(again == .init(status: 0, output: "\(scratch.repository) is already a repository.\n", error: ""))

    let first = try run("release", scratch.repository, scratch.input, "--label", "1")
    #expect(first.status == 0 && first.error.isEmpty)
    #expect(first.output.contains("europe/malta"))
    #expect(first.output.contains("Release 1, 1: 3 components"))
    try Maps.write(to: scratch) { Maps.changed($0) }
    try scratch.write("README", "x")
    let second = try run("release", scratch.repository, scratch.input, "-l", "2", "--json", "--jobs", "1")
    #expect(second.status == 0)
    #expect(second.error == "ignored: \(scratch.input)/README (not map data by its extension)\n")
    #expect(second.output.hasPrefix("{\"format\":1,\"release\":2,\"label\":\"2\",\"previousRelease\":1,"))
    let third = try run("release", scratch.repository, scratch.input, "-l", "3", "--verbose", "--quiet")
    #expect(third.status == 0 && third.output.isEmpty)
    #expect(third.error.contains("europe/malta/base.gpkg: 60.0 kB, unchanged\n"))
  }

  @Test("a release in jobs: planned, worked on elsewhere, and made of what is there")
  func jobs() throws {
    try Maps.write(to: scratch)
    #expect(try run("init", scratch.repository).status == 0)
    let jobs = "\(scratch.path)/jobs"
    let planned = try run(
      "plan", scratch.repository, scratch.input, "-l", "1", "--jobs-to", jobs, "--ninja", "\(jobs).ninja")
    #expect(planned.status == 0 && planned.error.isEmpty)
    #expect(planned.output.hasPrefix("release    1, 1\njobs       0 to 2\nseconds    3 of one processor"))
    #expect(try contents(jobs).count { $0 == 10 } == 3)
    #expect(
      try String(decoding: contents("\(jobs).ninja"), as: UTF8.self).contains("' 'work' '\(jobs)' --quiet"))
    let unnamed = try run("work", jobs)
    #expect(unnamed.status == 64 && unnamed.error.contains("--index"))
    #expect(try run("work", jobs, "--index", "3").status == 64)
    for index in 0..<3 {
      let made = try run("work", jobs, "--index", "\(index)")
      #expect(made.status == 0 && made.error.isEmpty && made.output.contains(": packed, "))
      let again = try run("work", jobs, "--index", "\(index)", "--json", "--repository", scratch.repository)
      #expect(again.status == 0 && again.output.contains("\"outcome\":\"there\",\"size\":"))
    }
    let done = try run("plan", scratch.repository, scratch.input, "-l", "1", "--jobs-to", jobs)
    #expect(done.output == "Release 1, 1 has no payloads to wait for. Make it.\n")
    #expect(try contents(jobs) == [])
    let counted = try run("plan", scratch.repository, scratch.input, "-l", "1", "--jobs-to", jobs, "--json")
    #expect(counted.output.hasPrefix("{\"format\":1,\"release\":1,\"label\":\"1\",\"jobs\":0,\"seconds\":0,"))
    #expect(try run("release", scratch.repository, scratch.input, "-l", "1", "--quiet").status == 0)
    #expect(try run("work", jobs, "--index", "0").status == 64)
  }

  @Test("components that are gone are named even by a quiet release, and have to be allowed")
  func gone() throws {
    try Maps.write(to: scratch)
    #expect(try run("init", scratch.repository).status == 0)
    #expect(try run("release", scratch.repository, scratch.input, "-l", "1", "--quiet").status == 0)
    try scratch.remove("europe/france")
    let named = "no longer in the release: europe/france/grand-est/base.gpkg\n"
    let refused = try run("release", scratch.repository, scratch.input, "-l", "2", "--quiet")
    #expect(refused.status == 21 && refused.output.isEmpty)
    #expect(refused.error.hasPrefix(named + "tinypublish: ") && refused.error.contains("--allow-removed 1"))
    let allowed = try run(
      "release", scratch.repository, scratch.input, "-l", "2", "--quiet", "--allow-removed", "1")
    #expect(allowed == .init(status: 0, output: "", error: named))
  }

  @Test("inspect shows every kind of file for people and for programs")
  func inspect() async throws {
    try Maps.write(to: scratch)
    let report = try await scratch.release("1")
    let entry = try component(report, id: "europe/malta").entry
    let dat = try component(try await scratch.release("2", form: .dat), id: "europe/malta").entry
    let files = [
      (entry.url, "plain", "file    60.0 kB (60000 bytes)\n"),
      (dat.url, "component", "name en          Malta\n"),
      (report.catalog.catalogURL, "catalog", "components     3\n"),
      (entry.packed?.url ?? "", "packed", "sections         1, 1 sorted\n"),
    ]
    for (url, kind, line) in files {
      let people = try run("inspect", "\(scratch.repository)/\(url)")
      #expect(people.status == 0 && people.output.contains(line), "\(people)")
      let programs = try run("inspect", "--json", "\(scratch.repository)/\(url)")
      #expect(programs.output.hasPrefix("{\"format\":1,\"kind\":\"\(kind)\","))
    }
    // Words in a table are smaller sorted.
    var random = SeededGenerator(1)
    let words = (0..<60).map { _ in (0..<6).map { _ in UInt8.random(in: 97...106, using: &random) } }
    func word() -> [UInt8] { words[Int.random(in: 0..<60, using: &random)] }
    let table = (0..<6000).flatMap { number in
      "\(number),".utf8 + word() + " ".utf8 + word() + ",\(Int.random(in: 0..<5000, using: &random))\n".utf8
    }
    try scratch.write("empty", [])
    try scratch.write("table", table)
    let patch = "\(scratch.input)/patch"
    #expect(
      try run("diff", "\(scratch.input)/empty", "\(scratch.input)/table", "-o", patch, "-q").status == 0)
    let sorted = try run("inspect", patch)
    #expect(sorted.output.contains("sections         1, 1 sorted\n"), "\(sorted)")
  }

  @Test("no control characters of an inspected file reach the terminal")
  func steering() throws {
    var description = Description(
      name: ComponentName(id: "a", dataGroup: "base"), group: "A\u{9b}31m", country: "\u{202e}B", region: "",
      release: Release(number: 1, label: "1"), dataSize: 0)
    description.geography.names = [LocalizedName(language: "", text: "\u{85}C")]
    try scratch.write("a.dat", ComponentFile.front(of: description))
    let shown = try run("inspect", "\(scratch.input)/a.dat")
    #expect(shown.status == 0 && shown.output.contains("A?31m\n") && shown.output.contains("?B\n"))
    #expect(shown.output.unicodeScalars.allSatisfy { $0 == "\n" || (0x20..<0x7f).contains($0.value) })
    let refused = try run("release", scratch.repository, scratch.input, "-l", "\u{1b}[31m\u{9b}")
    #expect(refused.error.unicodeScalars.allSatisfy { $0 == "\n" || (0x20..<0x7f).contains($0.value) })
    let missing = try run("inspect", "\(scratch.input)/\u{1b}[31m")
    #expect(missing.status == 24 && missing.error.contains("?[31m: No such file"))
  }

  @Test("no control characters of a path reach the terminal")
  func controlCharactersInPaths() throws {
    let repository = "\(scratch.path)/\u{1b}[31m"
    try scratch.write("\u{1b}[32m", Maps.data(1))
    try scratch.write("new", Maps.changed(Maps.data(1)))
    let commands = [
      ["init", repository, "--targets", "1/2"], ["init", repository], ["key", "list", repository],
      ["key", "make", "root", "--keys", "\(repository).keys"], ["key", "rotate", repository, "timestamp"],
      ["timestamp", repository, "--expiry", "timestamp=3"],
      [
        "diff", "\(scratch.input)/\u{1b}[32m", "\(scratch.input)/new", "-o", "\(scratch.path)/\u{1b}[33m",
        "--memory", "1M",
      ],
      ["verify", repository],
    ]
    for command in commands {
      let outcome = try program.run(command, in: scratch.path)
      #expect(outcome.status == 0, "\(outcome)")
      let text = outcome.output + outcome.error
      #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 }, "\(command)")
    }
  }

  @Test(
    "a timestamp that waits for the signature of another role is reported as pending",
    arguments: [[], ["--quiet"]])
  func pendingTimestamp(options: [String]) throws {
    try scratch.useOwnKeys()
    try scratch.initialize()
    let timestamp = try scratch.served("metadata/timestamp.json")
    do {
      var session = try scratch.session()
      #expect(try session.rotateKey(nil, of: .targets).outcome == .published)
    }
    // As if it had been interrupted after the new root, and the new key were on another machine.
    try scratch.write("metadata/timestamp.json", timestamp, in: "repository")
    let key = try #require(
      try names(scratch.store.path).first { $0.hasPrefix("targets-") && $0.hasSuffix(".pem") })
    try Directory(opening: scratch.path).rename("own.keys/\(key)", to: key)
    let outcome = try program.run(
      ["timestamp", scratch.repository, "--keys", scratch.store.path] + options, in: scratch.path)
    #expect(outcome.status == 10 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.error.contains("2.targets.json has 0 of the 1"), "\(outcome)")
    #expect(try scratch.served("metadata/timestamp.json") == timestamp)
  }

  @Test("every failure has its exit code and a sentence that names the file")
  func failures() async throws {
    func expect(_ status: Int32, _ text: String, _ arguments: String...) throws {
      let outcome = try program.run(arguments, in: scratch.path)
      #expect(outcome.status == status && outcome.error.contains(text), "\(outcome)")
    }
    let (input, repository) = (scratch.input, scratch.repository)
    try expect(78, "\(repository) is not a repository", "release", repository, input, "-l", "1")
    try expect(0, "", "init", repository)
    try expect(21, "\(input) has no data files", "release", repository, input, "-l", "1")
    try expect(24, "\(input)/none: No such file", "release", repository, "\(input)/none", "-l", "1")
    try Maps.write(to: scratch)
    try expect(78, "\(input) is not empty", "init", input)
    try expect(0, "", "release", repository, input, "-l", "1")
    let tree = try scratch.tree()
    try expect(64, "The label 1 is already used by release 1", "release", repository, input, "-l", "1")
    try expect(64, "\"a b\" is not a valid label", "release", repository, input, "-l", "a b")
    try expect(64, "--patch-from", "release", repository, input, "-l", "2", "--patch-from", "65")
    try expect(64, "--jobs", "release", repository, input, "-l", "2", "--jobs", "0")
    try expect(64, "Missing expected argument", "release", repository, input)
    try scratch.write("europe/malta/map.xml", "<map>\n<name></map>")
    try expect(21, "malta/map.xml, line 2: the XML is malformed", "release", repository, input, "-l", "2")
    try expect(21, "base.gpkg is neither a component", "inspect", "\(input)/europe/malta/base.gpkg")
    try scratch.write("europe/malta/map.xml", "<map/>")
    try scratch.write("again/base.gpkg", [1])
    try scratch.write("again/map.xml", "<map id=\"europe/malta\"/>")
    try expect(21, "are both europe/malta/base.gpkg on a device", "release", repository, input, "-l", "2")
    try scratch.remove("again")
    do {
      let lock = try RepositoryLock(.metadata, of: Directory(opening: repository))
      try expect(25, "Another process is publishing", "release", repository, input, "-l", "2")
      _ = consume lock
    }
    #expect(try scratch.tree() == tree)
    let names = try names(repository)
    #expect(names == [".inputs", ".locks", "catalogs", "components", "metadata", "payloads"])
  }

  @Test(
    "killed at any moment, the repository serves the old release or the new one, and the run can be repeated")
  func killed() async throws {
    let whole = try TestRepository()
    for scratch in [scratch, whole] {
      try Maps.write(to: scratch)
      try await scratch.release("1")
      try Maps.write(to: scratch) { Maps.changed($0, every: 333) }
    }
    // A release keeps figures last, for reports that can do without them.
    func isKept(_ name: String) -> Bool { !name.hasPrefix(".figures/") }
    let before = try scratch.tree()
    try await whole.release("2")
    let after = try whole.tree()
    let arguments = ["release", scratch.repository, scratch.input, "--label", "2"]
    let device = try Device(scratch)
    var kills = 0
    for delay in stride(from: UInt64(2), to: 9000, by: 31) {
      let outcome = try program.run(arguments, in: scratch.path, killedAfter: delay)
      let tree = try scratch.tree()
      let labels = try device.releases(now: Clock.now).map(\.label)
      let isNew = labels == ["1", "2"]
      for (name, bytes) in isNew ? after : before where !name.hasPrefix("metadata/") && isKept(name) {
        #expect(tree[name] == bytes, "\(name) after \(delay) ms")
      }
      #expect(isNew || labels == ["1"])
      if isNew { break }
      #expect(outcome.status == nil)
      kills += 1
    }
    #expect(kills > 0)
    // Killed after the last rename, it can leave what was made: the next command removes that.
    #expect(try run("release", scratch.repository, scratch.input, "--label", "2").status == 64)
    let tree = try scratch.tree()
    #expect(tree.keys.filter(isKept).sorted() == after.keys.filter(isKept).sorted())
  }

  @Test("offline signing, new keys, verification and inspection from the command line")
  func signing() throws {
    try scratch.useOwnKeys()
    let repository = scratch.repository
    let keys = ["--keys", scratch.store.path]
    func expect(_ status: Int32, _ text: String, _ arguments: String...) throws {
      let outcome = try program.run(arguments, in: scratch.path)
      #expect(outcome.status == status && (outcome.output + outcome.error).contains(text), "\(outcome)")
    }
    func expectWithKeys(_ status: Int32, _ text: String, _ arguments: String...) throws {
      let outcome = try program.run(arguments + keys, in: scratch.path)
      #expect(outcome.status == status && (outcome.output + outcome.error).contains(text), "\(outcome)")
    }
    try expectWithKeys(64, "--targets", "init", repository, "--targets", "3/2")
    try expectWithKeys(64, "--expiry", "init", repository, "--expiry", "root=0")
    try expectWithKeys(0, "2 of 2", "init", repository, "--targets", "2/2", "--expiry", "timestamp=5")
    let name = try #require(
      try names(scratch.store.path).first { $0.hasPrefix("targets-") })
    try Directory(opening: scratch.path).makeDirectory("elsewhere")
    try Directory(opening: scratch.path).rename("own.keys/\(name)", to: "elsewhere/\(name)")
    try expectWithKeys(0, "elsewhere", "key", "list", repository)
    try expectWithKeys(0, "\"role\":\"targets\",\"threshold\":2", "key", "list", repository, "--json")

    try Maps.write(to: scratch)
    try expectWithKeys(10, "2.targets.json has 1 of the 2", "release", repository, scratch.input, "-l", "1")
    try expect(0, "2.targets.json", "sign", "export", repository, "-o", scratch.path)
    let file = "\(scratch.path)/2.targets.json"
    try expect(78, "has no targets keys", "sign", "add", file, "--keys", scratch.input)
    try expect(0, "is now signed by", "sign", "add", file, "--keys", "\(scratch.path)/elsewhere")
    try expectWithKeys(0, "Published", "sign", "import", repository, file)
    try expectWithKeys(64, "is waiting for signatures", "sign", "import", repository, file)
    try expect(0, "100 %", "verify", repository, "--deep")
    try expectWithKeys(0, "timestamp 3 expires", "timestamp", repository)
    try expectWithKeys(0, "snapshot is now at version 3", "renew", repository, "snapshot")
    try expectWithKeys(64, "tinypublish timestamp", "renew", repository, "timestamp")
    try expectWithKeys(64, "belongs to", "renew", repository, "snapshot", "--expiry", "root=9")
    try expectWithKeys(10, "3.targets.json", "rollout", repository, "1", "20")
    try expectWithKeys(0, "no longer counts", "key", "rotate", repository, "timestamp")
    try expectWithKeys(64, "too short", "key", "revoke", repository, "root", "abc")

    let made = try run("key", "make", "root", "--keys", "\(scratch.path)/elsewhere")
    try scratch.write("new.pub", made.output)
    try expectWithKeys(
      0, "1 of 2 keys now sign for root", "key", "add", repository, "root", "--public",
      "\(scratch.input)/new.pub")
    try expect(0, "valid", "inspect", "\(repository)/metadata/3.root.json")
    let wrong = try scratch.writeSecret("wrong", "guess\n")
    try expectWithKeys(
      78, "The passphrase is wrong", "timestamp", repository, "--passphrase-file", wrong)
    let empty = try scratch.writeSecret("empty", "")
    try expectWithKeys(78, "1 to 1024 bytes", "timestamp", repository, "--passphrase-file", empty)
    try scratch.write("open", "guess\n")
    try expectWithKeys(
      78, "can be read by others than its owner", "timestamp", repository, "--passphrase-file",
      "\(scratch.input)/open")
    try Directory(opening: repository).remove("metadata/1.root.json")
    try expect(24, "1.root.json", "verify", repository)
    try expect(0, "", "verify", repository, "--root", "\(repository)/metadata/2.root.json")
    try scratch.write("metadata/timestamp.json", [1], in: "repository")
    try expect(21, "timestamp.json", "verify", repository, "--root", "\(repository)/metadata/2.root.json")
  }

  @Test(
    "the completion scripts of other shells list every command",
    arguments: [("zsh", "            '", ":"), ("fish", " -fa '", "' -d ")])
  func completions(shell: String, before: String, after: String) throws {
    let script = try run("--generate-completion-script", shell)
    #expect(script.status == 0 && script.error.isEmpty)
    let commands = [
      "init", "status", "release", "rollout", "timestamp", "renew", "prune", "key", "sign", "verify",
      "inspect",
      "diff",
    ]
    for command in commands { #expect(script.output.contains(before + command + after), "\(command)") }
  }

  @Test("bash completes commands, subcommands and options")
  func bashCompletions() throws {
    let script = try run("--generate-completion-script", "bash")
    try scratch.write("completions", Array(script.output.utf8), in: ".")
    for (words, expected) in [
      (["re"], ["recall", "release", "renew", "report"]), (["key", "ro"], ["rotate"]), (["st"], ["status"]),
      (["sign", "add", "--js"], ["--json"]),
      (["release", "--pa"], ["--passphrase-file", "--patch-from"]),
    ] {
      let list = words.map { "'\($0)'" }.joined(separator: " ")
      let program = """
        source '\(scratch.path)/completions'
        COMP_WORDS=(tinypublish \(list)) COMP_CWORD=\(words.count) COMP_LINE="tinypublish \(words.joined(separator: " "))"
        COMP_POINT=${#COMP_LINE}
        _tinypublish tinypublish "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\\n' "${COMPREPLY[@]}" | sed 's/ *$//' | sort -u
        """
      let outcome = try ChildProcess.run("bash", ["-c", program])
      #expect(outcome.output.split(separator: "\n").map(String.init) == expected, "\(words): \(outcome)")
    }
  }
}
