import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Updates on file systems without room for two copies of the maps.
  @Suite("In place", .enabled(if: Volume.isPossible, "mounting file systems takes root"))
  struct InPlaceTests {
    private let scratch: Scratch
    private let repository: PublishedRepository

    init() throws {
      scratch = try Scratch("in-place")
      repository = try LargeMaps.shared.get()
    }

    /// A device at release 1 on a volume that leaves `free` bytes.
    private func device(
      on volume: Volume, leaving free: Int, settings: String = "low_space = in-place"
    ) throws -> Device {
      try volume.install("europe", of: repository)
      try volume.fill(leaving: free)
      return try Device(repository.url, root: volume.store, trusting: repository, settings: settings)
    }

    /// A device that has room for both releases, at release 2.
    private func updated() throws -> [String: String] {
      let device = try Device(repository.url, trusting: repository)
      #expect(try device.run("install", "europe").exit == 0)
      return try device.installed()
    }

    private func expectDone(_ device: Device, _ new: [String: String], _ comment: Comment? = nil) throws {
      #expect(try device.installed() == new, comment)
      #expect(try device.release() == 2, comment)
      #expect(try device.staged == [], comment)
      #expect(try names(device.root).filter { $0.hasPrefix("in-place") } == [], comment)
      #expect(try names("\(device.root)/generations").count == 1, comment)
      #expect(try device.run("verify").exit == 0, comment)
    }

    /// There is no way back.
    private func isTaken(_ device: Device) throws -> Bool {
      guard try names(device.root).contains("in-place") else { return false }
      let journal = String(decoding: try contents("\(device.root)/in-place/journal"), as: UTF8.self)
      return journal.contains("\ntaken ")
    }

    @Test("E5: without room for two copies, maps are updated in place within the space that was computed")
    func inPlace() throws {
      let volume = try Volume(megabytes: 64)
      let device = try device(on: volume, leaving: 20 << 20)
      let new = try updated()
      let plan = try device.json("plan")
      #expect(plan.events("plan").first?["room"] as? String == "in-place")
      #expect(try plan.number("plan", "peakDisk") > 20 << 20)
      let estimate = try plan.number("plan", "inPlaceDisk")
      let strict = try Device(repository.url, root: device.root, trusting: repository)
      #expect(try strict.json("plan").events("plan").first?["sufficient"] as? String == "in-place")
      #expect(try strict.run("plan").output.contains("low_space = in-place may make room"))
      #expect(try strict.run("apply").exit == 22)

      let run = try device.json("apply")
      #expect(run.exit == 0, "\(run.output) \(run.error)")
      try expectDone(device, new)
      let history = try #require(try device.json("history").events("history").last)
      let (planned, happened) = (history["planned"] as? [String: Any], history["happened"] as? [String: Any])
      let (most, peak) = (planned?["peakDisk"] as? Int ?? 0, happened?["peakDisk"] as? Int ?? .max)
      #expect(peak <= most && peak > most * 98 / 100, "\(history)")
      #expect(most < 20 << 20, "\(history)")
      #expect(estimate > most * 9 / 10 && estimate < most * 11 / 10, "\(estimate) \(most)")
    }

    @Test("G5: without room for two copies, downloads are staged, and make maps without a network")
    func staged() throws {
      let volume = try Volume(megabytes: 64)
      let device = try device(on: volume, leaving: 20 << 20)
      let (old, new) = (try device.installed(), try updated())
      let staged = try device.run("apply", "--stage")
      #expect(staged.exit == 0 && staged.error.contains("all downloads of "), "\(staged)")
      #expect(try device.installed() == old)
      let status = try device.json("status").event("status")["standby"] as? [String: Any]
      #expect(status?["ready"] as? Bool == true && status?["inPlace"] as? Bool == true, "\(status ?? [:])")
      let again = try device.json("apply", "--stage")
      #expect(try again.exit == 0 && again.number("result", "downloaded") < 10_000)

      let offline = try Device(
        "https://127.0.0.1:1", root: device.root, trusting: repository,
        settings: "low_space = in-place\noffline = yes")
      let run = try offline.run("activate")
      #expect(run.exit == 0, "\(run.error)")
      try expectDone(device, new)
    }

    @Test(
      "what is refused keeps all maps, or goes and comes back, and nothing is consumed for it",
      arguments: ["hold", "leave-out"])
    func refused(rule: String) throws {
      let volume = try Volume(megabytes: 64)
      let server = try WebServer(repository.path, directives: repository.denying("europe/other"))
      let settings = "low_space = in-place\nrefused = \(rule)"
      let start = try device(on: volume, leaving: 20 << 20, settings: settings)
      let (old, new) = (try start.installed(), try updated())
      let device = try Device(server.url, root: start.root, trusting: repository, settings: settings)
      let run = try device.json("apply")
      #expect(run.exit == (rule == "hold" ? 15 : 12), "\(run.output)")
      #expect(run.events.last?["refused"] as? [String] == ["europe/other"])
      let without = new.filter { !$0.key.hasPrefix("europe/other/") }
      #expect(try device.installed() == (rule == "hold" ? old : without))
      #expect(try device.run("verify").exit == 0)
      #expect(try start.run("apply").exit == 0)
      #expect(try start.installed() == new)
      #expect(try start.staged == [] && start.queue() == [])
    }

    @Test("too little space even in place is refused with the figures before anything changes")
    func tooLittle() throws {
      let volume = try Volume(megabytes: 64)
      let device = try device(on: volume, leaving: 5 << 20)
      let before = try device.state()
      let run = try device.json("apply")
      #expect(run.exit == 22, "\(run.output)")
      #expect(try run.number("result", "needed") > (try run.number("result", "available")))
      #expect(try device.state() == before)
      #expect(try device.staged == [])
    }

    @Test(
      "killed at any moment of an update in place, the device has one release, and goes on without a network",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func killed() throws {
      let volume = try Volume(megabytes: 128)
      let origin = try Volume(megabytes: 64)
      defer { withExtendedLifetime(origin) {} }
      let start = try device(on: origin, leaving: 20 << 20)
      let new = try updated()
      let old = try start.installed()
      let offline = "low_space = in-place\noffline = yes"
      func reset() throws -> Device {
        try Programs.run("rm", "-rf", "\(volume.path)/store", "\(volume.path)/filler")
        try Programs.run("cp", "-a", start.root, "\(volume.path)/store")
        try volume.fill(leaving: 20 << 20)
        return try Device(
          repository.url, root: "\(volume.path)/store", trusting: repository,
          settings: "low_space = in-place")
      }
      let points = try SystemCalls.points(of: reset(), ["apply"], log: "\(scratch.path)/trace")
      var generator = SeededGenerator(11)
      let chosen = SystemCalls.areAllTried ? points : Array(points.shuffled(using: &generator).prefix(25))
      var (killed, resumed) = (0, 0)
      for point in chosen {
        let comment: Comment = "\(point)"
        let device = try reset()
        if try SystemCalls.kills(device, ["apply"], at: point) { killed += 1 }
        let seen = try device.current == nil ? [:] : device.installed()
        // The old maps without those that change, or all of one release.
        #expect(seen == old || seen == new || seen.allSatisfy { old[$0.key] == $0.value }, comment)
        #expect(try device.run("verify").exit == 0, comment)
        if try isTaken(device) {
          resumed += 1
          let alone = try Device(
            "https://127.0.0.1:1", root: device.root, trusting: repository, settings: offline)
          let run = try alone.run("apply")
          #expect(run.exit == 0, "\(point): \(run.error)")
        } else {
          let run = try device.run("apply")
          #expect(run.exit == 0, "\(point): \(run.error)")
        }
        try expectDone(device, new, comment)
      }
      #expect(killed > chosen.count * 3 / 4 && resumed > 0, "\(killed) of \(chosen.count), \(resumed)")
    }

    @Test(
      "a reader that keeps the old maps is waited for before any map leaves, and without an end nothing changes"
    )
    func reader() throws {
      let volume = try Volume(megabytes: 64)
      let device = try device(on: volume, leaving: 20 << 20)
      let (before, current) = (try device.installed(), try #require(try device.current))
      let reader = try Directory(opening: "\(device.root)/\(current)")
      try reader.lock(.shared)
      let apply = try device.start(["apply"])
      var looks = 0
      for _ in 0..<120 {
        #expect(try device.current == current)
        if try names(device.root).contains("in-place") { looks += 1 }
        usleep(100_000)
      }
      let run = try device.finish(apply)
      #expect(run.exit == 25 && run.error.contains("a program still reads the maps in"), "\(run)")
      #expect(looks > 50)
      #expect(try device.installed() == before && device.current == current)
      #expect(try names(device.root).filter { $0.hasPrefix("in-place") } == [])
      withExtendedLifetime(reader) {}
    }

    @Test(
      "a reader that lets go of the maps when it is asked to has others at once",
      arguments: ExampleReader.allCases)
    func polite(_ kind: ExampleReader) throws {
      let volume = try Volume(megabytes: 64)
      let device = try device(on: volume, leaving: 20 << 20)
      let new = try updated()
      let (words, environment) = try kind.command(in: scratch)
      let reader = try ChildProcess(
        words[0], words[1...] + ["--watch", device.root], environment: environment)
      #expect(reader.waitForLine(with: " release 1 ") != nil)
      let run = try device.run("apply")
      #expect(run.exit == 0, "\(run)")
      #expect(reader.waitForLine(with: " release 2 ") != nil)
      reader.signal(SIGTERM)
      let outcome = reader.wait()
      #expect(
        outcome.output.split(separator: "\n").allSatisfy { $0.contains(" release ") || $0.hasSuffix(" ok") })
      // Until then it had the generation without what changes.
      #expect(try device.run("boot").exit == 0)
      try expectDone(device, new)
    }

    @Test("G6: without room for two copies, a recalled release is left in place")
    func recall() throws {
      let files = try Scratch("in-place-recall")
      let copy = try repository.copy(to: "\(files.path)/repository")
      let older = try Device(try repository.copy(to: "\(files.path)/one", upTo: 1).url, trusting: repository)
      #expect(try older.run("install", "europe").exit == 0)
      // The package that the recalled release has dropped does not come back.
      let old = try older.installed().filter { !$0.key.hasPrefix("europe/going/") }
      let volume = try Volume(megabytes: 64)
      let setup = try Device(repository.url, root: volume.store, trusting: repository)
      #expect(try setup.run("install", "europe").exit == 0)
      try volume.fill(leaving: 20 << 20)
      try copy.recall("2024-02")
      let device = try Device(
        copy.url, root: volume.store, trusting: repository, settings: "low_space = in-place")
      let run = try device.run("apply")
      #expect(run.exit == 0 && run.error.contains("replaced in place"), "\(run)")
      #expect(try device.installed() == old)
      #expect(try device.release() == 1)
      #expect(try device.run("verify").exit == 0)
      #expect(try device.run("apply").exit == 0)
    }
  }
}

