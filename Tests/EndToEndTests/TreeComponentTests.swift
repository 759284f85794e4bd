import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// A package of many small files, which are one component for the network and files for programs.
  @Suite("Tree components")
  struct TreeComponentTests {
    private let scratch: Scratch
    private let repository: PublishedRepository

    init() throws {
      scratch = try Scratch("tree-components")
      repository = PublishedRepository(path: "\(scratch.path)/repository")
      for release in 1...3 {
        for (name, bytes) in Self.files(release) { try scratch.write("\(release)/\(name)", bytes) }
        try repository.publish("\(scratch.path)/\(release)", label: "\(release)")
      }
    }

    /// Some files change in each release; one goes, one comes, and one gets another name.
    private static func files(_ release: Int) -> [String: [UInt8]] {
      var files: [String: [UInt8]] = ["tiles/map.xml": Array("<map package=\"tree\"/>".utf8)]
      for number in 0..<120 where number != 40 + release {
        var generator = SeededGenerator(UInt64(number % 20 == 0 ? number + 1000 * release : number))
        let bytes = (0..<number * 40 % 3000).map { _ in UInt8.random(in: 0...255, using: &generator) & 0x3f }
        files["tiles/\(number / 50)/\(number == 77 ? "77-\(release)" : "\(number)").pbf"] = bytes
      }
      files["malta/base.map"] = Array("a map of release \(release)".utf8)
      return files
    }

    private func expectTree(_ device: Device, _ release: Int) throws {
      let difference = try ChildProcess.run(
        "diff", ["-r", "-x", "map.xml", "\(scratch.path)/\(release)", "\(device.root)/current/maps"])
      #expect(difference.status == 0, "\(difference.output)")
    }

    private func device(at release: Int, _ settings: String...) throws -> Device {
      let old = try repository.copy(to: "\(scratch.path)/at-\(UUID())", upTo: release)
      let first = try Device(old.url, trusting: repository)
      #expect(try first.run("install", "tiles", "malta").exit == 0)
      let device = try Device(
        repository.url, trusting: repository, settings: settings.joined(separator: "\n"))
      try device.copyStore(of: first)
      try expectTree(device, release)
      return device
    }

    @Test("an update downloads and writes what changed, and links the rest", arguments: [1, 2])
    func update(from release: Int) throws {
      let device = try device(at: release)
      let plan = try device.json("plan")
      #expect(try plan.number("plan", "download") < 20_000)
      let apply = try device.json("apply")
      #expect(apply.exit == 0, "\(apply)")
      try expectTree(device, 3)
      let single = try ChildProcess.run(
        "find", ["\(device.root)/current/maps/tiles", "-type", "f", "-links", "1", "-size", "+0"])
      #expect((4...14).contains(single.output.split(separator: "\n").count), "\(single.output)")
      #expect(try device.run("verify").exit == 0)
      #expect(try device.staged == [])
      let paths = try device.json("list").events("package").flatMap { $0["files"] as? [String] ?? [] }
      #expect(paths == ["malta/base.map", "tiles/"])
      #expect(try device.run("rollback").exit == 0)
      try expectTree(device, release)
      #expect(try device.run("uninstall", "tiles").exit == 0)
      #expect(try device.installed().keys.sorted() == ["malta/base.map"])
      #expect(try device.run("confirm").exit == 0)
      #expect(try device.run("install", "tiles").exit == 0)
    }

    @Test("a damaged, cut or lost file, and a lost front, are found and mended")
    func damage() throws {
      let device = try device(at: 3)
      let maps = "\(device.root)/current/maps/tiles"
      let front = try #require(try names("\(device.root)/current/trees").first)
      for damage in [
        "printf x | dd of=\(maps)/1/99.pbf conv=notrunc status=none", "truncate -s 3 \(maps)/1/98.pbf",
        "rm \(maps)/2/101.pbf", "rm \(device.root)/current/trees/\(front)", "rm -r \(maps)/1",
        "printf x | dd of=\(device.root)/current/trees/\(front) conv=notrunc status=none",
      ] {
        try Programs.run("sh", "-c", damage)
        #expect(try device.run("verify").exit == 24, "\(damage)")
        #expect(try device.run("repair").exit == 0, "\(damage)")
        try expectTree(device, 3)
        #expect(try device.run("verify").exit == 0, "\(damage)")
      }
    }

    @Test("a lost manifest is rebuilt, what is exported installs elsewhere, and so does a bundle")
    func others() throws {
      let device = try device(at: 3)
      try Programs.run("rm", "\(device.root)/current/manifest")
      #expect(try device.run("boot").exit == 0)
      try expectTree(device, 3)
      let export = "\(scratch.path)/export"
      #expect(try device.run("export", export).exit == 0)
      let other = try Device("file://\(export)", trusting: repository)
      #expect(try other.run("install", "tiles", "malta").exit == 0)
      try expectTree(other, 3)
      try repository.bundle("\(scratch.path)/first.tar")
      let third = try Device("file:///nowhere", trusting: repository)
      #expect(try third.run("provision", "--from", "\(scratch.path)/first.tar").exit == 0)
      try expectTree(third, 3)
      try repository.bundle("\(scratch.path)/update.tar", "--from", "1")
      let old = try self.device(at: 1)
      #expect(try old.run("apply", "--from", "\(scratch.path)/update.tar").exit == 0)
      try expectTree(old, 3)
    }

    @Test("where patches and packed components are lost, all of it comes as it is")
    func whole() throws {
      try Programs.run("sh", "-c", "rm \(repository.path)/payloads/*.patch")
      let device = try device(at: 1)
      let apply = try device.run("apply")
      #expect(apply.exit == 0, "\(apply)")
      try expectTree(device, 3)
    }

    @Test(
      "killed at any system call that changes the disk, the device has the old tree or the new one",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func kills() throws {
      let start = try device(at: 2)
      let device = try Device(repository.url, trusting: repository)
      try device.copyStore(of: start)
      let (old, points) = (
        try start.installed(),
        try SystemCalls.points(of: device, ["apply"], exit: 0, log: "\(scratch.path)/trace")
      )
      let new = try device.installed()
      #expect(old != new && points.count > 100)
      var reached = 0
      for place in stride(from: 0, to: points.count, by: SystemCalls.areAllTried ? 1 : points.count / 24) {
        try device.copyStore(of: start)
        reached += try SystemCalls.kills(device, ["apply"], at: points[place]) ? 1 : 0
        let seen = try device.installed()
        #expect(seen == old || seen == new, "\(points[place])")
        #expect(try start.installed() == old, "\(points[place])")
        #expect(try device.run("apply").exit == 0, "\(points[place])")
        #expect(try device.installed() == new && device.staged == [], "\(points[place])")
      }
      #expect(reached > 15)
    }

    @Test(
      "what a tree makes visible is durable before it",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func order() throws {
      let device = try device(at: 2)
      try TracedRun(of: device, ["apply"], in: scratch).check(flushes: 8)
      try expectTree(device, 3)
    }

    @Test(
      "an update in place that removes a tree is finished, wherever it is killed",
      .enabled(if: Volume.isPossible, "mounting file systems takes root"),
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func removedInPlace() throws {
      let other = PublishedRepository(path: "\(scratch.path)/other")
      var generator = SeededGenerator(5)
      for name in ["a", "b", "c"] {
        let bytes = (0..<1 << 20).map { _ in UInt8.random(in: 0...255, using: &generator) }
        try scratch.write("both/\(name)/base.map", bytes)
      }
      for (name, bytes) in Self.files(1) { try scratch.write("both/\(name)", bytes) }
      try other.publish("\(scratch.path)/both", label: "one")
      try Programs.run("rm", "-r", "\(scratch.path)/both/tiles")
      for name in ["a", "b", "c"] { try Damage.flip("\(scratch.path)/both/\(name)/base.map") }
      try other.publish("\(scratch.path)/both", label: "two", allowingRemoved: 1)
      let (origin, volume) = (try Volume(megabytes: 12), try Volume(megabytes: 12))
      let first = try other.copy(to: "\(scratch.path)/first", upTo: 1)
      #expect(
        try Device(first.url, root: origin.store, trusting: other).run("install", "a", "b", "c", "tiles").exit
          == 0)
      func device() throws -> Device {
        try Programs.run("rm", "-rf", volume.store, "\(volume.path)/filler")
        try Programs.run("cp", "-a", origin.store, volume.store)
        try volume.fill(leaving: 2_200_000)
        return try Device(other.url, root: volume.store, trusting: other, settings: "low_space = in-place")
      }
      let points = try SystemCalls.callsWithoutWayBack(of: device(), log: "\(scratch.path)/calls").map(
        \.point)
      try #require(points.count > 100)
      var killed = 0
      for place in stride(from: 0, to: points.count, by: SystemCalls.areAllTried ? 1 : points.count / 12) {
        let device = try device()
        guard try SystemCalls.kills(device, ["apply"], at: points[place]) else { continue }
        killed += 1
        let apply = try device.run("apply")
        #expect(apply.exit == 0, "\(points[place]) \(apply)")
        #expect(try device.installed().keys.sorted() == ["a/base.map", "b/base.map", "c/base.map"])
        #expect(try device.run("verify").exit == 0)
      }
      #expect(killed > 6)
    }

    @Test(
      "a tree in the lower layer of an overlay is copied up, and updated",
      .enabled(if: Volume.isPossible, "mounting file systems takes root"))
    func overlay() throws {
      let lower = try device(at: 1)
      let upper = try Volume(megabytes: 16)
      try Programs.run("mkdir", "\(upper.path)/upper", "\(upper.path)/work")
      try scratch.makeDirectory("merged")
      let layers = "lowerdir=\(lower.root),upperdir=\(upper.path)/upper,workdir=\(upper.path)/work"
      try Programs.run("mount", "-t", "overlay", "-o", layers, "tinyupdater-test", "\(scratch.path)/merged")
      defer { _ = try? Programs.run("umount", "--lazy", "\(scratch.path)/merged") }
      let device = try Device(repository.url, root: "\(scratch.path)/merged", trusting: repository)
      let apply = try device.run("apply")
      #expect(apply.exit == 0, "\(apply)")
      try expectTree(device, 3)
      try expectTree(lower, 1)
    }

    @Test(
      "an update in place makes a tree beside the old one, or leaves everything as it is",
      .enabled(if: Volume.isPossible, "mounting file systems takes root"))
    func inPlace() throws {
      let volume = try Volume(megabytes: 4)
      let old = try repository.copy(to: "\(scratch.path)/one", upTo: 1)
      let first = try Device(old.url, root: volume.store, trusting: repository)
      #expect(try first.run("install", "tiles", "malta").exit == 0)
      let device = try Device(
        repository.url, root: volume.store, trusting: repository, settings: "low_space = in-place")
      try volume.fill(leaving: 100_000)
      let before = try device.state()
      #expect(try device.run("apply").exit == 22)
      #expect(try device.state() == before)
      try Programs.run("rm", "\(volume.path)/filler")
      #expect(try device.run("apply").exit == 0)
      try expectTree(device, 3)
    }
  }
}
