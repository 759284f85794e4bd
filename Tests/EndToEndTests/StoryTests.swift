import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What a device goes through from its first map to its last.
  @Suite("The story of a device")
  struct StoryTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("story")
    }

    @Test("check, plan, apply, list, status, rollback, verify, uninstall and install")
    func story() throws {
      let device = try sample.device(at: 2)
      #expect(try device.json("check").exit == 10)
      #expect(
        try device.run("check").output
          == "update available: from release 2 (2024-02) to release 4 (2024-04)\neurope/atlantis is no longer part of the release\n"
      )

      let plan = try device.json("plan")
      #expect(plan.exit == 0)
      #expect(try plan.number("plan", "removed") == 1)
      let apply = try device.json("apply")
      #expect(apply.exit == 0)
      for key in [
        "kept", "patched", "full", "removed", "download", "peakDisk", "memory", "newSize", "installedSize",
      ] {
        #expect(try apply.number("plan", key) == plan.number("plan", key), "\(key)")
      }
      #expect(try apply.number("plan", "patched") == 4)
      #expect(try apply.number("plan", "full") == 1)
      #expect(try apply.number("plan", "kept") == 1)
      let total = try apply.number("plan", "download")
      // The catalog and the signed metadata are the rest.
      #expect(try total < apply.number("result", "downloaded"))
      #expect(apply.events("notice").compactMap { $0["id"] as? String } == ["europe/atlantis"])
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.staged == [])

      #expect(try device.json("check").exit == 0)
      #expect(try device.json("plan").exit == 0)
      let again = try device.json("apply")
      #expect(try again.exit == 0 && again.number("result", "downloaded") > 0)
      #expect(try device.current == "generations/2")

      let list = try device.json("list")
      let states = list.events("package").compactMap { event in
        (event["id"] as? String).map { "\($0) \(event["state"] ?? "")" }
      }
      #expect(
        states == [
          "europe/iceland installed", "europe/latvia installed", "europe/malta installed",
          "world/airports installed",
          "world/rivers notInstalled",
        ])
      let status = try device.json("status").event("status")
      #expect((status["release"] as? [String: Any])?["number"] as? Int == 4)
      #expect((status["previous"] as? [String: Any])?["number"] as? Int == 2)
      #expect(status["components"] as? Int == 6)
      #expect(status["staged"] as? Int == 0)

      #expect(try device.json("rollback").exit == 0)
      #expect(try device.installed() == sample.expected[2])
      #expect(try device.json("rollback").exit == 64)
      #expect(try device.json("verify").number("result", "components") == 6)
      // What a user has left comes back only if a user names it.
      #expect(try device.json("apply").exit == 0)
      #expect(try device.installed() == sample.expected[2])
      #expect(try device.json("apply", "--release", "2024-04").exit == 0)
      #expect(try device.installed() == sample.expected[4])

      #expect(try device.json("uninstall", "europe/malta").exit == 0)
      let without = sample.expected[4]?.filter { !$0.key.hasPrefix("europe/malta/") }
      #expect(try device.installed() == without)
      let install = try device.json("install", "europe/malta")
      #expect(install.exit == 0)
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.json("verify").exit == 0)
      #expect(try device.json("uninstall", "europe", "world").exit == 0)
      #expect(try device.installed() == [:])
      #expect(try device.staged == [])
    }

    @Test("a region installed on a device behind the newest release uses the device's release")
    func behind() throws {
      let device = try sample.device(at: 2)
      #expect(try device.json("uninstall", "europe/malta").exit == 0)
      #expect(try device.json("install", "europe/malta").exit == 0)
      #expect(try device.release() == 2)
      #expect(try device.installed() == sample.expected[2])
    }

    @Test("before the first map every question is answered, and none makes a generation")
    func nothingInstalled() throws {
      let device = try Device(sample.repository.url)
      for (command, exit) in [("check", 0), ("status", 0), ("rollback", 64), ("apply", 0)]
        as [(String, Int32)]
      {
        #expect(try device.json(command).exit == exit, "\(command)")
      }
      #expect(try device.json("list").events("package").count == 5)
      #expect(try device.json("install", "world/airports").exit == 0)
      #expect(try device.installed().count == 1)
    }

    @Test("the plan gives the exact bytes on the wire, and never too few on disk", arguments: [2, 3])
    func figures(release: Int) throws {
      let server = try WebServer(sample.repository.path, directives: "limit_rate 4m;")
      let device = try sample.device(at: release, of: server.url)
      let plan = try device.json("plan")
      let watch = PeakWatch("\(device.root)/staging")
      let apply = watch.during { try? device.json("apply") }
      let log = try server.finish()
      #expect(apply?.exit == 0)
      #expect(try plan.number("plan", "download") == log.payloads.sent)
      #expect(log.payloads.allSatisfy { $0.status == 200 })
      #expect(try apply?.number("result", "downloaded") ?? 0 < log.sent)
      #expect(watch.peak > 0)
      #expect(try plan.number("plan", "peakDisk") >= watch.peak)
    }

    @Test("an update uses one connection, from the first metadata to the last payload")
    func connection() throws {
      let server = try WebServer(sample.repository.path)
      let device = try sample.device(at: 3, of: server.url)
      let before = try server.log().count
      #expect(try device.run("apply").exit == 0)
      let log = try server.finish().dropFirst(before)
      #expect(log.count > 3)
      #expect(Set(log.map(\.connection)).count == 1)
    }

    @Test("the peak of memory is the program's own, however large the program that started it")
    func peakMemory() throws {
      let device = try sample.device(at: 3)
      let large = [UInt8](repeating: 1, count: 64 << 20)
      #expect(try device.json("apply").number("result", "peakResident") < 8 << 20)
      #expect(large.last == 1)
    }

    @Test("over https the server's certificate must be signed by the configured authority")
    func https() throws {
      let authority = try CertificateAuthority()
      let server = try WebServer(sample.repository.path, authority: authority)
      let trusting = try sample.device(
        at: 3, of: server.url, settings: "certificate_authorities = \(authority.certificate)")
      #expect(try trusting.json("apply").exit == 0)
      #expect(try trusting.installed() == sample.expected[4])
      let other = try CertificateAuthority()
      let wary = try sample.device(
        at: 3, of: server.url, settings: "certificate_authorities = \(other.certificate)")
      let before = try wary.state()
      let run = try wary.run("apply")
      #expect(run.exit == 20)
      #expect(
        run.error.contains("the server of \(server.url)/metadata/2.root.json could not prove who it is"))
      #expect(try wary.state() == before)
    }
  }
}