/// A repository with a map that has several checkpoints, one of compressed contents, one that is new, one that goes, and
/// one that stays.
enum LargeMaps {
  static let shared = Result { try make() }

  private static func make() throws -> PublishedRepository {
    let path = "\(Scratch.base)/tinyupdater-in-place-\(getpid())"
    try Programs.run("mkdir", "-p", path)
    let repository = PublishedRepository(path: "\(path)/repository")
    atexit { _ = try? Programs.run("sh", "-c", "rm -rf \(Scratch.base)/tinyupdater-in-place-\(getpid())") }
    let scratch = try Scratch("in-place-maps")
    var random = SeededGenerator(3)
    func noise(_ count: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(count)
      while bytes.count < count {
        withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) }
      }
      return bytes
    }
    let large = noise(26 << 20)
    // A third goes to the end, and there are small edits everywhere.
    var moved = Array(large[(9 << 20)...] + large[..<(9 << 20)])
    for index in stride(from: 0, to: moved.count, by: 50_000) { moved[index] ^= 0x55 }
    moved += noise(100_000)
    let (small, whole) = (noise(300_000), noise(400_000))
    for release in 1...2 {
      let directory = "\(release)/europe"
      try scratch.write("\(directory)/large/base.bin", release == 1 ? large : moved)
      try scratch.write("\(directory)/large/search.bin", small)
      try scratch.write("\(directory)/steady/base.bin", whole)
      try scratch.write("\(directory)/other/base.bin", noise(2_000_000))
      if release == 1 { try scratch.write("\(directory)/going/base.bin", noise(500_000)) }
      try repository.publish("\(scratch.path)/\(release)", label: "2024-0\(release)", allowingRemoved: 1)
    }
    return repository
  }
}
