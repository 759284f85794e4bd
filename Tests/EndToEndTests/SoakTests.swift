import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// A long life over a server that fails one request in five.
  ///
  /// `make soak` takes 500 steps (`TINYUPDATER_SOAK`); `TINYUPDATER_SEED` repeats a run.
  @Suite("Soak", .enabled(if: Programs.exists("python3"), "it takes python3"))
  struct SoakTests {
    /// What a process may have open at once, standard streams included.
    private static let descriptors = 24

    @Test(
      "after each of many commands over a bad line the maps are of one release, and nothing is left or grows")
    func life() throws {
      let steps = environment("TINYUPDATER_SOAK").flatMap { Int($0) } ?? 25
      let seed = SystemCalls.seed
      var generator = SeededGenerator(seed)
      let maps = try SoakMaps(releases: steps / 5 + 2)
      let server = try ChildProcess(
        "python3",
        ["\(Checkout.root)/Tests/EndToEndTests/soak/server.py", maps.repository.path, "\(seed % 1_000_000)"])
      let line = try #require(server.waitForLine(with: "port "))
      let volume = Volume.isPossible ? try Volume(megabytes: 64) : nil
      let device = try Device(
        "http://127.0.0.1:\(line.split(separator: " ")[1])", root: volume.map { "\($0.path)/store" },
        trusting: maps.repository, settings: "retry_delay = 5", "retries = 3", "at_boot = nothing")
      var soak = Soak(device: device, maps: maps, seed: seed, measuresDisk: volume != nil)
      try soak.step(["install", "europe"])
      for _ in 1..<steps { try soak.step(soak.next(&generator)) }
      server.signal(SIGTERM)
      let counts = server.wait(timeout: 20).output.split { $0 == " " || $0 == "\n" }
      soak.report(requests: counts.map(String.init))
      #expect(soak.failures == 0)
      // Memory is bounded by the budget; between the largest and the smallest peak lies what a command needs.
      #expect(soak.peaks.max() ?? 0 <= 8 << 20)
      #expect(!soak.comparesMeans || soak.meanPeaks.last <= soak.meanPeaks.first * 5 / 4)
    }

    /// The words that limit a command's descriptors, of which it inherits only the standard streams.
    fileprivate static let limit = [
      "bash", "-c",
      "for f in /proc/$$/fd/*; do n=${f##*/}; ((n < 3)) || eval \"exec $n>&-\"; done; ulimit -n \(descriptors); exec \"$@\"",
      "bash",
    ]
  }
}

/// Many releases of a few small maps.
private struct SoakMaps {
  let repository: PublishedRepository
  /// The digests of all components by release.
  private(set) var expected: [Int: [String: String]] = [:]
  let packages = ["europe/malta", "europe/latvia", "europe/iceland", "world/airports", "world/rivers"]
  let releases: Int
  private let scratch: Scratch

  init(releases: Int) throws {
    self.releases = releases
    scratch = try Scratch("soak")
    repository = PublishedRepository(path: "\(scratch.path)/repository")
    var generator = SeededGenerator(3)
    func page() -> [UInt8] { (0..<2048).map { _ in UInt8.random(in: 0..<32, using: &generator) } }
    var contents: [String: [[UInt8]]] = [:]
    for package in packages { contents["\(package)/base.bin"] = (0..<12).map { _ in page() } }
    contents["europe/malta/search.bin"] = (0..<4).map { _ in page() }
    for release in 1...releases {
      // Every map but one changes in a page or two; sometimes a page is added.
      for name in contents.keys.sorted() where !name.contains("iceland") || release % 7 == 0 {
        guard var pages = contents[name] else { continue }
        pages[Int.random(in: 0..<pages.count, using: &generator)] = page()
        if release % 5 == 0 { pages.insert(page(), at: Int.random(in: 0...pages.count, using: &generator)) }
        contents[name] = pages
      }
      let files = contents.mapValues { $0.flatMap { $0 } }
      for (name, bytes) in files { try scratch.write("maps/\(name)", bytes) }
      try repository.publish("\(scratch.path)/maps", label: "\(release)")
      expected[release] = try repository.expected(of: files)
    }
    try serve(1)
  }

