import Foundation
import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Everything that a name makes visible is durable before it, in the order in which the kernel was asked.
  ///
  /// No virtual machine is needed: the calls of a run are replayed on a model of a disk that keeps nothing unless it was
  /// flushed. `scripts/powercut` cuts the power of real file systems.
  @Suite("Order")
  struct OrderTests {
    private let maps: OrderedMaps
    private let scratch: Scratch

    init() throws {
      maps = try OrderedMaps.shared.get()
      scratch = try Scratch("order")
    }

    private func trace(_ device: Device, _ arguments: String..., exits: [Int32] = [0]) throws -> TracedRun {
      try TracedRun(of: device, arguments, exits: exits, in: scratch)
    }

    @Test(
      "an install, an update, a rollback and an uninstall make nothing visible that is not durable",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func updates() throws {
      let device = try Device(maps.served(1).url, trusting: maps.repository)
      try trace(device, "install", "europe").check(flushes: 14)
      try trace(device, "--repository", maps.served(2).url, "apply").check(flushes: 14)
      try trace(device, "rollback").check(flushes: 2)
      try trace(device, "uninstall", "europe/latvia").check(flushes: 6)
      try trace(device, "confirm").check(flushes: 0)
    }

    @Test(
      "a checkpoint counts only what is durable, and is durable before the map grows",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func checkpoints() throws {
      let device = try Device(maps.served(2).url, trusting: maps.repository)
      let traced = try trace(device, "install", "world")
      let isOfData: (DiskCall) -> Bool = { if case .flush(_, .data) = $0 { true } else { false } }
      #expect(traced.count(where: isOfData) >= 4)
      try traced.check(flushes: 18)
    }

    @Test(
      "an index is durable before it gets its name",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func indexes() throws {
      try scratch.write("index", "#!/bin/sh\nwc -c <\"$1\" >\"$2\"\n")
      try Programs.run("chmod", "755", "\(scratch.path)/index")
      let device = try Device(
        maps.served(1).url, trusting: maps.repository, settings: "index_command = \(scratch.path)/index")
      try trace(device, "install", "europe").check(flushes: 16)
      #expect(try names("\(device.root)/current/maps/europe/malta").contains("base.bin.index"))
    }

    @Test(
      "data groups, operations and cancellations are durable when their commands end",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func requests() throws {
      let device = try Device(maps.served(1).url, trusting: maps.repository)
      #expect(try device.run("install", "europe").exit == 0)
      try trace(device, "groups", "deselect", "search").check(flushes: 2)
      let lock = try Directory(opening: device.root)
      try lock.lock(.exclusive)
      try trace(device, "uninstall", "--no-wait", "europe/latvia", exits: [25]).check(flushes: 2)
      withExtendedLifetime(lock) {}
      _ = consume lock
      try trace(device, "cancel").check(flushes: 2)
    }

    @Test(
      "a start makes nothing visible that is not durable, whatever it finds",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func starts() throws {
      let device = try Device(
        maps.served(1).url, trusting: maps.repository, settings: "base = \(maps.served(1).path)",
        "at_boot = nothing")
      try trace(device, "boot").check(flushes: 10)
      try Directory(opening: device.root).remove("current/manifest")
      try trace(device, "boot").check(flushes: 4)
      // Nothing is left to fall back to, and no base map came with the device.
      let bare = try Device(maps.served(1).url, trusting: maps.repository, settings: "at_boot = nothing")
      #expect(try bare.run("install", "europe").exit == 0)
      for name in ["manifest", "catalog"] { try Directory(opening: bare.root).remove("current/\(name)") }
      try trace(bare, "boot", exits: [24]).check(flushes: 1)
      #expect(try bare.current == nil)
    }

    @Test(
      "what trials and rollbacks write down is durable before the maps change",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func trials() throws {
      let device = try Device(
        maps.served(1).url, trusting: maps.repository, settings: "trial = yes", "trial_boots = 1",
        "at_boot = nothing")
      #expect(try device.run("install", "europe").exit == 0)
      try trace(device, "--repository", maps.served(2).url, "apply").check(flushes: 16)
      try trace(device, "boot").check(flushes: 2)
      // It goes back, and blocks the release.
      try trace(device, "boot").check(flushes: 4)
      #expect(try device.release() == 1)
      try trace(device, "--repository", maps.served(2).url, "apply", "--release", "2").check(flushes: 9)
      try trace(device, "confirm").check(flushes: 2)
    }

    @Test(
      "what stands by is durable before it is named, and before the maps change",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func standby() throws {
      let device = try Device(
        maps.served(1).url, trusting: maps.repository, settings: "activation = boot", "at_boot = nothing")
      #expect(try device.run("install", "europe").exit == 0)
      let next = maps.served(2).url
      try trace(device, "--repository", next, "apply", "--stage").check(flushes: 16)
      #expect(try device.release() == 1)
      try trace(device, "activate").check(flushes: 2)
      #expect(try device.release() == 2)
      #expect(try device.run("rollback").exit == 0)
      try trace(device, "--repository", next, "apply", "--stage", "--release", "2").check(flushes: 5)
      try trace(device, "uninstall", "europe/malta").check(flushes: 4)
      try trace(device, "--repository", next, "apply", "--stage", "--release", "2").check(flushes: 5)
      try trace(device, "boot").check(flushes: 2)
      #expect(try device.release() == 2)
    }

    @Test(
      "what stands by follows durably what was confirmed since",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func standbyOfTrial() throws {
      let sample = try Sample.shared.get()
      let files = try Scratch("standby-order")
      let served = try sample.repository.copy(to: "\(files.path)/served", upTo: 3)
      let device = try sample.device(at: 2, of: served.url, settings: "trial = yes", "at_boot = nothing")
      #expect(try device.run("apply").exit == 0)
      let newest = sample.repository.url
      #expect(try device.run("--repository", newest, "apply", "--stage").exit == 0)
      #expect(try device.run("confirm").exit == 0)
      try trace(device, "activate").check(flushes: 4)
      #expect(try device.run("rollback").exit == 0)
      #expect(try device.installed() == sample.expected[3])
    }

    @Test(
      "what a device goes back to from a recalled release is durable before it is visible",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func recall() throws {
      let sample = try Sample.shared.get()
      let recalled = try Sample.recalled.get().url
      let kept = try sample.device(at: 3)
      #expect(try kept.run("apply").exit == 0)
      try trace(kept, "--repository", recalled, "apply").check(flushes: 10)
      #expect(try kept.release() == 3)
      let other = try sample.device(at: 4, of: recalled)
      try trace(other, "apply").check(flushes: 20)
      #expect(try other.release() == 3)
      let waiting = try sample.device(at: 3, standingBy: 4)
      try trace(waiting, "--repository", recalled, "apply").check(flushes: 10)
      #expect(try waiting.standby() == nil)
    }

    @Test(
      "what a verification finds is durable, and what a repair makes is before it is visible",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func repairs() throws {
      let device = try Device(maps.served(1).url, trusting: maps.repository)
      #expect(try device.run("install", "europe").exit == 0)
      try Damage.flip("\(device.root)/current/maps/europe/malta/base.bin")
      try trace(device, "verify", exits: [24]).check(flushes: 4)
      try trace(device, "repair").check(flushes: 6)
      #expect(try device.run("verify").exit == 0)
    }

    @Test(
      "new keys and metadata are durable when the device has learned them",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func metadata() throws {
      let device = try Device(maps.served(1).url, trusting: maps.repository)
      try trace(device, "check", exits: [0, 10]).check(flushes: 8)
      try trace(device, "--repository", maps.served(2).url, "check", exits: [0, 10]).check(flushes: 8)
    }

    @Test(
      "what is exported is a repository when all of it is durable, and its last name is at the end",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func exports() throws {
      let device = try Device(maps.served(1).url, trusting: maps.repository)
      #expect(try device.run("install", "europe").exit == 0)
      // Beside the store the maps would be linked.
      let target = "/dev/shm/tinyupdater-order-\(getpid())"
      defer { do { try Programs.run("rm", "-rf", target) } catch {} }
      try TracedRun(below: target, in: scratch) { before in
        let run = try device.finish(device.start(["export", target], before: before))
        #expect(run.exit == 0, "\(run)")
      }.check(flushes: 3)
    }

    private func succeed(_ words: [String]) throws {
      let outcome = try ChildProcess.run(words[0], Array(words[1...]))
      #expect(outcome.status == 0, "\(outcome)")
    }

    @Test(
      "patch gives a file its name when it is durable",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func tools() throws {
      let program = try Programs.tinyupdater()
      let work = "\(scratch.path)/work"
      try scratch.write("old", "an old map\n")
      try scratch.write("new", "a newer map\n")
      try Programs.run(
        Programs.tinypublish(), "diff", "\(scratch.path)/old", "\(scratch.path)/new", "-o",
        "\(scratch.path)/patch")
      try TracedRun(below: work, in: scratch) { before in
        try succeed(
          before + [program, "patch", "\(scratch.path)/old", "\(scratch.path)/patch", "\(work)/made"])
      }.check(flushes: 2)
    }

    @Test("the rules notice a name that is visible before its content is durable")
    func rules() throws {
      let calls: [DiskCall] = [
        .open("/store/groups.new", isCut: true), .write("/store/groups.new"),
        .flush("/store/groups.new", .file),
        .rename(from: "/store/groups.new", to: "/store/groups"), .flush("/store", .file),
      ]
      try scratch.makeDirectory("empty")
      let model = { try DiskModel(reading: "\(scratch.path)/empty", as: "/store") }
      #expect(try OrderRules.violations(calls, on: model()) == [])
      #expect(
        try OrderRules.violations(calls.filter { $0 != calls[2] }, on: model()) == [
          "not durable: the content of groups.new before it becomes groups",
          "not durable: the content of groups, before the end",
        ])
      #expect(
        try OrderRules.violations(calls.dropLast(), on: model()) == [
          "not durable: the name groups, before the end"
        ])
    }
  }
}

/// Small maps in two releases, the second with new keys and one map that is long enough for checkpoints.
final class OrderedMaps: Sendable {
  let repository: PublishedRepository
  private static let path = "\(Scratch.base)/tinyupdater-ordered-\(getpid())"

  static let shared = Result { try OrderedMaps() }

  private init() throws {
    let scratch = try Scratch("ordered")
    repository = PublishedRepository(path: "\(OrderedMaps.path)/repository")
    // Nothing that is static is ever freed.
    atexit { _ = try? Programs.run("rm", "-rf", OrderedMaps.path) }
    try repository.make()
    for release in 1...2 {
      for (number, name) in ["europe/malta/base", "europe/malta/search", "europe/latvia/base"].enumerated() {
        try scratch.write(
          "\(release)/\(name).bin", OrderedMaps.data(pages: 10, UInt64(10 * release + number)))
      }
      // Indexes are made of what the publisher expects one for.
      try scratch.write("\(release)/europe/malta/map.xml", "<map index-size=\"1000\"/>")
      if release == 2 {
        try scratch.write("2/world/base.bin", OrderedMaps.data(pages: 6200, 99))
        try repository.tinypublish("key", "rotate", repository.path, "timestamp")
      }
      try repository.publish("\(scratch.path)/\(release)", label: "2024-0\(release)")
      _ = try repository.copy(to: "\(repository.path)-\(release)")
    }
  }

  /// The repository as it was at a release.
  func served(_ release: Int) -> PublishedRepository {
    PublishedRepository(path: "\(repository.path)-\(release)", keys: repository.keys)
  }

  /// Pages of 4 KiB that pack well, so that publishing them takes no time.
  private static func data(pages: Int, _ seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed)
    return (0..<pages).flatMap { _ in
      let words = (0..<16).map { _ in generator.next() }
      return (0..<32).flatMap { _ in words.withUnsafeBytes { Array($0) } }
    }
  }
}
