import Foundation
import Platform
import TestSupport
import Testing
import TrustTestSupport

extension EndToEnd {
  /// What a device learns of a repository, and what it may do then.
  @Suite("News")
  struct NewsTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("news")
    }

    @Test("A1: offline, no connection is opened, and commands that need one say so")
    func offline() throws {
      let server = try WebServer(sample.repository.path)
      let device = try sample.device(at: 2, of: server.url, settings: "offline = yes")
      let before = try device.state()
      for command in [["check"], ["plan"], ["apply"], ["install", "world/rivers"]] {
        let run = try device.run(command)
        #expect(run.exit == 20, "\(command)")
        #expect(run.error.contains("offline = yes forbids any connection"), "\(run.error)")
      }
      for command in ["list", "status", "verify", "boot"] { #expect(try device.run(command).exit == 0) }
      #expect(try device.state() == before)
      #expect(try device.run("uninstall", "europe/malta").exit == 0)
      #expect(try server.finish() == [])
      // A stick needs no connection.
      #expect(try device.run("--repository", sample.repository.url, "apply").exit == 0)
      #expect(try device.release() == 4)
    }

    /// Two releases, of which the second needs version 5 of the application.
    private func demandingRepository() throws -> PublishedRepository {
      let repository = PublishedRepository(path: "\(scratch.path)/repository")
      for release in 1...3 {
        let need = release == 1 ? "" : " minimum-reader=\"\(release == 2 ? 5 : 7)\""
        try scratch.write("\(release)/malta/map.xml", "<map\(need)><name>Malta</name></map>")
        try scratch.write("\(release)/malta/base.bin", "the map of release \(release)")
        if release < 3 { try repository.publish("\(scratch.path)/\(release)", label: "r\(release)") }
      }
      return repository
    }

    @Test(
      "A2: a release that needs a newer application is announced, and not installed until the application is updated"
    )
    func applicationTooOld() throws {
      let repository = try demandingRepository()
      let setup = try Device(
        try repository.copy(to: "\(scratch.path)/old", upTo: 1).url, trusting: repository)
      #expect(try setup.run("install", "malta").exit == 0)
      let device = try Device(
        repository.url, root: setup.root, trusting: repository, settings: "application_version = 4")
      let before = try device.state()

      let check = try device.json("check")
      #expect(check.exit == 11)
      #expect(try check.event("application-too-old")["minimumApplication"] as? Int == 5)
      let apply = try device.json("apply")
      #expect(apply.exit == 11)
      #expect(try apply.event("result")["result"] as? String == "ApplicationTooOld")
      #expect(
        try device.run("apply").error.contains(
          "release 2 (r2) needs version 5 of the application, and this device has 4"))
      #expect(try device.state() == before)
      #expect(try device.staged == [])
      let status = try device.json("status").event("status")
      #expect((status["applicationTooOld"] as? [String: Any])?["minimumApplication"] as? Int == 5)
      #expect(try device.run("status").output.contains("release 2 (r2) needs version 5 of the application"))
      // Nothing can be installed from a release that cannot be read, even where nothing is installed yet.
      let fresh = try Device(
        repository.url, root: "\(scratch.path)/fresh", trusting: repository,
        settings: "application_version = 5")
      #expect(try fresh.run("install", "malta").exit == 0)
      #expect(try fresh.release() == 2)

      let updated = try Device(
        repository.url, root: setup.root, trusting: repository, settings: "application_version = 5")
      #expect(try updated.run("apply").exit == 0)
      #expect(try updated.release() == 2)
      // The newest release that the application can read is taken; a newer one is announced.
      try repository.publish("\(scratch.path)/3", label: "r3")
      let back = try Device(
        repository.url, root: "\(scratch.path)/back", trusting: repository,
        settings: "application_version = 6")
      #expect(try back.run("install", "malta").exit == 0)
      #expect(try back.release() == 2)
      #expect(try back.run("check").exit == 11)
    }

    @Test(
      "an install on a device whose release is not served any more updates everything with it, and says so")
    func releaseNotServed() throws {
      let device = try sample.device(at: 2)
      let repository = try sample.repository.copy(to: "\(scratch.path)/served")
      try repository.signTargets { targets in
        targets[["targets", "catalogs/2.update.xz"]] = nil
      }
      let moved = try Device(repository.url, root: device.root)
      let run = try moved.json("install", "world/rivers")
      #expect(run.exit == 0, "\(run.output)")
      #expect(
        run.events("notice").contains {
          ($0["message"] as? String)?.hasPrefix("release 2 (2024-02) is no longer served") == true
        })
      #expect(try moved.release() == 4)
      #expect(try moved.installed().keys.contains("world/rivers/base.bin"))
    }

    @Test("an install on a device behind the newest release uses the device's release")
    func installBehind() throws {
      let device = try sample.device(at: 2)
      let run = try device.json("install", "world/rivers")
      #expect(run.exit == 0 && run.events("notice").isEmpty)
      #expect(try device.release() == 2)
    }
  }
}
