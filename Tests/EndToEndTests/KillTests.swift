import Foundation
import Glibc
import Platform
import Synchronization
import TestSupport
import Testing

extension EndToEnd {
  /// Whenever the power goes, readers see one release, whole; and the command can be given again.
  @Suite("Kills")
  struct KillTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("kills")
    }

    /// The system calls that change a disk; reads that share their name do no harm.
    private static let calls = [
      "openat", "write", "writev", "pwrite64", "rename", "renameat", "renameat2", "link", "linkat", "symlink",
      "symlinkat", "unlink", "unlinkat", "rmdir", "mkdir", "mkdirat", "ftruncate", "fsync", "fdatasync",
      "fallocate", "syncfs",
    ]

    /// A command that changes a store from one set of components to another.
    struct Change: CustomTestStringConvertible {
      let arguments: [String]
      /// How many of its system calls are tried in a normal run.
      let samples: Int
      var testDescription: String { arguments.joined(separator: " ") }
    }

    private static let isTraceable = {
      do throws(FileError) {
        return try ChildProcess.run("strace", ["-o", "/dev/null", "true"]).status == 0
      } catch {
        return false
      }
    }()

    /// How often a run of `command` makes each of the calls.
    private func count(
      _ device: Device, _ command: [String], exit: Int32 = 0
    ) throws -> [(call: String, count: Int)] {
      let log = "\(scratch.path)/trace"
      let before = ["strace", "-f", "-o", log, "-e", "trace=\(KillTests.calls.joined(separator: ","))"]
      let run = try device.finish(device.start(command, before: before))
      #expect(run.exit == exit, "\(run.error)")
      var counts: [String: Int] = [:]
      for line in String(decoding: try contents(log), as: UTF8.self).split(separator: "\n") {
        // "PID call(…": lines about signals and exits have no such name.
        let call = line.drop { $0.isNumber || $0 == " " }.prefix { $0 != "(" }
        if KillTests.calls.contains(String(call)) { counts[String(call), default: 0] += 1 }
      }
      return KillTests.calls.compactMap { call in counts[call].map { (call, $0) } }
    }

    @Test(
      "killed at any system call that changes the disk, the device has the old maps or the new ones",
      .enabled(if: KillTests.isTraceable, "strace cannot trace here"),
      arguments: [
        Change(arguments: ["apply"], samples: 40),
        Change(arguments: ["uninstall", "europe/malta"], samples: 8),
        Change(arguments: ["install", "world/rivers"], samples: 8),
        Change(arguments: ["rollback"], samples: 6),
      ])
    func atSystemCalls(change: Change) throws {
      let start = try sample.device(at: 2)
      if change.arguments == ["rollback"] { #expect(try start.run("apply").exit == 0) }
      let device = try Device(sample.repository.url)
      try device.copyStore(of: start)
      let old = try start.installed()
      let counts = try count(device, change.arguments)
      let new = try device.installed()
      #expect(old != new)

      for (call, number) in points(counts, samples: change.samples) {
        try device.copyStore(of: start)
        try kill(device, change.arguments, at: call, number)
        let isNew = try device.current != start.current
        #expect(try device.installed() == (isNew ? new : old), "\(call) \(number)")
        // These two are done once: the package is gone, and there is nowhere to go back to.
        if !isNew || !["uninstall", "rollback"].contains(change.arguments[0]) {
          let again = try device.run(change.arguments)
          #expect(again.exit == 0, "\(call) \(number): \(again.error)")
        }
        #expect(try device.installed() == new, "\(call) \(number)")
        #expect(try device.staged == [], "\(call) \(number)")
        #expect(try names("\(device.root)/generations").allSatisfy { Int($0) != nil }, "\(call) \(number)")
      }
    }

    /// Kills `command` at some of its system calls in a copy of the store of `start`.
    ///
    /// Readers see the maps as they were or `new`; given again, the command makes them `new`. `check` finds what
    /// else is then to be true.
    private func survive(
      _ command: [String], from start: Device, _ device: Device, samples: Int, new: [String: String],
      check: () throws -> Void = {}
    ) throws {
      try device.copyStore(of: start)
      let old = try start.seen()
      for (call, number) in points(try count(device, command), samples: samples) {
        try device.copyStore(of: start)
        try kill(device, command, at: call, number)
        let seen = try device.seen()
        #expect(seen == old || seen == new, "\(command) \(call) \(number)")
        let again = try device.run(command)
        #expect(again.exit == 0, "\(command) \(call) \(number): \(again.error)")
        #expect(try device.seen() == new, "\(command) \(call) \(number)")
        #expect(try device.staged == [], "\(command) \(call) \(number)")
        #expect(
          try names("\(device.root)/generations").allSatisfy { Int($0) != nil },
          "\(command) \(call) \(number)")
        try check()
      }
    }

    @Test(
      "A13: killed while it installs the base map, the device has no map or the base map",
      .enabled(if: KillTests.isTraceable, "strace cannot trace here"))
    func atFirstStart() throws {
      let base = try sample.base(with: "world/airports", in: scratch)
      let settings = "offline = yes\nbase = \(base)\nat_boot = nothing"
      let start = try Device("https://127.0.0.1:1", settings: settings)
      for name in ["", "/generations", "/staging"] { try Programs.run("mkdir", start.root + name) }
      let device = try Device("https://127.0.0.1:1", settings: settings)
      let airports = try #require(sample.expected[4]).filter { $0.key.hasPrefix("world/airports/") }
      try survive(["boot"], from: start, device, samples: 8, new: airports) { () throws in
        #expect(try device.run("verify").exit == 0)
      }
    }

    @Test(
      "A15: killed while it rebuilds a lost manifest, the device has all maps",
      .enabled(if: KillTests.isTraceable, "strace cannot trace here"))
    func whileRebuilding() throws {
      let start = try sample.device(at: 4, settings: "at_boot = nothing")
      try Programs.run("rm", "\(start.root)/current/manifest")
      let device = try sample.device(at: 4, settings: "at_boot = nothing")
      try survive(["boot"], from: start, device, samples: 8, new: try #require(sample.expected[4])) {
        () throws in
        #expect(try device.run("verify").exit == 0)
      }
    }

    @Test(
      "killed while it repairs, the device has the damaged maps or the repaired ones, and repair can be repeated",
      .enabled(if: KillTests.isTraceable, "strace cannot trace here"), arguments: [true, false])
    func whileRepairing(isNoted: Bool) throws {
      let start = try sample.device(at: 2)
      #expect(try start.run("apply").exit == 0)
      for name in ["malta", "iceland"] {
        try Damage.flip("\(start.root)/current/maps/europe/\(name)/base.dat")
      }
      if isNoted { #expect(try start.run("verify").exit == 24) }
      let device = try sample.device(at: 2)
      try survive(["repair"], from: start, device, samples: 12, new: try #require(sample.expected[4])) {
        () throws in
        #expect(try device.json("status").number("status", "damaged") == 0)
        #expect(
          try names("\(device.root)/generations") == [
            "1", try #require(device.current?.split(separator: "/").last.map(String.init)),
          ])
        #expect(try device.run("verify").exit == 0)
      }
    }

    @Test(
      "killed while it verifies, the device has its maps, and what was noted is true",
      .enabled(if: KillTests.isTraceable, "strace cannot trace here"))
    func whileVerifying() throws {
      let start = try sample.device(at: 4)
      for name in ["malta", "iceland"] {
        try Damage.flip("\(start.root)/current/maps/europe/\(name)/base.dat")
      }
      let device = try sample.device(at: 4)
      let old = try start.seen()
      try device.copyStore(of: start)
      for (call, number) in points(try count(device, ["verify"], exit: 24), samples: 12) {
        try device.copyStore(of: start)
        try kill(device, ["verify"], at: call, number)
        #expect(try device.seen() == old, "\(call) \(number)")
        #expect(try device.json("status").number("status", "damaged") <= 2, "\(call) \(number)")
        #expect(try device.run("verify").exit == 24, "\(call) \(number)")
        #expect(try device.json("status").number("status", "damaged") == 2, "\(call) \(number)")
        #expect(try device.run("repair").exit == 0, "\(call) \(number)")
        #expect(try device.seen() == sample.expected[4], "\(call) \(number)")
        #expect(try !names(device.root).contains { $0.hasSuffix(".new") }, "\(call) \(number)")
      }
    }

    @Test(
      "killed while it cancels the operation of a killed process, the device has its maps, and cancel can be repeated",
      .enabled(if: KillTests.isTraceable, "strace cannot trace here"))
    func whileCancelling() throws {
      let start = try sample.device(at: 2)
      try scratch.write("request", "tinyupdater-operation 1\ninstall\nid world/rivers\nid europe\nend\n")
      try Programs.run("mv", "\(scratch.path)/request", "\(start.root)/queue/90")
      try scratch.write("part", "a partial download")
      try Programs.run(
        "mv", "\(scratch.path)/part", "\(start.root)/staging/\(String(repeating: "0", count: 64)).part")
      let device = try sample.device(at: 2)
      let maps = try #require(sample.expected[2])
      try survive(["cancel"], from: start, device, samples: 8, new: maps) {
        let waiting = try names("\(device.root)/queue").filter { UInt64($0) != nil }
        #expect(waiting == [])
        #expect(try device.run("apply").exit == 0)
        #expect(try device.installed() == sample.expected[4])
      }
    }

    @Test(
      "B15: killed while a data group is deselected and while the maps follow, the device has them with it or without",
      .enabled(if: KillTests.isTraceable, "strace cannot trace here"))
    func whileDeselecting() throws {
      let start = try sample.device(at: 4)
      let device = try sample.device(at: 4)
      let all = try #require(sample.expected[4])
      let without = all.filter { !$0.key.hasSuffix("/search.dat") }
      #expect(without.count < all.count)
      try survive(["groups", "deselect", "search"], from: start, device, samples: 6, new: all) { () throws in
        #expect(try contents("\(device.root)/groups") == Array("search\n".utf8))
      }
      #expect(try start.run("groups", "deselect", "search").exit == 0)
      try survive(["apply"], from: start, device, samples: 8, new: without) { () throws in
        #expect(try device.run("verify").exit == 0)
      }
    }

    @Test(
      "A11: killed while it confirms, the device has its maps, and confirm can be repeated",
      .enabled(if: KillTests.isTraceable, "strace cannot trace here"))
    func whileConfirming() throws {
      let start = try sample.device(at: 2)
      #expect(try start.run("apply").exit == 0)
      let device = try sample.device(at: 2)
      try survive(["confirm"], from: start, device, samples: 8, new: try #require(sample.expected[4])) {
        () throws in
        #expect(try names("\(device.root)/generations").count == 1)
      }
    }

    /// Which calls a run is killed at: all of them, or N.
    private func points(_ counts: [(call: String, count: Int)], samples: Int) -> [(String, Int)] {
      let points = counts.flatMap { entry in (1...entry.count).map { (entry.call, $0) } }
      #expect(points.count >= samples)
      guard environment("TINYUPDATER_CRASH") != "full" else { return points }
      var generator = SeededGenerator(42)
      return Array(points.shuffled(using: &generator).prefix(samples))
    }

    private func kill(_ device: Device, _ command: [String], at call: String, _ number: Int) throws {
      let tracing = ["strace", "-f", "-o", "/dev/null", "-e", "trace=\(call)"]
      let injection = ["-e", "inject=\(call):signal=SIGKILL:when=\(number)"]
      let killed = try device.finish(device.start(command, before: tracing + injection))
      #expect(killed.exit == nil, "\(call) \(number) was not reached")
    }

    @Test(
      "P13: killed at any system call while it learns of new keys, the device trusts the old state or the new one",
      .enabled(if: KillTests.isTraceable, "strace cannot trace here"))
    func whileTrusting() throws {
      let repository = PublishedRepository(path: "\(scratch.path)/repository")
      try repository.make()
      try scratch.write("maps/europe/malta/base.gpkg", "a map")
      try repository.publish("\(scratch.path)/maps", label: "one")
      let start = try Device(repository.url, trusting: repository)
      #expect(try start.run("install", "europe").exit == 0)
      for role in ["timestamp", "snapshot"] {
        try repository.tinypublish("key", "rotate", repository.path, role)
      }
      try scratch.write("maps/europe/malta/base.gpkg", "another map")
      try repository.publish("\(scratch.path)/maps", label: "two")

      let device = try Device(repository.url, trusting: repository)
      try device.copyStore(of: start)
      let counts = try count(device, ["check"], exit: 10)
      let old = try digests("\(start.root)/trust")
      let new = try digests("\(device.root)/trust").filter { $0.key != "floor" }
      for (call, number) in points(counts, samples: 25) {
        try device.copyStore(of: start)
        try kill(device, ["check"], at: call, number)
        for (name, digest) in try digests("\(device.root)/trust") where name.hasSuffix(".json") {
          let isRoot = name == "root.json"
          #expect(isRoot || digest == old[name] || digest == new[name], "\(name) after \(call) \(number)")
        }
        #expect(try device.run("check").exit == 10, "\(call) \(number)")
        #expect(try digests("\(device.root)/trust").filter { $0.key != "floor" } == new, "\(call) \(number)")
      }
    }

    @Test("killed twenty times on a slow line, a reader never sees files of two releases")
    func atRandomMoments() throws {
      let server = try WebServer(sample.repository.path, directives: "limit_rate 1m;")
      let device = try sample.device(at: 1, of: server.url)
      let reader = Reader(device.root, states: [sample.expected[1] ?? [:], sample.expected[4] ?? [:]])
      var generator = SeededGenerator(7)
      try reader.during {
        for _ in 0..<20 {
          let child = try device.start(["--quiet", "apply"])
          // The delay is the experiment, not a wait for something.
          Clock.sleep(milliseconds: .random(in: 1...400, using: &generator))
          child.signal(SIGKILL)
          _ = child.wait()
        }
        #expect(try device.run("apply").exit == 0)
      }
      #expect(reader.looks > 20)
      #expect(reader.strays == [])
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.staged == [])
      _ = try server.finish()
    }
  }
}

