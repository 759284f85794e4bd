import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What commands say of a device is what the next command does.
  @Suite("What is shown")
  struct ShownStateTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("shown")
    }

    @Test("a release that was left is no update in the list, until a newer one comes")
    func blocked() throws {
      let device = try sample.device(at: 2)
      #expect(try device.run("apply").exit == 0)
      #expect(
        try device.json("list").events("package").allSatisfy { $0["updateAvailable"] as? Bool == false })
      #expect(try device.run("rollback").exit == 0)
      #expect([0, 10].contains(try device.run("check").exit))
      #expect(try device.run("apply").output.contains("nothing to do"))
      let packages = try device.json("list").events("package")
      #expect(!packages.isEmpty)
      for package in packages {
        #expect(package["updateAvailable"] as? Bool == false, "\(package)")
        #expect((package["actions"] as? [String])?.contains("update") == false, "\(package)")
      }
      #expect(try device.json("list", "--updates").events("package").isEmpty)
      #expect(try !device.run("list", "--tree").output.contains("update "))
    }

    @Test("a map that verify has found damaged is not shown as installed")
    func damaged() throws {
      let device = try sample.device(at: 4)
      try Damage.flip("\(device.root)/current/maps/europe/iceland/base.bin")
      #expect(try device.run("verify").exit == 24)
      let iceland = try #require(
        try device.json("list").events("package").first { $0["id"] as? String == "europe/iceland" })
      #expect(iceland["state"] as? String == "inconsistent", "\(iceland)")
      #expect(try device.run("repair").exit == 0)
      let mended = try #require(
        try device.json("list").events("package").first { $0["id"] as? String == "europe/iceland" })
      #expect(mended["state"] as? String == "installed", "\(mended)")
    }

    @Test("status tells the operation that runs from those that wait, with its process and progress")
    func running() throws {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 2, of: server.url)
      let apply = try device.startInOverlay("apply")
      // It would give way to the next one.
      apply.signal(SIGSTOP)
      #expect(try device.run("--no-wait", "install", "world/rivers").exit == 25)
      let status = try device.json("status").event("status")
      let running = try #require(status["running"] as? [String: Any], "\(status)")
      #expect(running["command"] as? String == "apply" && running["process"] as? Int ?? 0 > 1)
      #expect(running["total"] as? Int ?? 0 > 0)
      let waiting = try #require(status["waiting"] as? [[String: Any]])
      #expect(waiting.map { $0["command"] as? String } == ["install"])
      let text = try device.run("status").output
      #expect(
        text.contains("\nrunning     apply, process ") && text.contains("\nwaiting     install"), "\(text)")
      apply.signal(SIGTERM)
      apply.signal(SIGCONT)
      _ = try device.finish(apply)
    }

    @Test("the last run is no failure any more once a run has found that nothing is to be done")
    func lastRun() throws {
      let server = try WebServer(sample.repository.path)
      let device = try sample.device(at: 4, of: server.url)
      server.kill()
      #expect(try device.run("apply").exit == 20)
      func lastExit() throws -> Int? {
        (try device.json("status").event("status")["lastRun"] as? [String: Any])?["exit"] as? Int
      }
      #expect(try lastExit() == 20)
      for _ in 1...2 { #expect(try device.run("--repository", sample.repository.url, "apply").exit == 0) }
      #expect(try lastExit() == 0)
      // Once is enough.
      let runs = try device.json("history").events("history")
      #expect(runs.suffix(2).map { $0["exit"] as? Int } == [20, 0], "\(runs)")
    }

    @Test("the log has how every command ended that changes something, boot above all")
    func logged() throws {
      let log = "\(scratch.path)/log"
      let device = try sample.device(
        at: 2, settings: "log = \(log)", "trial = yes", "trial_boots = 1", "at_boot = nothing")
      #expect(try device.run("apply").exit == 0)
      for _ in 1...2 { #expect(try device.run("boot").exit == 0) }
      for command in ["groups deselect search", "groups select search", "confirm", "verify", "cancel"] {
        #expect(try device.run(command.split(separator: " ").map(String.init)).exit == 0, "\(command)")
      }
      #expect(try device.run("export", "\(scratch.path)/export").exit == 0)
      let lines = String(decoding: try contents(log), as: UTF8.self)
      for text in [
        "warning: boot: release 4 (2024-04) has failed its trial", "info: groups: ", "info: confirm: ",
        "info: verify: all ", "info: cancel: no pending operations",
        "info: export: \(scratch.path)/export: release 2",
      ] {
        #expect(lines.contains(text), "\(text): \(lines)")
      }
    }

    @Test("what comes from the base map is copied, not downloaded")
    func base() throws {
      let base = try sample.base(with: "world/airports", in: scratch)
      let device = try Device(
        "https://127.0.0.1:1", settings: "offline = yes", "base = \(base)", "at_boot = nothing")
      let boot = try device.run("boot")
      #expect(boot.exit == 0 && boot.output.contains(" to copy"), "\(boot)")
      #expect(!boot.output.contains("download"), "\(boot)")
    }
  }
}