  func serve(_ release: Int) throws {
    try repository.replace("metadata/timestamp.json", try contents("\(repository.path).states/\(release)"))
  }
}

/// The device, what it has to have, and what was seen so far.
private struct Soak {
  let device: Device
  let maps: SoakMaps
  let seed: UInt64
  let measuresDisk: Bool
  private var served = 1
  private var deselected: Set<String> = []
  /// The maps of each generation.
  private var states: [String: [String: String]] = [:]
  private var seen: [String: String] = [:]
  private var counts: [String: Int] = [:]
  private(set) var failures = 0
  private(set) var peaks: [Int] = []
  private var repeated = 0
  private var downloaded = 0
  private var failedAttempts = 0
  private var diskMargin = Int.max

  init(device: Device, maps: SoakMaps, seed: UInt64, measuresDisk: Bool) {
    self.device = device
    self.maps = maps
    self.seed = seed
    self.measuresDisk = measuresDisk
  }

  private var installed: Set<String> {
    Set(seen.keys.map { $0.split(separator: "/").dropLast().joined(separator: "/") })
  }

  mutating func next(_ generator: inout SeededGenerator) throws -> [String] {
    let package = maps.packages.randomElement(using: &generator) ?? ""
    switch Int.random(in: 0..<100, using: &generator) {
    case ..<38:
      if served < maps.releases && Int.random(in: 0..<4, using: &generator) > 0 {
        served += 1
        try maps.serve(served)
      }
      return ["apply"]
    case ..<48: return ["rollback"]
    case ..<63: return ["install", package]
    case ..<73:
      return installed.count > 1 && installed.contains(package) ? ["uninstall", package] : ["check"]
    case ..<81: return ["groups", deselected.isEmpty ? "deselect" : "select", "search"]
    case ..<88: return ["confirm"]
    default: return ["boot"]
    }
  }

  /// Runs a command until the line lets it through.
  mutating func step(_ command: [String]) throws {
    counts[command[0], default: 0] += 1
    var exit: Int32?
    var output = ""
    for attempt in 0..<20 {
      if attempt > 0 { repeated += 1 }
      let run = try device.finish(device.start(["--json"] + command, before: EndToEnd.SoakTests.limit))
      (exit, output) = (run.exit, run.output + run.error)
      downloaded += try run.event("result")["downloaded"] as? Int ?? 0
      if let peak = try run.event("result")["peakResident"] as? Int { peaks.append(peak) }
      guard exit == 20 || exit == 21 else { break }
      // Whatever went wrong on the way, nothing has changed.
      try expect(try device.seen() == seen, command, "exit \(exit ?? -1), and other maps: \(run.output)")
    }
    let isDone = exit == 0 || command == ["check"] && exit == 10
    // There is nothing to roll back to.
    try expect(isDone || command == ["rollback"] && exit == 64, command, "exit \(exit ?? -1): \(output)")
    if exit == 0 { note(command) }
    try look(after: command, exit: exit)
  }

  private mutating func note(_ command: [String]) {
    if command.starts(with: ["groups", "deselect"]) { deselected = ["search"] }
    if command.starts(with: ["groups", "select"]) { deselected = [] }
  }

  private mutating func expect(_ isTrue: Bool, _ command: [String], _ what: String) throws {
    guard !isTrue else { return }
    failures += 1
    Issue.record("seed \(seed), step \(counts.values.reduce(0, +)), \(command): \(what)")
  }