extension Device {
  /// What a reader finds: the digests of the maps; none where nothing is installed.
  fileprivate func seen() throws -> [String: String] { try current == nil ? [:] : installed() }
}

/// A navigation program: it resolves `current` once and then reads all files of that generation.
private final class Reader: Sendable {
  private let root: String
  private let states: [[String: String]]
  private let state = Mutex((looks: 0, strays: [String](), isStopped: false))

  init(_ root: String, states: [[String: String]]) {
    self.root = root
    self.states = states
  }

  var looks: Int { state.withLock { $0.looks } }
  /// What was seen that is not a release.
  var strays: [String] { state.withLock { $0.strays } }

  func during(_ body: () throws -> Void) rethrows {
    let finished = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while !self.state.withLock({ $0.isStopped }) { self.look() }
      finished.signal()
    }
    defer {
      state.withLock { $0.isStopped = true }
      finished.wait()
    }
    try body()
  }

  private func look() {
    var stray: String?
    do {
      let current = try Directory(opening: root).readSymbolicLink("current") ?? "nothing"
      if !states.contains(try digests("\(root)/\(current)/maps")) { stray = "\(current) is not a release" }
    } catch { stray = "\(error)" }
    state.withLock { state in
      state.looks += 1
      if let stray { state.strays.append(stray) }
    }
  }
}
