import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Storage loses a part of an old map when an update in place cannot go back any more.
  @Suite(
    "In place, storage loses a part", .enabled(if: Volume.isPossible, "mounting file systems takes root"),
    .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
  struct InPlaceFallbackTests: InPlaceSuite {
    let scratch: Scratch
    let volume: Volume

    init() throws {
      scratch = try Scratch("in-place-fallback")
      volume = try Volume(megabytes: 64)
    }

    private func old(_ map: String) -> String { "\(root)/in-place/base/maps/europe/\(map)/base.bin" }

    private func expect(_ device: Device, _ maps: [String: String], _ comment: Comment? = nil) throws {
      #expect(try device.installed() == maps, comment)
      #expect(try names(device.root).filter { $0.hasPrefix("in-place") } == [], comment)
      #expect(try device.run("verify").exit == 0, comment)
    }

    @Test("a map whose old one was damaged is downloaded in full", arguments: SmallMaps.changing)
    func connected(map: String) throws {
      let repository = try SmallMaps.shared.get()
      let device = try device(repository, leaving: SmallMaps.free)
      try kill(device, at: "fdatasync")
      try Damage.flip(old(map))
      let run = try device.run("apply")
      #expect(run.exit == 0, "\(run)")
      #expect(run.error.contains("europe/\(map)/base.bin is damaged") == (map != "packed"), "\(run)")
      try expect(device, try updated(repository))
      #expect(try device.release() == 3 && device.staged == [])
    }

    @Test(
      "without a connection its package is missing, status says so, and it comes with the next connection",
      arguments: SmallMaps.changing)
    func offline(map: String) throws {
      let repository = try SmallMaps.shared.get()
      let connected = try device(repository, leaving: SmallMaps.free)
      let new = try updated(repository)
      try kill(connected, at: "fdatasync")
      try Damage.flip(old(map))
      let device = try offline(repository)
      let run = try device.run("apply")
      // What comes packed starts from nothing.
      let isMissing = map != "packed"
      #expect(run.exit == (isMissing ? 12 : 0), "\(run)")
      #expect(run.error.contains("europe/\(map) is missing and will be downloaded") == isMissing, "\(run)")
      #expect(try device.release() == 3)
      try expect(device, new.filter { !isMissing || $0.key != "europe/\(map)/base.bin" })
      let status = try device.json("status").events("status").first
      let waiting = try #require(status)["waiting"] as? [[String: Any]]
      #expect(waiting?.first?["ids"] as? [String] == (isMissing ? ["europe/\(map)"] : nil))
      let text = try device.run("status").output
      #expect(text.contains("waiting     install europe/\(map)\n") == isMissing, "\(text)")

      #expect(try connected.run("apply").exit == 0)
      try expect(connected, new)
      #expect(try connected.release() == 3 && connected.staged == [])
      #expect(try !connected.run("status").output.contains("waiting"))
    }

    /// The numbers of the operations in the queue.
    private func waiting() throws -> [Int] { try names("\(root)/queue").compactMap { Int($0) } }

    /// Puts installs into the queue that wait as long as there is no connection.
    private func queueInstalls(_ count: Int) throws {
      for number in 1000..<1000 + count {
        let text = "tinyupdater-operation 1\ninstall\nid asia/\(number)\nend\n"
        try Programs.run("sh", "-c", "printf '%s' '\(text)' >'\(root)/queue/\(number)'")
      }
    }

    @Test("storage that others fill up stops it once, keeps what waits, and it resumes when there is room")
    func fullStorage() throws {
      let repository = try SmallMaps.shared.get()
      try kill(device(repository, leaving: SmallMaps.free), at: "fdatasync")
      try queueInstalls(3)
      let before = try waiting()
      try volume.fill()
      let device = try offline(repository)
      let run = try device.run("apply")
      #expect(run.exit == 22 && run.error.ranges(of: "the update in place stopped").count == 1, "\(run)")
      #expect(try waiting() == before)
      try Programs.run("rm", "\(volume.path)/filler")
      // The first install resumes it; everything else needs a connection.
      #expect(try device.run("apply").exit == 20)
      #expect(try waiting() == before)
      try expect(device, try updated(repository))
    }

    @Test("a full queue keeps no missing package from being installed later")
    func fullQueue() throws {
      let repository = try SmallMaps.shared.get()
      try kill(device(repository, leaving: SmallMaps.free), at: "fdatasync")
      try Damage.flip(old("patch"))
      try Programs.run("rm", "\(volume.path)/filler")
      try queueInstalls(64 - waiting().count)
      let run = try offline(repository).run("apply")
      #expect(
        run.exit == 20 && run.error.contains("europe/patch is missing and will be downloaded"), "\(run)")
      let device = try Device(repository.url, root: root, trusting: repository)
      #expect(try device.release() == 3)
      #expect(try device.run("apply").exit == 0 && waiting().isEmpty)
      try expect(device, try updated(repository))
    }

    @Test(
      "an old map that cannot be read comes in full", arguments: ["chain", "patch"], [1, 12, 14])
    func unreadable(map: String, read: Int) throws {
      let repository = try SmallMaps.shared.get()
      let device = try device(repository, leaving: SmallMaps.free)
      try kill(device, at: "fdatasync")
      let log = "\(scratch.path)/reads"
      let words = [
        "strace", "-f", "-o", log, "-P", old(map), "-e", "trace=pread64",
        "-e", "inject=pread64:error=EIO:when=\(read)+",
      ]
      let run = try device.finish(device.start(["apply"], before: words))
      #expect(run.exit == 0, "\(run)")
      #expect(String(decoding: try contents(log), as: UTF8.self).contains("INJECTED"))
      try expect(device, try updated(repository))
      #expect(try device.release() == 3 && device.staged == [])
    }

    /// The call that was made to fail is one with this text.
    private func failed(_ text: String, in log: String) throws -> Bool {
      String(decoding: try contents(log), as: UTF8.self).split(separator: "\n").contains {
        $0.contains("INJECTED") && $0.contains(text)
      }
    }

    @Test(
      "too many open files or too little space stop it, and lose no map",
      arguments: [("EMFILE", "patch/base.bin", 24, ""), ("ENOSPC", ".part", 22, "free some space and ")])
    func shortage(errno: String, name: String, exit: Int32, advice: String) throws {
      let repository = try SmallMaps.shared.get()
      let connected = try device(repository, leaving: SmallMaps.free)
      let new = try updated(repository)
      let log = "\(scratch.path)/calls"
      var run: Device.Run
      var attempts = 0
      // Files can be opened in another order than in the run that was recorded, and the wrong open fails.
      repeat {
        attempts += 1
        try reset()
        let calls = try SystemCalls.callsWithoutWayBack(of: connected, log: log)
        let open = try #require(calls.first { $0.point.call == "openat" && $0.line.contains(name) })
        try reset()
        let words = SystemCalls.words(injecting: .failure(errno), at: open.point, log: log)
        run = try connected.finish(connected.start(["apply"], before: words))
      } while try attempts < 10 && !failed(name, in: log)
      #expect(run.exit == exit && !run.error.contains("nothing was changed"), "\(run)")
      #expect(run.error.contains("\(advice)run \"tinyupdater apply\" again, which resumes it"), "\(run)")
      #expect(try names("\(root)/in-place").contains("base"))
      let device = try offline(repository)
      #expect(try device.run("apply").exit == 0)
      try expect(device, new)
    }

    @Test("the figures include the downloads, and not what a lost payload would have taken")
    func figures() throws {
      let repository = try SmallMaps.shared.get()
      let device = try device(repository, leaving: SmallMaps.free)
      let served = try repository.copy(to: "\(scratch.path)/without-last-patches")
      for name in try SmallMaps.lastPatches.get() { try Programs.run("rm", "\(served.path)/\(name)") }
      let run = try device.run("--repository", served.url, "apply")
      #expect(run.exit == 0 && run.error.contains("is no longer on the server"), "\(run)")
      try expect(device, try updated(repository))
      let history = try #require(try device.json("history").events("history").last)
      let (planned, happened) = (history["planned"] as? [String: Any], history["happened"] as? [String: Any])
      let (most, peak) = (planned?["peakDisk"] as? Int ?? 0, happened?["peakDisk"] as? Int ?? .max)
      #expect(peak <= most && most < peak + 300_000, "\(history)")
    }

    @Test("more maps than one operation names are missing: several installs wait for them")
    func many() throws {
      let repository = try ManyMaps.make(in: scratch)
      let connected = try device(repository, leaving: 1_800_000)
      let new = try updated(repository)
      try kill(connected, at: "fdatasync")
      for name in try names("\(root)/in-place/base/maps/europe") {
        try Damage.flip(old(name))
      }
      let device = try offline(repository)
      #expect(try device.run("apply").exit == 12)
      try expect(device, [:])
      #expect(try device.release() == 2)
      func waiting() throws -> [Int] {
        let waiting = try device.json("status").event("status")["waiting"] as? [[String: Any]]
        return (waiting ?? []).map { ($0["ids"] as? [String] ?? []).count }
      }
      #expect(try waiting() == [256, ManyMaps.count - 256])

      // Without space for them they go on waiting.
      let reserving = try Device(
        repository.url, root: root, trusting: repository, settings: "space_reserve = 1000M")
      #expect(try reserving.run("apply").exit == 0)
      #expect(try device.installed() == [:])
      #expect(try waiting() == [256, ManyMaps.count - 256])
      try Programs.run("rm", "\(volume.path)/filler")
      let run = try connected.run("apply")
      #expect(run.exit == 0, "\(run)")
      try expect(connected, new)
      #expect(try connected.staged == [])
    }

    @Test("killed before it gives back what a checkpoint frees, it gives that back when it resumes")
    func killedAtPunch() throws {
      let repository = try LargeMaps.shared.get()
      let connected = try device(repository, leaving: 20 << 20)
      let new = try updated(repository)
      try kill(connected, at: "fallocate", with: "PUNCH_HOLE")
      let run = try offline(repository).run("apply")
      #expect(run.exit == 0, "\(run)")
      try expect(connected, new)
      #expect(try connected.staged == [])
    }

    @Test(
      "a part that is lost after a checkpoint is found by the digest of the result", arguments: [true, false])
    func afterCheckpoint(isConnected: Bool) throws {
      let repository = try LargeMaps.shared.get()
      let connected = try device(repository, leaving: 20 << 20)
      let new = try updated(repository)
      try kill(connected, at: "fallocate", with: "PUNCH_HOLE")
      // The first third of the old map is read last.
      try Damage.flip(old("large"), at: 5_000_000)
      let device = try isConnected ? connected : offline(repository)
      let run = try device.run("apply")
      #expect(run.exit == (isConnected ? 0 : 12), "\(run)")
      #expect(!run.error.contains("tell the publisher"), "\(run)")
      if !isConnected {
        #expect(try device.release() == 2)
        try expect(device, new.filter { !$0.key.hasPrefix("europe/large/") })
        #expect(try device.run("status").output.contains("waiting     install europe/large\n"))
        try Programs.run("rm", "\(volume.path)/filler")
        #expect(try connected.run("apply").exit == 0)
      }
      try expect(connected, new)
      #expect(try connected.release() == 2 && connected.staged == [])
    }

    @Test("what does not fit leaves the way back")
    func refused() throws {
      let repository = try LargeMaps.shared.get()
      let connected = try device(repository, leaving: 20 << 20)
      try Programs.run("rm", "\(volume.path)/filler")
      // A generation to go back to.
      let first = try Device(
        repository.copy(to: "\(scratch.path)/again", upTo: 1).url, root: root, trusting: repository)
      #expect(try first.run("uninstall", "europe/other").exit == 0)
      try volume.fill(leaving: 10 << 20)
      let state = try connected.state()
      let run = try connected.run("apply")
      #expect(run.exit == 22, "\(run)")
      #expect(try connected.state() == state)
      #expect(try names("\(root)/generations").count == 2)
    }
  }
}
