import Foundation
import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What the map loaders promise of installing, updating and one release for all maps.
  @Suite("Rows")
  struct RowTests {
    private let sample: Sample
    private let tree: TreeSample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      tree = try TreeSample.shared.get()
      scratch = try Scratch("rows")
    }

    /// What is asked for, and the packages that are installed then.
    struct Selection: CustomTestStringConvertible {
      let ids: [String]
      let installed: [String]
      var testDescription: String { ids.joined(separator: " ") }
    }

    private static let france = ["europe/france/alsace", "europe/france/corsica"]
    private static let europe = france + ["europe/gozo", "europe/italy/sicily", "europe/malta"]
    private static let all = europe + ["pacific/fiji", "polar/antarctica", "signs"]

    // MARK: - Lists

    @Test(
      "B3 C5: install takes packages and regions of any level, several at once and overlapping",
      arguments: [
        Selection(ids: ["signs"], installed: ["signs"]),
        Selection(ids: ["signs", "europe/gozo"], installed: ["europe/gozo", "signs"]),
        Selection(ids: ["europe/france"], installed: france),
        Selection(ids: ["europe"], installed: europe),
        Selection(ids: ["polar", "europe/france"], installed: france + ["polar/antarctica"]),
        Selection(
          ids: ["europe/italy", "europe/malta"], installed: ["europe/italy/sicily", "europe/malta"]),
        Selection(ids: ["europe/france/corsica", "europe", "europe/france"], installed: europe),
        Selection(ids: ["signs", "signs"], installed: ["signs"]),
        Selection(ids: ["pacific", "europe", "signs", "polar/antarctica"], installed: all),
      ])
    func install(selection: Selection) throws {
      let device = try tree.device()
      let run = try device.json("install", selection.ids)
      #expect(run.exit == 0, "\(run.error)")
      #expect(try device.packages() == selection.installed)
      #expect(try device.json("verify").exit == 0)
      let generation = try device.current
      #expect(try device.json("install", selection.ids).exit == 0)
      #expect(try device.current == generation)
    }

    @Test(
      "B4 C6: uninstall takes packages and regions of any level, several at once and overlapping",
      arguments: [
        Selection(ids: ["signs"], installed: all.filter { $0 != "signs" }),
        Selection(ids: ["europe/france"], installed: all.filter { !france.contains($0) }),
        Selection(ids: ["europe"], installed: ["pacific/fiji", "polar/antarctica", "signs"]),
        Selection(
          ids: ["pacific", "europe/malta", "europe/france"],
          installed: [
            "europe/gozo", "europe/italy/sicily", "polar/antarctica", "signs",
          ]),
        Selection(
          ids: ["europe/malta", "europe", "europe/malta"],
          installed: [
            "pacific/fiji", "polar/antarctica", "signs",
          ]),
        Selection(ids: ["signs", "polar", "pacific", "europe"], installed: []),
      ])
    func uninstall(selection: Selection) throws {
      let device = try tree.device(installing: "europe", "pacific", "polar", "signs")
      #expect(try device.packages() == RowTests.all)
      let run = try device.json("uninstall", selection.ids)
      #expect(run.exit == 0, "\(run.error)")
      #expect(try device.packages() == selection.installed)
      #expect(try device.json("verify").exit == 0)
      let again = try device.json("uninstall", selection.ids)
      #expect(again.exit == 64)
    }

    @Test(
      "B3 B4: installing a region keeps what is installed of it, and a list with one wrong id does nothing")
    func mixed() throws {
      let device = try tree.device(installing: "europe/malta", "signs")
      let install = try device.json("install", ["europe"])
      #expect(try install.exit == 0 && install.number("plan", "kept") == 3)
      #expect(try install.number("plan", "full") == 7)
      #expect(try device.packages() == RowTests.europe + ["signs"])
      let before = try device.state()
      // A prefix of a name is not a node.
      for ids in [["pacific", "europe/mal"], ["europ"], ["polar", "europe/france/alsace/base"]] {
        #expect(try device.json("install", ids).exit == 64)
      }
      // Nor is what is not installed something to remove.
      #expect(try device.json("uninstall", ["signs", "pacific"]).exit == 64)
      #expect(try device.state() == before)
      #expect(try device.staged == [])
    }

    // MARK: - Updates

    /// What is on the wire, and what the plan before it says of that.
    private func expectExactPlan(_ device: Device, _ server: WebServer, _ ids: [String]) throws -> Int {
      let plan = try device.json("plan", ids)
      let download = try plan.number("plan", "download")
      let run = try device.json(ids.isEmpty ? "apply" : "install", ids)
      #expect(run.exit == 0, "\(run.error)")
      #expect(try run.number("plan", "download") == download)
      let log = try server.finish()
      #expect(log.payloads.sent == download, "\(log.payloads)")
      return download
    }

    @Test(
      "B6: the size of a pending update is exact, in bytes on the wire",
      arguments: [
        (1, []), (2, []), (3, []), (2, ["world/rivers"]), (4, ["world"]), (0, ["europe", "world"]),
        (0, ["europe/malta"]),
      ] as [(Int, [String])])
    func size(release: Int, ids: [String]) throws {
      let server = try WebServer(sample.repository.path)
      let device =
        release == 0 ? try Device(server.url) : try sample.device(at: release, of: server.url)
      let packages = try device.json("plan", ids).events("package").compactMap { $0["download"] as? Int }
      #expect(try expectExactPlan(device, server, ids) == packages.reduce(0, +))
      #expect(!packages.isEmpty)
    }

    @Test("B6: the size of an interrupted update is what remains to be downloaded")
    func sizeOfTheRest() throws {
      let slow = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 2, of: slow.url)
      let whole = try device.json("plan").number("plan", "download")
      let apply = try device.startInOverlay("apply")
      apply.signal(SIGKILL)
      _ = apply.wait()
      slow.kill()
      let server = try WebServer(sample.repository.path, port: slow.port)
      let rest = try expectExactPlan(device, server, [])
      #expect(rest > 0 && rest < whole)
      #expect(try device.installed() == sample.expected[4])
    }

    @Test("B7: apply updates, names both releases, and leaves nothing to do")
    func perform() throws {
      let device = try sample.device(at: 2)
      let apply = try device.json("apply")
      #expect(apply.exit == 0, "\(apply.error)")
      for event in [try apply.event("result"), try apply.event("changed"), try apply.event("plan")] {
        #expect((event["from"] as? [String: Any])?["number"] as? Int == 2)
        #expect((event["to"] as? [String: Any])?["number"] as? Int == 4)
        #expect((event["to"] as? [String: Any])?["label"] as? String == "2024-04")
      }
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.release() == 4)
      let check = try device.json("check")
      #expect(check.exit == 0)
      #expect(try check.event("check")["available"] as? Bool == false)
      #expect(try device.json("plan").events("plan").isEmpty)
      let (generation, staged) = (try device.current, try device.staged)
      let again = try device.json("apply")
      #expect(again.exit == 0 && again.events("plan").isEmpty && again.events("changed").isEmpty)
      #expect(try device.current == generation)
      #expect(staged == [])
      #expect(
        try device.run("apply").output == "apply: nothing to do, release 4 (2024-04) is installed\n")
      #expect(try device.json("list", ["--updates"]).nodes.isEmpty)
    }

    /// How each component comes in an update from `release`, such as "europe/malta base patch".
    private func payloads(_ device: Device) throws -> [String] {
      try device.json("plan").events("package").flatMap { package in
        (package["payloads"] as? [[String: Any]] ?? []).map { payload in
          "\(package["id"] ?? "") \(payload["group"] ?? "") \(payload["payload"] ?? "")"
        }
      }
    }

    @Test(
      "B14, E3: patches come from the two previous releases, and everything older by chains of them or in full",
      arguments: [
        // What has not changed since release 2 has a patch from release 1, too: it is the same file.
        (1, ["latvia base patch", "latvia overlay full", "malta base patch", "malta search patch"], "patch"),
        (2, ["latvia base patch", "latvia overlay full", "malta base patch", "malta search patch"], "patch"),
        (3, ["latvia base patch", "malta base patch", "malta search patch"], nil),
      ] as [(Int, [String], String?)])
    func patches(release: Int, europe: [String], airports: String?) throws {
      let device = try sample.device(at: release)
      let expected = europe.map { "europe/\($0)" } + (airports.map { ["world/airports base \($0)"] } ?? [])
      let found = try payloads(device)
      #expect(found == expected, "\(found)")
      let apply = try device.json("apply")
      #expect(apply.exit == 0, "\(apply.error)")
      #expect(try apply.number("plan", "chained") == (release == 1 ? 3 : 0))
      #expect(try apply.number("plan", "patched") == expected.count { $0.hasSuffix("patch") })
      #expect(try apply.number("plan", "full") == expected.count { $0.hasSuffix("full") })
      #expect(try device.installed() == sample.expected[4])
    }

    // MARK: - One release

    /// Every generation in the store holds the files of exactly one release, and that one is in its manifest.
    private func expectOneRelease(
      _ device: Device, _ release: Int, _ place: SourceLocation = #_sourceLocation
    )
      throws
    {
      #expect(try device.release() == release, sourceLocation: place)
      for number in try names("\(device.root)/generations") {
        let generation = "\(device.root)/generations/\(number)"
        let files = try digests("\(generation)/maps")
        let manifest = String(decoding: try contents("\(generation)/manifest"), as: UTF8.self)
        let said = try #require(Int(manifest.split(separator: "\n")[1].split(separator: " ")[1]))
        let packages = Set(files.keys.map(Device.package))
        let matching = try RowTests.catalogs.get().filter { _, components in
          components.filter { packages.contains(Device.package($0.key)) } == files
        }
        #expect(matching.keys.sorted() == [said], "\(number)", sourceLocation: place)
      }
    }

    /// The digests of all components by release.
    private static let catalogs = Result {
      let repository = try Sample.shared.get().repository
      return try Dictionary(
        uniqueKeysWithValues: SampleMaps.releases.map { release in
          (release, try repository.expected(of: SampleMaps.files(release)))
        })
    }

    @Test("B13: after any operation all maps are those of exactly one release")
    func oneRelease() throws {
      let device = try sample.device(at: 2)
      try expectOneRelease(device, 2)
      // On a device that is behind, what is new comes at the device's release.
      #expect(try device.json("install", ["world/rivers"]).exit == 0)
      #expect(try device.installed().count == 7)
      try expectOneRelease(device, 2)
      #expect(try device.json("uninstall", ["europe/iceland"]).exit == 0)
      try expectOneRelease(device, 2)
      #expect(try device.json("apply").exit == 0)
      try expectOneRelease(device, 4)
      #expect(try device.json("rollback").exit == 0)
      try expectOneRelease(device, 2)
      // After going back, too.
      #expect(try device.json("install", ["europe/iceland"]).exit == 0)
      try expectOneRelease(device, 2)
      #expect(try device.json("apply", ["--release", "4"]).exit == 0)
      try expectOneRelease(device, 4)
    }

    @Test("B13: an update and an install that waits for it end at one release", arguments: [true, false])
    func oneReleaseQueued(isManual: Bool) throws {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 2, of: server.url)
      // An update requested by a user is not preempted: the install follows it.
      let apply = try device.startInOverlay(isManual ? "apply europe" : "apply")
      try server.pause()
      #expect(try device.json("install", ["--no-wait", "world/rivers"]).exit == 25)
      try server.goOn()
      #expect(try device.finish(apply).exit == 0)
      #expect(try device.packages().contains("world/rivers"))
      try expectOneRelease(device, 4)
      #expect(try device.json("rollback").exit == 0)
      try expectOneRelease(device, isManual ? 4 : 2)
    }
  }
}

extension Device {
  /// The same with a list.
  func json(_ command: String, _ arguments: [String]) throws -> Run {
    let run = try finish(start(["--json", command] + arguments))
    #expect(run.events.last?["event"] as? String == "result", "\(run.error)")
    return run
  }

  /// The installed packages, in order.
  func packages() throws -> [String] { try Set(installed().keys.map(Device.package)).sorted() }

  /// The package that an installed file belongs to.
  static func package(_ file: String) -> String {
    String(file.prefix(upTo: file.lastIndex(of: "/") ?? file.endIndex))
  }
}
