import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Releases that have to prove themselves, and releases that did not.
  @Suite("Trial")
  struct TrialTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("trial")
    }

    private static let settings = "trial = yes\ntrial_boots = 2\nat_boot = nothing"

    @Test("E6: a release that nobody confirms is left after its starts; status, history and events say it")
    func story() throws {
      let device = try sample.device(at: 2, settings: Self.settings)
      let apply = try device.json("apply")
      #expect(apply.exit == 0 && apply.events("trial").first?["state"] as? String == "begun", "\(apply)")
      #expect(try device.run("status").output.contains("\ntrial       0 of 2 starts, until"))
      for start in 1...2 {
        let boot = try device.json("boot").event("boot")
        #expect(boot["state"] as? String == "on-trial" && boot["starts"] as? Int == start)
        #expect(boot["limit"] as? Int == 2)
      }
      let boot = try device.json("boot")
      let event = try boot.event("boot")
      #expect(event["state"] as? String == "rolled-back")
      #expect((event["from"] as? [String: Any])?["number"] as? Int == 4)
      #expect((event["release"] as? [String: Any])?["number"] as? Int == 2)
      #expect(event["reason"] as? String == "2 starts without a confirmation")
      #expect(boot.events("changed").count == 1)
      #expect(try device.installed() == sample.expected[2])
      #expect(try device.run("boot").output == "boot: release 2 (2024-02) is ready\n")

      let status = try device.run("status").output
      #expect(
        status.contains("\nblocked     release 4 (2024-04): 2 starts without a confirmation\n"), "\(status)")
      let history = try #require(try device.json("history").events("history").last)
      #expect(history["command"] as? String == "boot" && history["result"] as? String == "rolled-back")
      #expect(history["from"] as? Int == 4 && history["to"] as? Int == 2)
      #expect(history["failure"] as? String == "2 starts without a confirmation")
      #expect(try device.run("history").output.contains("2 starts without a confirmation"))

      let check = try device.json("check")
      #expect(check.exit == 0)
      #expect(try check.event("check")["available"] as? Bool == false)
      #expect((try check.event("check")["blocked"] as? [String: Any])?["number"] as? Int == 4)
      #expect(
        try device.run("check").output.contains("\"tinyupdater apply --release 4\" installs it anyway"))
      let again = try device.run("apply")
      #expect(
        again.exit == 0 && again.output.contains("release 4 (2024-04) is blocked (2 starts"), "\(again)")
      #expect(try device.json("plan").events("plan").isEmpty)
      #expect(try device.run("--quiet", "apply").output == "")
      #expect(try device.run("apply", "--release", "5").exit == 64)
      #expect(try device.run("apply", "--release", "a b").exit == 64)
      #expect(try device.run("apply", "--release", "4").exit == 0)
      #expect(try device.installed() == sample.expected[4])
      let confirm = try device.json("confirm")
      #expect((try confirm.event("result")["confirmed"] as? [String: Any])?["number"] as? Int == 4)
      for _ in 0..<4 { #expect(try device.run("boot").output == "boot: release 4 (2024-04) is ready\n") }
    }

    @Test(
      "E6: the release that was left is taken again without a repository, while its maps are there; no start undoes that",
      arguments: ["rollback", "boot"], [true, false])
    func reentered(way: String, isConfirmed: Bool) throws {
      let device = try sample.device(at: 2, settings: Self.settings)
      #expect(try device.run("apply").exit == 0)
      // By a user, or by the third start.
      for _ in 0..<(way == "boot" ? 3 : 1) { #expect(try device.run(way).exit == 0) }
      #expect(try device.release() == 2)
      let alone = try Device("file:///nowhere", root: device.root, settings: Self.settings)
      let apply = try alone.json("apply", "--release", "2024-04")
      #expect(apply.exit == 0)
      #expect(try apply.number("result", "downloaded") == 0)
      #expect(apply.events("trial").count == 1)
      #expect(try alone.current == "generations/2")
      #expect(try alone.installed() == sample.expected[4])
      #expect(try alone.json("boot").event("boot")["state"] as? String == "on-trial")
      if isConfirmed {
        #expect(try alone.run("confirm").exit == 0)
        for _ in 0..<4 { #expect(try alone.json("boot").event("boot")["state"] as? String == "ready") }
        #expect(try alone.release() == 4)
      } else {
        #expect(try alone.json("boot").event("boot")["state"] as? String == "on-trial")
        #expect(try alone.json("boot").event("boot")["state"] as? String == "rolled-back")
        #expect(try alone.release() == 2)
      }
    }

    @Test(
      "the release that was left is made anew where its maps are gone or damaged",
      arguments: ["confirm", "remove", "flip", "flip shared"])
    func reenteredAnew(trouble: String) throws {
      let device = try sample.device(at: 2, settings: "at_boot = nothing")
      #expect(try device.run("apply").exit == 0)
      let maps = "\(device.root)/generations/2/maps/europe"
      if trouble == "flip" {
        try Damage.flip("\(maps)/malta/base.bin")
        #expect(try device.run("verify").exit == 24)
      }
      #expect(try device.run("rollback").exit == 0)
      switch trouble {
      case "confirm": #expect(try device.run("confirm").exit == 0)
      case "remove": try Programs.run("rm", "\(maps)/malta/base.bin")
      case "flip shared":
        // The same file in both generations.
        try Damage.flip("\(maps)/iceland/base.bin")
        #expect(try device.run("verify").exit == 24)
      default: break
      }
      let apply = try device.json("apply", "--release", "4")
      #expect(apply.exit == 0)
      #expect(try apply.number("result", "downloaded") > 0)
      #expect(try device.current != "generations/2")
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.run("verify").exit == 0)
    }

    @Test("E6: a health command that hangs delays a start by its time, and the output is in the log")
    func health() throws {
      try scratch.write("health", "#!/bin/sh\necho \"looking at $1\"\nexec sleep 300\n")
      #expect(chmod("\(scratch.path)/health", 0o755) == 0)
      let device = try sample.device(
        at: 2, settings: Self.settings, "health_command = \(scratch.path)/health", "health_time = 1",
        "log = \(scratch.path)/log")
      #expect(try device.run("apply").exit == 0)
      let started = Clock.milliseconds
      let boot = try device.run("boot")
      #expect(boot.exit == 0 && Clock.milliseconds - started < 100_000)
      #expect(
        boot.output
          == "boot: release 4 (2024-04) has failed its trial (the health command timed out after 1 seconds); "
          + "back to release 2 (2024-02)\n")
      let log = String(decoding: try contents("\(scratch.path)/log"), as: UTF8.self)
      #expect(
        log.contains("health of release 4 (2024-04): looking at \(device.root)/generations/2"), "\(log)")
    }

    @Test("E6: a signal during the health command ends the start and judges nothing")
    func stopped() throws {
      try scratch.write("health", "#!/bin/sh\ntouch \"\(scratch.path)/begun\"\nexec sleep 300\n")
      #expect(chmod("\(scratch.path)/health", 0o755) == 0)
      let device = try sample.device(
        at: 2, settings: Self.settings, "health_command = \(scratch.path)/health")
      #expect(try device.run("apply").exit == 0)
      let boot = try device.start(["boot"])
      try wait { Checkout.isFile("\(scratch.path)/begun") }
      boot.signal(SIGTERM)
      #expect(try device.finish(boot).exit == 26)
      #expect(try device.release() == 4)
    }

    @Test("E6: a manifest that is lost during a trial is rebuilt, and the trial continues with its way back")
    func rebuilt() throws {
      let device = try sample.device(at: 2, settings: Self.settings)
      #expect(try device.run("apply").exit == 0)
      #expect(try device.run("boot").exit == 0)
      try Programs.run("rm", "\(device.root)/current/manifest")
      #expect(try device.run("boot").output.contains("has been rebuilt"))
      #expect(try device.json("status").event("status")["previous"] != nil)
      #expect(try device.json("boot").event("boot")["state"] as? String == "rolled-back")
      #expect(try device.installed() == sample.expected[2])
    }

    @Test("E6: whatever is in the place of the record keeps no device from its maps", arguments: 0..<4)
    func stray(kind: Int) throws {
      let device = try sample.device(at: 2, settings: Self.settings)
      let path = "\(device.root)/trial"
      switch kind {
      case 0: try Programs.run("cp", "/bin/sh", path)
      case 1: try Programs.run("mkdir", "-p", "\(path)/full")
      case 2: try Programs.run("ln", "-s", "/etc/passwd", path)
      default: try Programs.run("mkfifo", path)
      }
      #expect(try device.run("boot").exit == 0)
      #expect(try device.run("status").exit == 0)
      let apply = try device.run("apply")
      #expect(apply.exit == 0, "\(apply)")
      #expect(try device.json("boot").event("boot")["state"] as? String == "on-trial")
      #expect(try contents("/etc/passwd").starts(with: "root".utf8))
    }
  }
}
