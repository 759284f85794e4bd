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
    private let reached = SystemCalls.Reached()

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("kills")
    }

    @Test(
      "killed at any system call that changes the disk, the device has the old maps or the new ones",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"),
      arguments: [
        (StoreChange.Kind.apply, 40), (.uninstall, 8), (.install, 8), (.rollback, 6), (.applyingBundle, 8),
        (.returning, 12), (.provisioning, 8), (.metered, 8),
      ])
    func atSystemCalls(kind: StoreChange.Kind, samples: Int) throws {
      let change = try StoreChange(kind, of: sample, in: scratch)
      #expect(change.old != change.new)
      try survive(change, samples: samples)
    }

    /// Kills the command at some of its system calls: readers see the maps as they were or the new ones; given again,
    /// the command makes them new.
    private func survive(_ change: StoreChange, samples: Int) throws {
      let device = change.device
      for point in sampled(try change.points(), samples) {
        try device.copyStore(of: change.start)
        try kill(device, change.command, at: point)
        let seen = try device.seen()
        #expect(seen == change.old || seen == change.new, "\(change.command) \(point)")
        let again = try device.run(change.command)
        #expect(
          change.exitsAgain.contains(again.exit ?? -1), "\(change.command) \(point): \(again.error)")
        #expect(try device.seen() == change.new, "\(change.command) \(point)")
        #expect(try change.debris() == [], "\(change.command) \(point)")
        try change.check()
      }
      reached.expectMost()
    }

    @Test(
      "G5: killed while it stages, activates, or changes maps beside what is staged, the device has one release",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"),
      arguments: [
        (StoreChange.Kind.staging, 16), (.stagingAgain, 20), (.activating, 8), (.activatingAtStart, 8),
        (.uninstallingBesideStandby, 8),
      ])
    func whileStaging(kind: StoreChange.Kind, samples: Int) throws {
      try survive(try StoreChange(kind, of: sample, in: scratch), samples: samples)
    }

    @Test(
      "G6: killed while it leaves a recalled release, the device has that or the one that it goes to",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"),
      arguments: [(StoreChange.Kind.leaving, 10), (.leavingByPatches, 20)])
    func whileLeaving(kind: StoreChange.Kind, samples: Int) throws {
      try survive(try StoreChange(kind, of: sample, in: scratch), samples: samples)
    }

    @Test(
      "G7: killed while maps come or go because of its place, the device has those before or after, and knows whose they are",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"),
      arguments: [(StoreChange.Kind.arriving, 16), (.departing, 16)])
    func whileMoving(kind: StoreChange.Kind, samples: Int) throws {
      try survive(try StoreChange(kind, of: sample, in: scratch), samples: samples)
    }

    @Test(
      "killed while it leaves out what is refused, or gets it back, the device has one release, and owes what it lacks",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"),
      arguments: [(StoreChange.Kind.leavingOut, 20), (.regaining, 12)])
    func whileLeavingOut(kind: StoreChange.Kind, samples: Int) throws {
      try survive(try StoreChange(kind, of: sample, in: scratch), samples: samples)
    }

    @Test(
      "A13: killed while it installs the base map, the device has no map or the base map",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func atFirstStart() throws {
      try survive(try StoreChange(.firstStart, of: sample, in: scratch), samples: 8)
    }

    @Test(
      "A15: killed while it rebuilds a lost manifest, the device has all maps",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func whileRebuilding() throws {
      try survive(try StoreChange(.rebuilding, of: sample, in: scratch), samples: 8)
    }

    @Test(
      "killed while it repairs, the device has the damaged maps or the repaired ones, and repair can be repeated",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"),
      arguments: [StoreChange.Kind.repairing, .repairingNoted])
    func whileRepairing(kind: StoreChange.Kind) throws {
      try survive(try StoreChange(kind, of: sample, in: scratch), samples: 12)
    }

    @Test(
      "killed while it verifies, the device has its maps, and what was noted is true",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func whileVerifying() throws {
      let start = try sample.device(at: 4)
      for name in ["malta", "iceland"] {
        try Damage.flip("\(start.root)/current/maps/europe/\(name)/base.bin")
      }
      let device = try sample.device(at: 4)
      let old = try start.seen()
      try device.copyStore(of: start)
      let points = try SystemCalls.points(of: device, ["verify"], exit: 24, log: "\(scratch.path)/trace")
      for point in sampled(points, 12) {
        try device.copyStore(of: start)
        try kill(device, ["verify"], at: point)
        #expect(try device.seen() == old, "\(point)")
        #expect(try device.json("status").number("status", "damaged") <= 2, "\(point)")
        #expect(try device.run("verify").exit == 24, "\(point)")
        #expect(try device.json("status").number("status", "damaged") == 2, "\(point)")
        #expect(try device.run("repair").exit == 0, "\(point)")
        #expect(try device.seen() == sample.expected[4], "\(point)")
        #expect(try !names(device.root).contains { $0.hasSuffix(".new") }, "\(point)")
      }
    }

    @Test(
      "killed while it cancels the operation of a killed process, the device has its maps, and cancel can be repeated",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func whileCancelling() throws {
      try survive(try StoreChange(.cancel, of: sample, in: scratch), samples: 8)
    }

    @Test(
      "B15: killed while a data group is deselected and while the maps follow, the device has them with it or without",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func whileDeselecting() throws {
      try survive(try StoreChange(.deselecting, of: sample, in: scratch), samples: 6)
      try survive(try StoreChange(.followingSelection, of: sample, in: scratch), samples: 8)
    }

    @Test(
      "A11: killed while it confirms, the device has its maps, and confirm can be repeated",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func whileConfirming() throws {
      try survive(try StoreChange(.confirm, of: sample, in: scratch), samples: 8)
    }

    /// Which calls a run is killed at: all of them, or N.
    private func sampled(_ points: [SystemCalls.Point], _ samples: Int) -> [SystemCalls.Point] {
      #expect(points.count >= samples)
      guard !SystemCalls.areAllTried else { return points }
      var generator = SeededGenerator(42)
      return Array(points.shuffled(using: &generator).prefix(samples))
    }

    private func kill(_ device: Device, _ command: [String], at point: SystemCalls.Point) throws {
      reached.note(try SystemCalls.kills(device, command, at: point))
    }

    @Test(
      "P13: killed at any system call while it learns of new keys, the device trusts the old state or the new one",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func whileTrusting() throws {
      let change = try StoreChange.checking(scratch)
      let device = change.device
      let new = try device.trusted()
      let old = try change.start.trusted()
      for point in sampled(try change.points(), 25) {
        try device.copyStore(of: change.start)
        try kill(device, change.command, at: point)
        for (name, digest) in try device.trusted() where name.hasSuffix(".json") {
          let isRoot = name == "root.json"
          #expect(isRoot || digest == old[name] || digest == new[name], "\(name) after \(point)")
        }
        #expect(try device.run("check").exit == 10, "\(point)")
        try change.check()
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
