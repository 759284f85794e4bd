import Foundation
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// A world whose catalog a device reads in part.
  @Suite("World")
  struct WorldTests {
    private let world: WorldSample
    private let scratch: Scratch
    private static let ids = ["country000/part00/place07", "country000/part02/place93"]

    init() throws {
      world = try WorldSample.shared.get()
      scratch = try Scratch("world")
    }

    private func device(_ repository: String? = nil, _ settings: String...) throws -> Device {
      let device = try Device(repository ?? world.repository.url, trusting: world.repository)
      if !settings.isEmpty {
        let file = try File(opening: device.configuration, to: .update)
        try file.write(Array((settings.joined(separator: "\n") + "\n").utf8).span.bytes, at: try file.size())
        try file.close()
      }
      return device
    }

    /// A copy of the repository at release 1, which can be moved on, with a server for it.
    private func served(upTo release: Int = 1) throws -> (repository: PublishedRepository, server: WebServer)
    {
      let copy = try world.repository.copy(to: "\(scratch.path)/copy", upTo: release)
      return (copy, try WebServer(copy.path))
    }

    private func moveOn(_ repository: PublishedRepository, to release: Int = 2) throws {
      try repository.replace(
        "metadata/timestamp.json", try contents("\(world.repository.path).states/\(release)"))
    }

    /// The parts that a device keeps, of what is installed and of what it has asked about.
    private func parts(_ device: Device) throws -> (installed: [String], asked: [String]) {
      func list(_ path: String) -> [String] {
        do { return try names(path).sorted() } catch { return [] }
      }
      return (list("\(device.root)/current/parts"), list("\(device.root)/catalogs/parts"))
    }

    /// The catalogs and parts that were asked for, at least so many: nginx writes its log a moment later.
    private func catalogs(_ server: WebServer, atLeast count: Int) throws -> [String] {
      var found: [String] = []
      for _ in 0..<100 {
        found = try server.log().map(\.path).filter { $0.hasPrefix("catalogs/") }
        if found.count >= count { break }
        Clock.sleep(milliseconds: 50)
      }
      return found
    }

    @Test("a device fetches the parts that list its packages, and no others, for an install and an update")
    func fetched() throws {
      let (repository, server) = try served()
      let all = try names("\(repository.path)/catalogs").count
      let device = try device(server.url)
      #expect(try device.run(["install"] + WorldTests.ids).exit == 0)
      // The catalog and a part for each package.
      #expect(try catalogs(server, atLeast: 3).count == 3)
      #expect(try parts(device).installed.count == 2 && parts(device).asked.isEmpty)
      try moveOn(repository)
      let apply = try device.json("apply")
      #expect(apply.exit == 0, "\(apply)")
      #expect(try apply.number("plan", "patched") + apply.number("plan", "full") == 2)
      #expect(try catalogs(server, atLeast: 6).count == 6 && all > 30)
      #expect(try device.release() == 2)
      #expect(try device.run("verify").exit == 0 && device.run("apply").exit == 0)
      #expect(try server.finish().filter { $0.path.hasPrefix("catalogs/") }.count == 6)
      #expect(try parts(device).installed.count == 2)
    }

    @Test(
      "a list without a network shows what is known, and how much is not; a region is fetched when it is named"
    )
    func listed() throws {
      let (_, server) = try served()
      let device = try device(server.url)
      #expect(try device.run("install", WorldTests.ids[0]).exit == 0)
      let tree = try device.json("list", "--tree")
      let country = try tree.node("country000")
      #expect(country["packages"] as? Int == WorldSample.packages)
      let unlisted = try #require(country["unlisted"] as? Int)
      #expect(unlisted > 250 && unlisted + tree.events("package").count == WorldSample.packages)
      #expect(try tree.event("result")["unlisted"] as? Int == unlisted)
      #expect(try tree.node("country000/part02")["name"] as? String == "Part 2")
      #expect(try tree.node("country000/part02")["unlisted"] as? Int == 100)
      let text = try device.run("list", "--tree")
      #expect(text.output.contains("Part 2 (part02), 100 not listed"), "\(text.output)")
      #expect(text.output.contains("\(unlisted) more packages, whose list is not on this device"))
      let region = try device.json("list", "--tree", "country000/part02")
      #expect(region.events("package").count == 100 && region.exit == 0)
      #expect(try region.node("country000/part02")["unlisted"] == nil)
      // It is known now; the sums of the country are the same, however much of it is.
      server.kill()
      let after = try device.json("list", "--tree", "country000/part02")
      #expect(after.events("package").count == 100)
      let known = try device.json("list", "--tree").node("country000")
      for key in ["packages", "size", "download", "installedSize"] {
        #expect(known[key] as? Int == country[key] as? Int, "\(key)")
      }
      let other = try device.json("list", "country000/part01")
      #expect(other.exit == 0 && other.events("package").count < 100)
      #expect(other.events("notice").count == 1)
      // So do polygons.
      let shown = try device.json("polygons", "country000/part02")
      #expect(Set(shown.events("polygon").compactMap { $0["id"] as? String }).count == 100 && shown.exit == 0)
      #expect(try shown.event("result")["unlisted"] == nil)
      let partly = try device.json("polygons", "country000/part01")
      let left = try #require(partly.event("result")["unlisted"] as? Int)
      #expect(left > 0 && partly.events("polygon").count < 100 && partly.exit == 0)
      #expect(
        try device.run("polygons", "country000/part01").output.hasSuffix(
          "# not on this device: the list of \(left) packages\n"))
      #expect(try device.json("groups").events("group").first?["packages"] as? Int == WorldSample.packages)
    }

    @Test("a place is looked up in the parts that may have it")
    func place() throws {
      let (_, server) = try served()
      let device = try device(server.url)
      #expect(try device.run("check").exit == 0)
      #expect(try catalogs(server, atLeast: 1).count == 1)
      let box = try boxOfPlace()
      let run = try device.json("at", box.latitude, box.longitude)
      #expect(try run.event("result")["id"] as? String == box.id)
      let asked = try server.finish().filter { $0.path.hasPrefix("catalogs/") }.count
      #expect(asked > 1 && asked < 30)
    }

    /// A package, and a place in it: the first one of the last part.
    private func boxOfPlace() throws -> (id: String, latitude: String, longitude: String) {
      let script = """
        import random
        chance = random.Random("place 257")
        print("%.4f %.4f" % (chance.uniform(-60, 70), chance.uniform(-170, 170)))
        """
      let words = try ChildProcess.run("python3", ["-c", script]).output.split(separator: " ").map {
        $0.trimmingCharacters(in: .whitespacesAndNewlines)
      }
      return ("country000/part02/place57", words[0], words[1])
    }

    @Test("a part that is lost or damaged on the device is fetched again, and costs nothing else")
    func lost() throws {
      for isGone in [true, false] {
        let device = try device()
        #expect(try device.run(["install"] + WorldTests.ids).exit == 0)
        let (maps, part) = (
          try device.installed(), "\(device.root)/current/parts/\(try parts(device).installed[1])"
        )
        if isGone { try Programs.run("rm", part) } else { try Damage.flip(part) }
        let repair = try device.run("repair")
        #expect(repair.exit == 0, "\(repair)")
        #expect(try parts(device).installed.count == 2 && device.installed() == maps)
        #expect(try device.run("list", WorldTests.ids[1]).exit == 0)
        #expect(try device.run("uninstall", WorldTests.ids[0]).exit == 0)
        #expect(try device.installed().count == 1)
      }
    }

    @Test(
      "a lost manifest is rebuilt by the parts of its generation, and a part that is wrong is not believed")
    func rebuilt() throws {
      let device = try device()
      #expect(try device.run(["install"] + WorldTests.ids).exit == 0)
      let maps = try device.installed()
      try Programs.run("sh", "-c", "echo torn >'\(device.root)/current/manifest'")
      let boot = try device.json("boot")
      #expect(boot.exit == 0 && boot.output.contains("rebuilt"), "\(boot.output)")
      #expect(try device.installed() == maps && parts(device).installed.count == 2)
    }

    @Test("a server whose part is another one, or is gone, changes nothing on the device")
    func wrongPart() throws {
      let (repository, server) = try served()
      let device = try device(server.url)
      #expect(try device.run(["install"] + WorldTests.ids).exit == 0)
      try moveOn(repository)
      let state = try device.state()
      let needed = try neededParts(device, repository, server)
      for isGone in [false, true] {
        if isGone {
          try Directory(opening: repository.path).remove(needed[1])
        } else {
          try repository.edit(needed[0]) { $0[$0.count / 2] ^= 1 }
        }
        let apply = try device.run("apply")
        #expect(apply.exit != 0 && apply.error.contains(needed[isGone ? 1 : 0]), "\(apply)")
        #expect(try device.state() == state)
        try Programs.run(
          "cp", "-f", "\(world.repository.path)/\(needed[0])", "\(repository.path)/\(needed[0])")
      }
      let verify = try ChildProcess.run(try Programs.tinypublish(), ["verify", repository.path], timeout: 60)
      #expect(verify.status != 0 && (verify.output + verify.error).contains(needed[1]), "\(verify)")
    }

    /// The parts that an update of `device` asks for, in their order.
    private func neededParts(
      _ device: Device, _ repository: PublishedRepository, _ server: WebServer
    ) throws -> [String] {
      let copy = try Device(server.url, trusting: world.repository)
      try copy.copyStore(of: device)
      let before = try catalogs(server, atLeast: 3).count
      #expect(try copy.run("apply").exit == 0)
      return Array(try catalogs(server, atLeast: before + 3)[(before + 1)...])
    }

    @Test("a check that finds an even newer release takes nothing from the update in progress")
    func checkMeanwhile() throws {
      let copy = try world.repository.copy(to: "\(scratch.path)/copy", upTo: 1)
      let server = try WebServer(copy.path, directives: "location /payloads/ { limit_rate 200; }")
      let device = try device(server.url)
      #expect(try device.run(["install"] + WorldTests.ids).exit == 0)
      try moveOn(copy)
      let apply = try device.start(["--json", "apply"])
      _ = try #require(apply.waitForLine(with: "\"state\":\"downloading\""))
      let other = try Device(world.repository.url, root: device.root, trusting: world.repository)
      let check = try other.json("check")
      #expect(check.exit == 10, "\(check)")
      let update = try device.finish(apply)
      #expect(update.exit == 0, "\(update)")
      #expect(try device.release() == 2 && parts(device).installed.count == 2)
      try moveOn(copy, to: 3)
      #expect(try device.run("apply").exit == 0 && device.release() == 3)
      #expect(try parts(device).asked.isEmpty)
    }

    @Test("bundles, exports and copies have the parts that they need")
    func brought() throws {
      let bundle = "\(scratch.path)/all.tar"
      try world.repository.bundle(bundle, "--for", WorldTests.ids[0])
      let small = try device("http://127.0.0.1:1")
      #expect(try small.run("install", "--from", bundle, WorldTests.ids[0]).exit == 0)
      #expect(try parts(small).installed.count == 1)
      // Everything that is complete in it, and one package of it through a pipe.
      let whole = try device("http://127.0.0.1:1")
      let provision = try whole.run("provision", "--from", bundle)
      #expect(provision.exit == 0, "\(provision)")
      let piped = try device("http://127.0.0.1:1")
      let run = try piped.run(
        "install", "--from", "-", WorldTests.ids[0], reading: "cat \"$1\"", of: bundle)
      #expect(run.exit == 0, "\(run)")
      #expect(try piped.installed() == small.installed() && whole.installed() == small.installed())
      #expect(try small.run("export", "\(scratch.path)/export").exit == 0)
      let neighbour = try device("http://127.0.0.1:1")
      let install = try neighbour.run("install", "--from", "\(scratch.path)/export", WorldTests.ids[0])
      #expect(install.exit == 0, "\(install)")
      #expect(try neighbour.installed() == small.installed())
      let other = try neighbour.run("install", "--from", "\(scratch.path)/export", WorldTests.ids[1])
      #expect(other.exit != 0 && other.error.contains("has no catalogs/"), "\(other)")
    }

    @Test("prune keeps the parts of the releases that it keeps, and no others")
    func pruned() throws {
      let copy = try world.repository.copy(to: "\(scratch.path)/pruned")
      let before = try names("\(copy.path)/catalogs").count
      try copy.tinypublish("prune", copy.path, "--keep", "1")
      let after = try names("\(copy.path)/catalogs").count
      #expect(after < before / 2 && after > 10)
      let device = try device(copy.url)
      #expect(try device.run(["install"] + WorldTests.ids).exit == 0)
      #expect(try ChildProcess.run(try Programs.tinypublish(), ["verify", copy.path, "--deep"]).status == 0)
    }
  }
}
