import Foundation
import Platform
import TestSupport
import Testing
import TrustTestSupport

extension EndToEnd {
  /// Releases that their publisher takes back.
  @Suite("Recall")
  struct RecallTests {
    private let sample: Sample
    private let recalled: PublishedRepository
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      recalled = try Sample.recalled.get()
      scratch = try Scratch("recall-tests")
    }

    /// The sample maps as they are served at release 4, to be changed.
    private func repository(_ name: String = "repository") throws -> PublishedRepository {
      try sample.repository.copy(to: "\(scratch.path)/\(name)")
    }

    /// A device at `release` whose repository is this one from now on.
    private func device(
      at release: Int, of repository: PublishedRepository, settings: String...
    ) throws -> Device {
      try sample.device(at: release, of: repository.url, settings: settings.joined(separator: "\n"))
    }

    /// What a device has at `release` that comes from release 4, which has dropped a package.
    private func expected(_ release: Int) throws -> [String: String] {
      try #require(sample.expected[release]).filter { !$0.key.hasPrefix("europe/atlantis/") }
    }

    private func verify(_ repository: PublishedRepository) throws {
      let run = try ChildProcess.run(try Programs.tinypublish(), ["verify", repository.path, "--deep"])
      #expect(run.status == 0, "\(run.output) \(run.error)")
    }

    private func recall(of device: Device) throws -> [[String: Any]] {
      try device.json("status").event("status")["recalled"] as? [[String: Any]] ?? []
    }

