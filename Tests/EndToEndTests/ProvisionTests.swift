import Glibc
import Platform
import TestSupport
import Testing
import TrustTestSupport

extension EndToEnd {
  /// `provision` fills the store of a device that does not run yet, and `export` passes on what one has.
  @Suite("Provisioning")
  struct ProvisionTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("provision")
    }

    private func factory(settings: String = "") throws -> Device {
      try Device("https://127.0.0.1:1", settings: settings)
    }

    @Test("stores made of the same bundle are the same files, at any time, from an archive or a directory")
    func identical() throws {
      try sample.repository.bundle("\(scratch.path)/all.tar", "--for", "europe", "world/airports")
      try sample.repository.bundle("\(scratch.path)/all", "--for", "europe", "world/airports")
      var stores: [[String: String]] = []
      for place in ["all.tar", "all"] {
        let device = try factory()
        let run = try device.run("provision", "--from", "\(scratch.path)/\(place)")
        #expect(run.exit == 0, "\(run.error)")
        #expect(try device.installed() == sample.expected[4])
        stores.append(try digests(device.root))
        Clock.sleep(milliseconds: 1100)
        let again = try device.run("provision", "--from", "\(scratch.path)/\(place)")
        #expect(again.exit == 0 && again.output.contains("nothing to do"), "\(again.output)\(again.error)")
        #expect(try digests(device.root) == stores.last)
        #expect(try device.run("verify").exit == 0)
      }
      #expect(stores[0] == stores[1])
    }

    @Test("a store that was begun is finished, with the same files")
    func resumed() throws {
      try sample.repository.bundle("\(scratch.path)/all.tar")
      let whole = try factory()
      #expect(try whole.run("provision", "--from", "\(scratch.path)/all.tar").exit == 0)
      let device = try factory()
      let size = try File(opening: "\(scratch.path)/all.tar").size()
      let cut = try device.run(
        "provision europe world --from -", reading: "head -c \(size / 2) \"$1\"",
        of: "\(scratch.path)/all.tar")
      #expect(cut.exit == 21)
      #expect(try device.current == nil && device.staged != [])
      let run = try device.run("provision", "--from", "\(scratch.path)/all.tar")
      #expect(run.exit == 0, "\(run.error)")
      #expect(try digests(device.root) == digests(whole.root))
    }

    @Test("while a store is provisioned, other processes see that its catalogs are in use")
    func worker() throws {
      try sample.repository.bundle("\(scratch.path)/all.tar")
      let device = try factory()
      let fifo = "\(scratch.path)/fifo"
      try #require(mkfifo(fifo, 0o600) == 0)
      let child = try device.start(["provision", "world", "--from", fifo])
      let half = try contents("\(scratch.path)/all.tar").count / 2
      let writer = try ChildProcess(
        "sh", ["-c", "{ head -c \(half) '\(scratch.path)/all.tar'; exec sleep 100; } >'\(fifo)'"])
      try wait {
        try ChildProcess.run("flock", ["--nonblock", "\(device.root)/queue/worker", "true"]).status == 1
      }
      child.signal(SIGTERM)
      #expect(try device.finish(child).exit == 26)
      writer.signal(SIGKILL)
      _ = writer.wait()
    }

    @Test("a store with another release is left alone")
    func otherRelease() throws {
      try sample.repository.bundle("\(scratch.path)/all.tar")
      let device = try sample.device(at: 2)
      let before = try device.state()
      let run = try device.run("provision", "--from", "\(scratch.path)/all.tar")
      #expect(run.exit == 64 && run.error.contains("apply --from"), "\(run.error)")
      #expect(try device.state() == before)
    }

    @Test("only packages that are complete in the bundle are installed, without deselected data groups")
    func complete() throws {
      let bundle = "\(scratch.path)/some"
      try sample.repository.bundle(bundle, "--for", "europe/malta", "world", "--groups", "base")
      // Malta without its search data is no package.
      let device = try factory()
      #expect(try device.run("provision", "--from", bundle).exit == 0)
      #expect(try Set(device.installed().keys) == ["world/airports/base.bin", "world/rivers/base.bin"])
      let selective = try factory()
      #expect(try selective.run("groups", "deselect", "search").exit == 0)
      #expect(try selective.run("provision", "--from", bundle).exit == 0)
      #expect(try selective.installed().keys.contains("europe/malta/base.bin"))
      let named = try factory().run("provision", "europe/latvia", "--from", bundle)
      #expect(named.exit == 21 && named.error.contains("was made for other maps"), "\(named.error)")
      let unknown = try factory().run("provision", "atlantis", "--from", bundle)
      #expect(unknown.exit == 64, "\(unknown.error)")
    }

    @Test("an expired bundle provisions, and does not update")
    func expired() throws {
      let repository = PublishedRepository(path: "\(scratch.path)/repository")
      try scratch.write("maps/europe/malta/base.bin", "a map")
      try repository.publish("\(scratch.path)/maps", label: "one")
      try repository.signTimestamp { $0["expires"] = "2020-01-01T00:00:00Z" }
      try repository.bundle("\(scratch.path)/old.tar")
      let device = try Device("https://127.0.0.1:1", trusting: repository)
      #expect(try device.run("provision", "--from", "\(scratch.path)/old.tar").exit == 0)
      let run = try device.run("apply", "--from", "\(scratch.path)/old.tar")
      #expect(run.exit == 21 && run.error.contains("expired"), "\(run.error)")
    }

    @Test(
      "an export that has no room leaves nothing, and can be tried again",
      .enabled(if: Volume.isPossible, "mounting takes root"))
    func exportWithoutRoom() throws {
      let ship = try sample.device(at: 4)
      let volume = try Volume(megabytes: 1)
      let target = "\(volume.path)/export"
      let run = try ship.run("export", target)
      #expect(run.exit == 22, "\(run)")
      #expect(try names(target) == [])
      #expect(try ship.run("export", target).exit == 22)
    }

    @Test("a neighbour updates from what a device exports, and not from an altered one")
    func neighbour() throws {
      let ship = try sample.device(at: 4)
      let run = try ship.run("export", "\(scratch.path)/export")
      #expect(run.exit == 0, "\(run.error)")
      #expect(run.output.contains("0 B of them copied"), "\(run.output)")
      for from in [["--from", "\(scratch.path)/export"], ["--repository", "file://\(scratch.path)/export"]] {
        let neighbour = try sample.device(at: 2, of: "https://127.0.0.1:1")
        let run = try neighbour.run(["apply"] + from)
        #expect(run.exit == 0, "\(run.error)")
        #expect(try neighbour.installed() == sample.expected[4])
      }
      // Another file system than that of the store, where there is one.
      #expect(try ship.run("export", "/dev/shm/tinyupdater-export-\(getpid())").exit == 0)
      let copy = "/dev/shm/tinyupdater-export-\(getpid())"
      defer { _ = try? Programs.run("rm", "-rf", copy) }
      #expect(try digests(copy) == digests("\(scratch.path)/export"))
      let again = try ship.run("export", copy)
      #expect(again.exit == 64 && again.error.contains("not empty"), "\(again.error)")
      for name in try names("\(copy)/components") { try Damage.flip("\(copy)/components/\(name)") }
      let neighbour = try sample.device(at: 2, of: "https://127.0.0.1:1")
      let before = try neighbour.state()
      let refused = try neighbour.run("apply", "--from", copy)
      #expect(refused.exit == 21, "\(refused.error)")
      #expect(try neighbour.state() == before)
    }

    @Test(
      "the example makes devices with the same maps and machine-ids and settings of their own, and resumes")
    func fleet() throws {
      try sample.repository.bundle("\(scratch.path)/all.tar", "--for", "world")
      let lines = (1...12).map {
        "unit-\($0) \($0 == 5 ? String(repeating: "5", count: 32) : "-") low_space=refuse"
      }
      try scratch.write("devices", "# name, machine-id, settings\n\n" + lines.joined(separator: "\n") + "\n")
      func make() throws -> ChildProcess.Outcome {
        try ChildProcess.run(
          "\(Checkout.root)/config/examples/provision-fleet",
          [
            "\(scratch.path)/all.tar", sample.repository.root, "\(scratch.path)/devices",
            "\(scratch.path)/fleet",
          ], environment: ["TINYUPDATER": try Programs.tinyupdater()], timeout: 300)
      }
      #expect(try make().status == 0)
      #expect(try names("\(scratch.path)/fleet").count == 12)
      let first = try digests("\(scratch.path)/fleet/unit-1/var")
      #expect(first.count > 5)
      var ids: Set<[UInt8]> = []
      for number in 1...12 {
        let device = "\(scratch.path)/fleet/unit-\(number)"
        #expect(try digests("\(device)/var") == first)
        #expect(try contents("\(device)/etc/tinyupdater.conf") == Array("low_space = refuse\n".utf8))
        ids.insert(try contents("\(device)/etc/machine-id"))
      }
      #expect(ids.count == 12 && ids.contains(Array((String(repeating: "5", count: 32) + "\n").utf8)))
      // One is lost, and one was begun.
      try Programs.run("rm", "-r", "\(scratch.path)/fleet/unit-7")
      try scratch.write("fleet/.work/unit-7/half", "made")
      #expect(try make().status == 0)
      #expect(try digests("\(scratch.path)/fleet/unit-7/var") == first)
      try scratch.write("devices", "../unit -\n")
      let refused = try make()
      #expect(
        refused.status != 0 && refused.error.contains("is not the name of a device"), "\(refused.error)")
    }
  }
}
