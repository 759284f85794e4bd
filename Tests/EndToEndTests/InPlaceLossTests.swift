import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What took maps away that an update in place was about to replace: each goes on without losing one.
  @Suite(
    "In place, nothing is lost", .enabled(if: Volume.isPossible, "mounting file systems takes root"),
    .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
  struct InPlaceLossTests: InPlaceSuite {
    let scratch: Scratch
    let volume: Volume
    private let repository: PublishedRepository

    init() throws {
      scratch = try Scratch("in-place-loss")
      volume = try Volume(megabytes: 96)
      repository = try LargeMaps.shared.get()
    }

    private static let free = 20 << 20

    private func device(_ prepare: () throws -> Void = {}) throws -> Device {
      try device(repository, leaving: Self.free, prepare)
    }

    private func expectDone(_ device: Device, _ maps: [String: String], _ comment: Comment? = nil) throws {
      #expect(try device.installed() == maps, comment)
      #expect(try device.release() == 2, comment)
      #expect(try names(root).filter { $0.hasPrefix("in-place") } == [], comment)
      let staged = try device.staged
      #expect(staged == [], comment)
      #expect(try device.run("verify").exit == 0, comment)
    }

    /// The old maps for which release 2 has others or the same; what it does not have may leave at any time.
    private var waiting: [String: String] {
      get throws { try digests("\(root)/in-place/base/maps").filter { !$0.key.hasPrefix("europe/going/") } }
    }

    private var space: UInt64 { get throws { try Directory(opening: volume.path).space().available } }

    // MARK: - Names that keep the bytes of an old map

    @Test(
      "an export or a backup with hard links refuses it with the reason, and no map leaves",
      arguments: [true, false])
    func linked(isExport: Bool) throws {
      let device = try device()
      let (before, copy) = (try device.installed(), "\(volume.path)/copy")
      if isExport {
        #expect(try device.run("export", copy).exit == 0)
      } else {
        try Programs.run("cp", "-al", root, copy)
      }
      let run = try device.run("apply")
      #expect(run.exit == 22, "\(run)")
      #expect(run.error.contains("have other names (an export or a backup with hard links"), "\(run)")
      // Not downloaded again by every run.
      #expect(try device.run("apply").exit == 22)
      #expect(try device.json("history", "1").number("history", "downloaded") < 20_000)
      #expect(try device.installed() == before && names(root).filter { $0.hasPrefix("in-place") } == [])
      try Programs.run("rm", "-rf", copy)
      #expect(try device.run("apply").exit == 0)
      try expectDone(device, try updated(repository))
    }

    @Test("a reader of an older generation that shares maps refuses it with the reason, until it lets go")
    func olderReader() throws {
      let device = try device {
        let first = try Device(
          repository.copy(to: "\(scratch.path)/one", upTo: 1).url, root: root, trusting: repository)
        #expect(try first.run("install", "europe").exit == 0)
        let reader = try Directory(opening: "\(root)/generations/1")
        try reader.lock(.shared)
        #expect(try first.run("uninstall", "europe/other").exit == 0)
        withExtendedLifetime(reader) {}
      }
      let before = try device.installed()
      let reader = try Directory(opening: "\(root)/generations/1")
      try reader.lock(.shared)
      let run = try device.run("apply")
      #expect(run.exit == 22 && run.error.contains("a program that reads an older release"), "\(run)")
      #expect(try device.installed() == before)
      _ = consume reader
      #expect(try device.run("apply").exit == 0)
      #expect(try device.release() == 2 && device.run("verify").exit == 0)
      #expect(try device.installed().count == updated(repository).count - 1)
    }

    // MARK: - What is stored is lost

    @Test("staging is a cache: emptied in the middle, the update needs no connection to end")
    func stagingGone() throws {
      try kill(device(), at: "fdatasync")
      try Programs.run("rm", "-rf", "\(root)/staging")
      let device = try offline(repository)
      let run = try device.run("apply")
      #expect(run.exit == 0, "\(run)")
      try expectDone(device, try updated(repository))
    }

    @Test(
      "lost payloads are downloaded again; without a connection nothing is given up, and no space is taken")
    func payloadsGone() throws {
      let connected = try device()
      try kill(connected, at: "fdatasync")
      try Programs.run("sh", "-c", "rm -f \(root)/in-place/files/*.container")
      let before = try waiting
      for _ in 1...2 {
        let free = try space
        let run = try offline(repository).run("apply")
        #expect(run.exit == 20 && run.error.contains("the update in place stopped"), "\(run)")
        #expect(try waiting == before)
        #expect(try space + 65_536 > free)
      }
      let boot = try offline(repository, "at_boot = nothing").json("boot")
      #expect(boot.exit == 12)
      #expect(try boot.event("boot")["state"] as? String == "incomplete")
      #expect(try connected.run("apply").exit == 0)
      try expectDone(connected, try updated(repository))
    }

    @Test(
      "a lost catalog comes from what is cached, or from the server", arguments: [true, false])
    func catalogGone(isCached: Bool) throws {
      let connected = try device()
      try kill(connected, at: "fdatasync")
      let journal = String(decoding: try contents("\(root)/in-place/journal"), as: UTF8.self)
      let digest = try #require(journal.split(separator: "\n")[1].split(separator: " ").dropFirst(3).first)
      try Programs.run("rm", "\(root)/in-place/files/\(digest)")
      if !isCached { try Programs.run("rm", "-r", "\(root)/catalogs") }
      let run = try offline(repository).run("apply")
      #expect(run.exit == (isCached ? 0 : 20), "\(run)")
      if !isCached { #expect(try connected.run("apply").exit == 0) }
      try expectDone(connected, try updated(repository))
    }

    @Test(
      "with a lost journal, what is whole of the old maps is current again, and the rest comes with a connection",
      arguments: [true, false])
    func journalGone(isConnected: Bool) throws {
      let connected = try device()
      let old = try connected.installed()
      try kill(connected, at: "unlinkat", with: "large/base.bin")
      try Programs.run("rm", "\(root)/in-place/journal")
      if !isConnected {
        let run = try offline(repository).run("apply")
        #expect(run.exit == 20, "\(run)")
        #expect(run.error.contains("what is whole of the maps before is used"), "\(run)")
        // Of one package, a part was given back; another one was removed.
        let maps = try connected.installed()
        #expect(maps.allSatisfy { old[$0.key] == $0.value } && maps.count == old.count - 3, "\(maps.keys)")
        let status = try connected.run("status")
        #expect(status.output.contains("waiting     install europe/going, europe/large"), "\(status)")
      }
      try Programs.run("rm", "\(volume.path)/filler")
      let run = try connected.run("apply")
      #expect(run.exit == 0, "\(run)")
      try expectDone(connected, try updated(repository))
    }

    // MARK: - Errors that say nothing about the maps

    @Test("a smaller memory limit stops it with its code, and loses nothing")
    func lessMemory() throws {
      let connected = try device()
      try kill(connected, at: "fdatasync")
      let before = try waiting
      let run = try offline(repository, "memory_budget = 3M").run("apply")
      #expect(run.exit == 23, "\(run)")
      #expect(try waiting == before)
      let device = try offline(repository)
      #expect(try device.run("apply").exit == 0)
      try expectDone(device, try updated(repository))
    }

    @Test(
      "one error of storage stops it or is passed over, and the next run has all maps",
      arguments: ["pread64", "pwrite64", "fdatasync", "fsync", "fallocate"], [8, 20, 80, 200])
    func oneError(call: String, number: Int) throws {
      let connected = try device()
      try kill(connected, at: "fdatasync")
      let device = try offline(repository)
      let words = SystemCalls.words(injecting: .failure("EIO"), at: .init(call: call, number: number))
      let run = try device.finish(device.start(["apply"], before: words))
      #expect(run.exit == 0 || run.exit == 24, "\(run)")
      if run.exit != 0 { #expect(try device.run("apply").exit == 0) }
      try expectDone(device, try updated(repository), "\(run)")
    }

    // MARK: - Between the commit and the end

    @Test(
      "after the commit only the end is left, whatever the power has interrupted", arguments: [true, false])
    func afterCommit(isBooted: Bool) throws {
      let connected = try device()
      try kill(connected, at: "renameat", with: "\"in-place.old\"")
      let new = try updated(repository)
      #expect(try connected.installed() == new)
      let device = try offline(repository, "at_boot = nothing")
      if isBooted {
        let boot = try device.run("boot")
        #expect(boot.exit == 0 && boot.output.contains("is ready"), "\(boot)")
      }
      #expect(try device.run("apply").exit == 20)
      try expectDone(device, new)
    }

    @Test("where another process has the store for a moment, a start finishes it afterwards")
    func busyStart() throws {
      try kill(device(), at: "fdatasync")
      let device = try offline(repository, "at_boot = nothing")
      let store = try Directory(opening: root)
      try store.lock(.exclusive)
      let boot = try device.run("boot")
      #expect(boot.exit == 0 && boot.output.contains("another tinyupdater is at work"), "\(boot)")
      Clock.sleep(milliseconds: 500)
      _ = consume store
      for _ in 1...600 where try names(root).contains("in-place") { Clock.sleep(milliseconds: 100) }
      try expectDone(device, try updated(repository))
    }

    // MARK: - Other commands

    @Test("what needs all maps of one release is refused meanwhile; everything else finishes it first")
    func commands() throws {
      let connected = try device()
      let new = try updated(repository)
      try kill(connected, at: "fdatasync")
      try Programs.run("cp", "-a", root, "\(scratch.path)/pending")
      for (command, exit, isDone) in [
        ("rollback", 64, false), ("export \(scratch.path)/export", 64, false), ("plan", 0, false),
        ("status", 0, false),
        ("verify", 0, false), ("apply --release 1", 64, true), ("apply --release 2", 0, true),
        ("uninstall europe/other", 0, true), ("repair", 0, true), ("install europe/none", 64, true),
      ] as [(String, Int32, Bool)] {
        try Programs.run("rm", "-rf", root)
        try Programs.run("cp", "-a", "\(scratch.path)/pending", root)
        let run = try connected.run(command.split(separator: " ").map(String.init))
        #expect(run.exit == exit, "\(command): \(run)")
        if exit == 64 && !isDone {
          #expect(run.error.contains("\"tinyupdater apply\" finishes it"), "\(command): \(run)")
        }
        #expect(try names(root).contains("in-place") == !isDone, "\(command)")
        if isDone {
          #expect(try connected.release() == 2, "\(command)")
          let maps = command.hasPrefix("uninstall") ? new.filter { !$0.key.hasPrefix("europe/other/") } : new
          #expect(try connected.installed() == maps, "\(command)")
        }
        #expect(try connected.run("apply").exit == 0, "\(command)")
        #expect(try connected.run("verify").exit == 0, "\(command)")
      }
    }
  }
}
