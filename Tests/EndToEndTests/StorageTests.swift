import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Media that are full or cannot be written to.
  @Suite("Storage", .enabled(if: Volume.isPossible, "mounting file systems takes root"))
  struct StorageTests {
    private let sample: Sample

    init() throws { sample = try Sample.shared.get() }

    @Test("too little space for the plan is refused before the first byte of data")
    func tooSmall() throws {
      // The maps have 3.2 MB and those of release 4 that are new as much again.
      let volume = try Volume(megabytes: 5)
      let server = try WebServer(sample.repository.path)
      let device = try sample.device(at: 2, of: server.url, root: "\(volume.path)/store")
      let before = try device.state()
      let plan = try device.json("plan")
      let (peak, available) = (try plan.number("plan", "peakDisk"), try plan.number("plan", "available"))
      #expect(peak > available)
      let run = try device.run("apply")
      #expect(run.exit == 22)
      #expect(run.error.contains("\(device.root) has "), "\(run.error)")
      #expect(run.error.contains("the update needs \(ByteCount(UInt64(peak)).atLeast)"), "\(run.error)")
      #expect(try device.state() == before)
      #expect(try device.staged == [])
      #expect(try server.finish().payloads == [])
    }

    @Test("P13: on a full disk nothing new is trusted, and the next check works when there is space")
    func fullWhileTrusting() throws {
      let volume = try Volume(megabytes: 16)
      let server = try WebServer(sample.repository.path)
      let device = try sample.device(at: 2, of: server.url, root: "\(volume.path)/store")
      let before = try digests("\(device.root)/trust")
      try volume.fill()
      for command in ["check", "apply"] {
        let run = try device.run(command)
        #expect(run.exit == 22, "\(run)")
        #expect(run.error.contains("/trust/") && run.error.contains("No space left"), "\(run.error)")
        #expect(try digests("\(device.root)/trust") == before)
      }
      try Directory(opening: volume.path).remove("filler")
      #expect(try device.run("check").exit == 10)
    }

    @Test("a file system without enough inodes is refused before the first byte of data, with the figures")
    func tooFewInodes() throws {
      let volume = try Volume(megabytes: 32, inodes: 80)
      let server = try WebServer(sample.repository.path)
      let device = try sample.device(at: 2, of: server.url, root: "\(volume.path)/store")
      let plan = try device.json("plan")
      let needed = try plan.number("plan", "peakFiles")
      let available = try plan.number("plan", "availableFiles")
      for number in 0..<(available - needed + 1) {
        try File(opening: "\(volume.path)/filler\(number)", to: .make).close()
      }
      let before = try device.state()
      #expect(try device.run("plan").output.contains("(inodes): NOT ENOUGH"))
      let run = try device.run("apply")
      #expect(run.exit == 22, "\(run)")
      #expect(run.error.contains("(inodes) and the update needs \(needed)"), "\(run.error)")
      #expect(try device.state() == before)
      #expect(try device.staged == [])
      // A few are what the queue and the metadata take meanwhile.
      for number in 0..<8 { try Directory(opening: volume.path).remove("filler\(number)") }
      let apply = try device.run("apply")
      #expect(apply.exit == 0, "\(apply)")
      #expect(try device.installed() == sample.expected[4])
      #expect(try server.finish().payloads != [])
    }

    @Test("where only the previous maps are in the way they are removed first, unless low_space forbids it")
    func dropsPrevious() throws {
      let volume = try Volume(megabytes: 16)
      let device = try sample.device(at: 2, root: "\(volume.path)/store")
      let strict = try Device(
        sample.repository.url, root: device.root, settings: "low_space = refuse")
      let trying = try Device(sample.repository.url, root: device.root, settings: "trial = yes")
      #expect(try trying.run("apply").exit == 0)
      let previous = try names("\(device.root)/generations").count
      #expect(previous == 2)
      let free = try device.json("plan", "world/rivers")
      #expect(free.events("plan").first?["room"] as? String == "beside")
      try volume.fill(leaving: try free.number("plan", "peakDisk") - 4096)

      let plan = try device.json("plan", "world/rivers")
      #expect(plan.events("plan").first?["room"] as? String == "drop-previous")
      #expect(try plan.number("plan", "freed") > 1_000_000)
      #expect(try device.run("plan", "world/rivers").output.contains("fits only without the previous maps"))
      let before = try device.state()
      #expect(try strict.run("plan", "world/rivers").output.contains("NOT ENOUGH"))
      #expect(try strict.run("install", "world/rivers").exit == 22)
      // The way back of a release on trial stays.
      #expect(try trying.run("install", "world/rivers").exit == 22)
      #expect(try device.state() == before)

      let run = try device.run("install", "world/rivers")
      #expect(run.exit == 0, "\(run)")
      #expect(run.error.contains("they are removed first"), "\(run)")
      #expect(try device.run("verify").exit == 0)
      #expect(try device.run("rollback").exit == 0)
      #expect(try device.installed() == sample.expected[4]?.filter { !$0.key.hasPrefix("world/rivers") })
    }

    @Test("a reader of the previous maps keeps them, and what needs their space is refused")
    func readerOfPrevious() throws {
      let volume = try Volume(megabytes: 16)
      let device = try sample.device(at: 2, root: "\(volume.path)/store")
      let reader = try Directory(opening: "\(device.root)/\(try #require(try device.current))")
      try reader.lock(.shared)
      #expect(try device.run("apply").exit == 0)
      let plan = try device.json("plan", "world/rivers")
      try volume.fill(leaving: try plan.number("plan", "peakDisk") - 4096)
      let before = try device.state()
      #expect(try device.run("install", "world/rivers").exit == 22)
      #expect(try device.state() == before)
      withExtendedLifetime(reader) {}
    }

    @Test("the reserve is left free")
    func reserve() throws {
      let volume = try Volume(megabytes: 20)
      let device = try sample.device(at: 2, root: "\(volume.path)/store", settings: "space_reserve = 16M")
      #expect(try device.run("apply").exit == 22)
      let generous = try sample.device(at: 2, root: "\(volume.path)/other", settings: "space_reserve = 1M")
      #expect(try generous.run("apply").exit == 0)
    }

    @Test("what is left free keeps nobody from uninstalling")
    func uninstallFromReserve() throws {
      let volume = try Volume(megabytes: 16)
      let device = try sample.device(at: 2, root: "\(volume.path)/store", settings: "space_reserve = 4M")
      try volume.fill(leaving: 2 << 20)
      #expect(try device.run("install", "world/rivers").exit == 22)
      #expect(try device.run("uninstall", "world/airports").exit == 0)
      #expect(try !device.installed().keys.contains { $0.hasPrefix("world/airports/") })
    }

    @Test("a disk that fills up during an update leaves the device as it was, and what is downloaded")
    func fillsUp() throws {
      let volume = try Volume(megabytes: 16)
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 2, of: server.url, root: "\(volume.path)/store")
      let before = try device.state()
      let child = try device.start(["--json", "apply"])
      // The component on its way has 150 kB, of which 20 come every second.
      #expect(
        child.waitForLine(with: "\"path\":\"europe/latvia/overlay.bin\",\"state\":\"downloading\"") != nil)
      try volume.fill()
      let run = try device.finish(child)
      #expect(run.exit == 22, "\(run)")
      let message = try run.event("result")["message"] as? String ?? ""
      #expect(
        message.hasPrefix("\(device.root)/staging/") && message.contains("No space left on device"),
        "\(message)")
      #expect(try device.state() == before)
      let staged = try device.staged
      #expect(staged.contains { !$0.hasSuffix(".part") }, "\(staged)")
      try Directory(opening: volume.path).remove("filler")
      let next = try WebServer(sample.repository.path)
      #expect(try device.run("--repository", next.url, "apply").exit == 0)
      #expect(
        try next.finish().payloads.allSatisfy { !staged.contains(String($0.path.split(separator: "/")[1])) })
      #expect(try device.installed() == sample.expected[4])
    }

    @Test(
      "a read-only disk is a storage error; the installed maps can be used and queried")
    func readOnly() throws {
      let volume = try Volume(megabytes: 16)
      let device = try sample.device(at: 2, root: "\(volume.path)/store")
      let before = try device.state()
      try volume.makeReadOnly()
      // What is trusted cannot be remembered there, so a look at the repository is refused, too.
      for command in [
        ["apply"], ["install", "world/rivers"], ["uninstall", "europe/malta"], ["rollback"], ["check"],
      ] {
        let run = try device.run(command)
        #expect(run.exit == 24, "\(command): \(run)")
        #expect(run.error.contains("\(device.root)/") && run.error.contains("Read-only"), "\(run.error)")
      }
      for command in [
        ["status"], ["verify"], ["list"], ["list", "--tree", "--updates"], ["at", "56.9", "24.1"],
        ["history"],
        ["groups"],
      ] {
        let run = try device.run(command)
        #expect(run.exit == 0 && run.error == "", "\(command): \(run)")
      }
      let watch = try device.start(["--json", "watch"])
      #expect(watch.waitForLine(with: "\"event\":\"ready\"") != nil)
      watch.signal(SIGTERM)
      #expect(try device.finish(watch).exit == 0)
      #expect(try device.state() == before)
      try volume.makeWritable()
      #expect(try device.run("apply").exit == 0)
    }
  }
}