  private mutating func look(after command: [String], exit: Int32?) throws {
    let before = installed
    let current = try #require(try device.current)
    seen = try device.seen()
    let release = try device.release()
    let expected = try #require(maps.expected[release])
    try expect(seen.allSatisfy { expected[$0.key] == $0.value }, command, "maps of several releases")
    // Whole packages, but for a data group that is not wanted or was not.
    let wanted = expected.filter { name, _ in installed.contains { name.hasPrefix($0 + "/") } }
    let missing = wanted.keys.filter { seen[$0] == nil }
    try expect(missing.allSatisfy { $0.hasSuffix("/search.bin") }, command, "missing: \(missing)")
    if let state = states[current] { try expect(state == seen, command, "a generation changed") }
    states[current] = seen
    var packages = before
    if exit == 0 && command[0] == "install" && command[1] != "europe" { packages.insert(command[1]) }
    if exit == 0 && command[0] == "uninstall" { packages.remove(command[1]) }
    if command[0] != "rollback" && command != ["install", "europe"] {
      try expect(installed == packages, command, "the packages are \(installed)")
    }
    try lookForLitter(after: command)
    try compareSpace(after: command)
  }

  private mutating func lookForLitter(after command: [String]) throws {
    try expect(try device.staged == [], command, "staging has \(try device.staged)")
    let generations = try names("\(device.root)/generations")
    try expect(
      generations.count <= 4 && generations.allSatisfy { Int($0) != nil }, command,
      "generations: \(generations)")
    let queue = try names("\(device.root)/queue").filter { UInt64($0) != nil }
    try expect(queue == [], command, "queue: \(queue)")
    let root = try names(device.root).filter { $0.hasSuffix(".new") }
    try expect(root == [], command, "the store has \(root)")
  }

  private mutating func compareSpace(after command: [String]) throws {
    let history = try device.json("history", "1")
    guard let last = history.events("history").last else { return }
    failedAttempts += last["failedAttempts"] as? Int ?? 0
    guard measuresDisk, let planned = (last["planned"] as? [String: Any])?["peakDisk"] as? Int,
      let happened = (last["happened"] as? [String: Any])?["peakDisk"] as? Int, planned > 0
    else { return }
    diskMargin = min(diskMargin, planned - happened)
    try expect(happened <= planned, command, "\(happened) bytes of disk instead of \(planned)")
  }

  /// Prints what it came to; `requests`: how many there were, how many failed, and the bytes sent.
  func report(requests: [String]) {
    let kinds = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    let rows = [
      ("seed", "\(seed)"), ("steps", "\(counts.values.reduce(0, +)): \(kinds)"), ("failures", "\(failures)"),
      ("releases served", "\(served)"), ("commands repeated", "\(repeated)"),
      ("requests, failed, bytes sent", requests.joined(separator: ", ")),
      ("bytes used", "\(downloaded)"),
      ("peak memory", "\(peaks.min() ?? 0) to \(peaks.max() ?? 0) bytes"),
      (
        "mean of peak memory, first and last quarter",
        "\(meanPeaks.first), \(meanPeaks.last) bytes\(comparesMeans ? "" : ", not compared for so few steps")"
      ),
      ("storage below the plan", measuresDisk ? "by \(diskMargin) bytes or more" : "not measured"),
      ("generations, bytes in the store", (try? sizes()) ?? ""),
    ]
    for (name, value) in rows { Terminal.writeLine("soak: \(name): \(value)", to: .error) }
  }

  /// Few commands have no typical mean: one quarter may be of commands that download, the other of those that do not.
  var comparesMeans: Bool { peaks.count >= 200 }

  /// The peaks of memory at the beginning and in the end, on average.
  var meanPeaks: (first: Int, last: Int) {
    (mean(peaks.prefix(peaks.count / 4 + 1)), mean(peaks.suffix(peaks.count / 4 + 1)))
  }

  private func mean(_ values: ArraySlice<Int>) -> Int { values.reduce(0, +) / max(values.count, 1) }

  private func sizes() throws -> String {
    let bytes = try Programs.run("du", "-sb", device.root).split(separator: "\t")[0]
    return "\(try names("\(device.root)/generations").count), \(bytes)"
  }
}
