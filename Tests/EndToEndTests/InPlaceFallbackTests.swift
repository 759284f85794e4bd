import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Storage loses a part of an old map while an update in place consumes it.
  @Suite(
    "In place, with damage", .enabled(if: Volume.isPossible, "mounting file systems takes root"),
    .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
  struct InPlaceFallbackTests {
    private let repository: PublishedRepository
    private let scratch: Scratch
    private let volume: Volume
    private let device: Device
    private let old: [String: String]
    private let new: [String: String]

    init() throws {
      scratch = try Scratch("in-place-fallback")
      repository = try LargeMaps.shared.get()
      volume = try Volume(megabytes: 64)
      let before = try repository.copy(to: "\(scratch.path)/one", upTo: 1)
      let setup = try Device(before.url, root: "\(volume.path)/store", trusting: repository)
      #expect(try setup.run("install", "europe").exit == 0)
      old = try setup.installed()
      try volume.fill(leaving: 20 << 20)
      device = try Device(
        repository.url, root: setup.root, trusting: repository, settings: "low_space = in-place")
      let other = try Device(repository.url, trusting: repository)
      #expect(try other.run("install", "europe").exit == 0)
      new = try other.installed()
    }

    private static let map = "europe/large/base.dat"
    private var base: String { "\(device.root)/conversion/base/maps/\(InPlaceFallbackTests.map)" }

    /// Kills the update when parts of the old map are given back for the first time, and damages what is left of it.
    private func interrupt() throws {
      let words = try words(injecting: "fallocate:signal=SIGKILL:when=1")
      #expect(try device.finish(device.start(["apply"], before: words)).exit == nil)
      let size = try Directory(opening: "\(device.root)/conversion/base").status(
        of: "maps/\(InPlaceFallbackTests.map)")?.size
      // Its first third is read last.
      try Damage.flip(base, at: 5 << 20)
      #expect(try #require(size) > 20 << 20)
    }

    /// Words in front of a command of which calls with the old map are disturbed.
    private func words(injecting fault: String) throws -> [String] {
      let call = try #require(fault.split(separator: ":").first)
      return [
        "strace", "-f", "-o", "\(scratch.path)/calls", "-P", base, "-e", "trace=\(call)", "-e",
        "inject=\(fault)",
      ]
    }

    private func another(of url: String) throws -> Device {
      try Device(url, root: device.root, trusting: repository, settings: "low_space = in-place")
    }

    private func expectNothingLeft() throws {
      #expect(try device.staged == [])
      #expect(try names(device.root).filter { $0.hasPrefix("conversion") } == [])
      #expect(try device.run("verify").exit == 0)
    }

    @Test("with a connection, a map that cannot be made from the damaged one is downloaded in full")
    func connected() throws {
      try interrupt()
      let run = try device.json("apply")
      #expect(run.exit == 0, "\(run)")
      #expect(try device.installed() == new)
      #expect(try device.release() == 2)
      try expectNothingLeft()
    }

    @Test("without one, its package is missing, everything else is new, and its install waits")
    func offline() throws {
      try interrupt()
      let alone = try another(of: "https://127.0.0.1:1")
      let run = try alone.run("apply")
      #expect(run.error.contains("europe/large/base.dat could not be made"), "\(run)")
      #expect(run.error.contains("europe/large is missing and will be downloaded in full"), "\(run)")
      let without = new.filter { !$0.key.hasPrefix("europe/large/") }
      #expect(try alone.installed() == without)
      #expect(try alone.release() == 2)
      #expect(try alone.run("verify").exit == 0)

      let status = try alone.json("status")
      let waiting = try #require(try status.event("status")["waiting"] as? [[String: Any]])
      #expect(waiting.count == 1, "\(status.output)")
      #expect(waiting.first?["ids"] as? [String] == ["europe/large"], "\(status.output)")
      #expect(try alone.run("status").output.contains("waiting     install europe/large"))

      try Directory(opening: volume.path).remove("filler")
      #expect(try another(of: repository.url).run("apply").exit == 0)
      #expect(try device.installed() == new)
      #expect(try device.json("status").event("status")["waiting"] == nil)
      try expectNothingLeft()
    }

    @Test("a read error of the old map is like a wrong byte of it")
    func unreadable() throws {
      let words = try words(injecting: "pread64:error=EIO:when=500")
      let run = try device.finish(device.start(["apply"], before: words))
      let calls = String(decoding: try contents("\(scratch.path)/calls"), as: UTF8.self)
      #expect(calls.contains("(INJECTED)"), "\(calls.split(separator: "\n").count) reads")
      #expect(run.exit == 0, "\(run)")
      #expect(try device.installed() == new)
      try expectNothingLeft()
    }

    @Test("what does not fit leaves the way back, and the downloads for the next time")
    func refused() throws {
      // A generation to go back to.
      try Directory(opening: volume.path).remove("filler")
      let before = try repository.copy(to: "\(scratch.path)/again", upTo: 1)
      let setup = try Device(before.url, root: device.root, trusting: repository)
      #expect(try setup.run("uninstall", "europe/other").exit == 0)
      try volume.fill(leaving: 10 << 20)
      let state = try device.state()
      let run = try device.json("apply")
      #expect(run.exit == 22, "\(run.output)")
      #expect(try device.state() == state)
      #expect(try names("\(device.root)/generations").count == 2)
    }
  }
}