    @Test("G6: a device goes back to the maps that it has kept, says why, and downloads no map")
    func toPrevious() throws {
      let setup = try sample.device(at: 3)
      #expect(try setup.run("apply").exit == 0)
      let server = try WebServer(recalled.path)
      let device = try Device(server.url)
      try device.copyStore(of: setup)
      let check = try device.json("check")
      #expect(check.exit == 10)
      let found = try #require(try check.event("check")["recalled"] as? [String: Any])
      #expect(found["because"] as? String == PublishedRepository.reason)
      #expect((found["to"] as? [String: Any])?["number"] as? Int == 3)
      #expect(try device.run("plan").output.contains("back to release 3 (2024-03), whose maps are kept"))
      #expect(try recall(of: device).map { $0["number"] as? Int } == [4])

      let run = try device.json("apply", "--spread")
      #expect(run.exit == 0)
      let event = try #require(try run.event("release-recalled")["release"] as? [String: Any])
      #expect(event["number"] as? Int == 4)
      #expect(event["because"] as? String == PublishedRepository.reason)
      let changed = try run.event("changed")
      #expect((changed["from"] as? [String: Any])?["number"] as? Int == 4)
      #expect((changed["to"] as? [String: Any])?["number"] as? Int == 3)
      #expect(try device.installed() == sample.expected[3])
      #expect(try device.run("verify").exit == 0)
      #expect(
        try server.finish().allSatisfy { $0.path.hasPrefix("metadata/") || $0.path.hasPrefix("catalogs/") })
      // Nothing leads to it again.
      #expect(try device.run("rollback").exit == 64)
      #expect(try recall(of: device).map { $0["number"] as? Int } == [4])
      #expect(try device.run("status").output.contains("recalled    release 4 (2024-04): the ferries"))
    }

    @Test("a device that has kept nothing goes back by patches, and stays in the release that is served")
    func byPatches() throws {
      let device = try device(at: 4, of: recalled)
      let planned = try device.json("plan")
      let run = try device.json("apply")
      #expect(run.exit == 0)
      let plan = try run.event("plan")
      #expect(plan["patched"] as? Int ?? 0 > 0 && plan["full"] as? Int == 0, "\(plan)")
      #expect(try run.number("plan", "download") == planned.number("plan", "download"))
      #expect(try run.number("plan", "download") * 2 < run.number("plan", "downloadWithoutPatches"))
      #expect(try device.installed() == expected(3))
      #expect(try device.run("verify").exit == 0)
      #expect(try device.run("rollback").exit == 64)

      // What is installed is served: maps are added at that release, and repaired.
      #expect(try device.run("install", "world/rivers").exit == 0)
      #expect(try device.release() == 3)
      try Damage.flip("\(device.root)/current/maps/europe/malta/base.bin")
      #expect(try device.run("verify").exit == 24)
      #expect(try device.run("repair").exit == 0)
      #expect(try device.run("verify").exit == 0)
      // A lost list of what is installed is rebuilt by the metadata alone.
      try Programs.run("rm", "\(device.root)/current/manifest")
      #expect(try device.run("boot").exit == 0)
      #expect(try device.release() == 3)
    }

    @Test("a device that does not have it never takes it: as an update, as what stands by, by name or new")
    func neverTaken() throws {
      let behind = try device(at: 2, of: recalled)
      #expect(try behind.run("apply").exit == 0)
      #expect(try behind.release() == 3)
      for name in ["4", "2024-04"] {
        let named = try behind.run("apply", "--release", name)
        #expect(named.exit == 13 && named.error.contains(PublishedRepository.reason), "\(named)")
      }
      let unknown = try behind.run("apply", "--release", "2024-05")
      #expect(unknown.exit == 64 && unknown.error.contains("release 3 (2024-03)"), "\(unknown)")
      let new = try Device(recalled.url)
      #expect(try new.run("install", "europe/malta").exit == 0)
      #expect(try new.release() == 3)

      // One that has staged it does not activate it, once it knows.
      let staged = try sample.device(at: 2, standingBy: 4)
      let waiting = try Device(recalled.url, root: staged.root, settings: "activation = command")
      #expect(try waiting.run("check").exit == 10)
      let refused = try waiting.run("activate")
      #expect(refused.exit == 13 && refused.error.contains(PublishedRepository.reason), "\(refused)")
      #expect(try waiting.standby() == nil)
      #expect(try waiting.release() == 2)
      #expect(try waiting.staged == [])
    }

    @Test(
      "what stands by and is due is not activated if it has been recalled meanwhile",
      arguments: ["boot", "apply"])
    func standby(command: String) throws {
      let staged = try sample.device(at: 3, standingBy: 4)
      let device = try Device(
        recalled.url, root: staged.root, settings: "activation = boot\nat_boot = nothing\nbase = /none")
      if command == "boot" {
        #expect(try device.run("check").exit == 0)
        #expect(try device.run("boot").exit == 0)
      } else {
        #expect(try device.run("apply", "--spread").exit == 0)
      }
      #expect(try device.release() == 3)
      #expect(try device.standby() == nil)
      #expect(try device.run("apply").exit == 0)
      #expect(try device.installed() == sample.expected[3])
    }

    @Test("a release that is followed by a good one is left for that, and its maps come again with --again")
    func again() throws {
      let repository = try repository()
      try repository.recall("2024-04")
      // Devices at 3 and before know nothing of 4; the next release has the maps of 2.
      try repository.tinypublish(
        "release", repository.path, "--again", "2024-02", "--label", "2024-05", "--quiet", "--allow-removed",
        "9")
      for release in [2, 3, 4] {
        let device = try device(at: release, of: repository)
        let run = try device.json("apply")
        #expect(run.exit == 0)
        #expect(try device.release() == 5)
        #expect(try device.installed() == (release == 4 ? expected(2) : sample.expected[2]))
        #expect(try device.run("verify").exit == 0)
        if release == 2 { #expect(try run.number("plan", "download") == 0) }
        if release == 4 {
          #expect(try run.event("plan")["full"] as? Int == 0)
          // There is a way back, and it leads to a recalled release.
          let back = try device.run("rollback")
          #expect(back.exit == 13 && back.error.contains(PublishedRepository.reason), "\(back)")
        }
      }
      // What no device needs any more goes, and what is left is whole.
      try repository.tinypublish("prune", repository.path, "--keep", "1")
      #expect(try device(at: 4, of: repository).run("apply").exit == 0)
      try verify(repository)
    }

    @Test("the maps stay where there is no other release, and the device says so")
    func withoutOther() throws {
      let repository = PublishedRepository(path: "\(scratch.path)/single")
      try scratch.write("maps/europe/malta/base.bin", "a map")
      try repository.publish("\(scratch.path)/maps", label: "one")
      let device = try Device(repository.url, trusting: repository)
      #expect(try device.run("install", "europe").exit == 0)
      try repository.recall("one")
      for _ in 0..<2 {
        let run = try device.run("apply")
        #expect(run.exit == 13 && run.error.contains("no other release"), "\(run)")
        #expect(try device.run("check").exit == 0)
        #expect(try device.release() == 1)
      }
      let other = try Device(repository.url, trusting: repository)
      #expect(try other.run("install", "europe").exit == 21)
      try repository.tinypublish("release", repository.path, "--again", "one", "--label", "two", "--quiet")
      #expect(try device.json("apply").number("plan", "download") == 0)
      #expect(try device.release() == 2)
    }

    @Test(
      "two releases in a row are left for the one before them, and a repeated recall changes the reason only")
    func twice() throws {
      let repository = try repository()
      try repository.recall("2024-04")
      try repository.recall("2024-03")
      try repository.tinypublish(
        "recall", repository.path, "2024-04", "--because", "another reason", "--quiet")
      try verify(repository)
      let setup = try sample.device(at: 3)
      #expect(try setup.run("apply").exit == 0)
      // What it has kept is recalled as well.
      let both = try Device(repository.url)
      try both.copyStore(of: setup)
      for device in [both, try self.device(at: 4, of: repository), try self.device(at: 3, of: repository)] {
        let run = try device.json("apply")
        #expect(run.exit == 0)
        #expect(try run.event("plan")["full"] as? Int == 0)
        let whole = try #require(sample.expected[2])
        #expect(try [whole, expected(2)].contains(device.installed()))
        #expect(try device.run("verify").exit == 0)
        #expect(try device.run("rollback").exit == 64)
      }
      #expect(try recall(of: both).compactMap { $0["because"] as? String }.contains("another reason"))
    }

    @Test("a release on trial is left for the confirmed one, and what waits in the window does not keep it")
    func onTrial() throws {
      let settings = "trial = yes\nbase = /none\nat_boot = nothing\nactivation = command"
      let setup = try device(at: 3, of: sample.repository, settings: settings)
      #expect(try setup.run("apply").exit == 0)
      #expect(try setup.run("boot").exit == 0)
      let device = try Device(recalled.url, settings: settings)
      try device.copyStore(of: setup)
      #expect(try device.run("apply", "--spread").exit == 0)
      #expect(try device.release() == 3)
      for _ in 0..<4 { #expect(try device.run("boot").exit == 0) }
      #expect(try device.installed() == sample.expected[3])
      #expect(try device.json("status").event("status")["trial"] == nil)
    }

    @Test("what is only to be staged switches nothing: to a newer release it stages, back it is refused")
    func staging() throws {
      let setup = try sample.device(at: 3)
      #expect(try setup.run("apply").exit == 0)
      let device = try Device(recalled.url)
      for start in [setup, try sample.device(at: 4)] {
        try device.copyStore(of: start)
        let run = try device.run("apply", "--stage")
        #expect(run.exit == 13 && run.error.contains("\"tinyupdater apply\""), "\(run)")
        #expect(try device.release() == 4)
        #expect(try device.run("apply").exit == 0)
        #expect(try device.release() == 3)
      }
      let repository = try repository("followed")
      try repository.recall("2024-04")
      try repository.tinypublish(
        "release", repository.path, "--again", "2024-02", "--label", "2024-05", "--quiet", "--allow-removed",
        "9")
      let next = try self.device(at: 4, of: repository)
      #expect(try next.run("apply", "--stage").exit == 0)
      #expect(try next.release() == 4)
      #expect(try next.standby() == 5)
      #expect(try next.run("activate").exit == 0)
      #expect(try next.release() == 5)
    }

    @Test("a watcher sees what stands by, that it is recalled, and the way back")
    func watched() throws {
      let setup = try sample.device(at: 3)
      #expect(try setup.run("apply").exit == 0)
      let device = try Device(recalled.url)
      try device.copyStore(of: setup)
      let watch = try device.start(["watch"])
      try Device.waitUntilReady(watch)
      #expect(try device.run("apply").exit == 0)
      _ = try #require(watch.waitForLine(with: "\"event\":\"release-recalled\""))
      _ = try #require(watch.waitForLine(with: "\"event\":\"changed\""))
      watch.signal(SIGTERM)
      #expect(try Device.finish(watch).exit == 0)

      let other = try sample.device(at: 3)
      let next = try other.start(["watch"])
      try Device.waitUntilReady(next)
      #expect(try other.run("apply", "--stage").exit == 0)
      _ = try #require(next.waitForLine(with: "\"event\":\"standby\""))
      next.signal(SIGTERM)
      #expect(try Device.finish(next).exit == 0)
    }

    // MARK: - Attacks

    @Test("older metadata that do not know the recall are refused, and bring no device to the release again")
    func replay() throws {
      let device = try device(at: 4, of: recalled)
      #expect(try device.run("apply").exit == 0)
      let old = try Device(sample.repository.url, root: device.root)
      for command in ["check", "apply"] {
        let run = try old.run(command)
        #expect(run.exit == 21, "\(run)")
        #expect(try device.release() == 3)
      }
      #expect(try recall(of: device).count == 1)
    }

    @Test("a recall that the publisher's keys have not signed is none")
    func forged() throws {
      let repository = try repository("forged")
      let name = try #require(
        try names("\(repository.path)/metadata").filter { $0.hasSuffix(".targets.json") }.max {
          Int($0.prefix { $0.isNumber }) ?? 0 < Int($1.prefix { $0.isNumber }) ?? 0
        })
      try repository.edit("metadata/\(name)") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        bytes = Array(
          text.replacingOccurrences(
            of: "\"label\":\"2024-04\"", with: "\"label\":\"2024-04\",\"recalled\":{\"because\":\"x\"}"
          ).utf8)
      }
      // The one has the genuine metadata, the other has to fetch them.
      for (release, exit): (Int, Int32) in [(4, 0), (3, 21)] {
        let device = try device(at: release, of: repository)
        let run = try device.run("apply")
        #expect(run.exit == exit, "\(run)")
        #expect(try device.release() == release)
        #expect(try recall(of: device).isEmpty)
      }
    }

    @Test("a way back whose catalog or patches are wrong is not taken, and the maps come in full or stay")
    func brokenWayBack() throws {
      let repository = try recalled.copy(to: "\(scratch.path)/broken")
      let before = Set(try names("\(sample.repository.path)/payloads"))
      for name in try names("\(repository.path)/payloads") where !before.contains(name) {
        try repository.edit("payloads/\(name)") { $0[$0.count / 2] ^= 0x40 }
      }
      let server = try WebServer(repository.path)
      let device = try sample.device(at: 4, of: server.url)
      let run = try device.run("apply")
      #expect(run.exit == 0, "\(run)")
      #expect(try device.installed() == expected(3))
      #expect(try device.run("verify").exit == 0)

      let catalogs = Set(try names("\(sample.repository.path)/catalogs"))
      for name in try names("\(repository.path)/catalogs") where !catalogs.contains(name) {
        try repository.edit("catalogs/\(name)") { $0[$0.count / 2] ^= 0x40 }
      }
      let other = try self.device(at: 4, of: repository)
      #expect(try other.run("apply").exit == 21)
      #expect(try other.installed() == sample.expected[4])
    }
  }
}
