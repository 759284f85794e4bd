import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Releases that stand by until they are activated.
  @Suite("Standby")
  struct StandbyTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("standby-tests")
    }

    /// What `status` says of it.
    private func standby(_ device: Device) throws -> [String: Any]? {
      try device.json("status").event("status")["standby"] as? [String: Any]
    }

    @Test(
      "G5: staged maps are complete and cost what status says, and are activated without a network in one rename"
    )
    func activate() throws {
      let server = try WebServer(sample.repository.path)
      let device = try sample.device(at: 2, of: server.url)
      let before = try device.state()
      let run = try device.json("apply", "--stage")
      #expect(run.exit == 0)
      #expect((try run.event("result")["standby"] as? [String: Any])?["number"] as? Int == 4)
      #expect((try run.event("standby")["release"] as? [String: Any])?["number"] as? Int == 4)
      #expect(run.events("changed").isEmpty)
      _ = try server.finish()
      // Nothing that a reader sees has changed.
      #expect(try device.current == before["current"])
      #expect(try device.installed() == sample.expected[2])
      let state = try #require(try standby(device))
      #expect(state["ready"] as? Bool == true && state["inPlace"] as? Bool == false)
      let size = try #require(state["size"] as? Int)
      let staged = try device.json("status").number("status", "staged")
      #expect(size > 0 && size >= staged, "\(size) \(staged)")
      #expect(try device.run("status").output.contains("standby     release 4 (2024-04) since "))
      #expect(
        try device.run("list").output.contains(" MB, is staged; \"tinyupdater activate\" switches to it"))

      let activated = try device.json("activate")
      #expect(activated.exit == 0)
      #expect(activated.events("changed").count == 1)
      #expect(try activated.number("result", "downloaded") == 0)
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.run("verify").exit == 0)
      #expect(try standby(device) == nil)
      #expect(try device.staged == [])
      let history = try device.json("history").events("history").suffix(2)
      #expect(history.map { $0["result"] as? String } == ["staged", "Success"])
      let again = try device.run("activate")
      #expect(again.exit == 64 && again.error.contains("apply --stage"), "\(again.error)")
    }

    @Test("an update that is staged already downloads nothing, and a newer one takes its place")
    func replaced() throws {
      let device = try sample.device(at: 2, standingBy: 3)
      let first = try #require(try names("\(device.root)/generations").max())
      let same = try Device(
        try sample.repository.copy(to: "\(scratch.path)/same", upTo: 3).url, root: device.root)
      let again = try same.run("apply", "--stage")
      #expect(again.exit == 0 && again.output.contains("release 3 (2024-03) is staged; "), "\(again)")
      #expect(try names("\(device.root)/generations").max() == first)
      let next = try Device(sample.repository.url, root: device.root)
      #expect(try next.run("apply", "--stage").exit == 0)
      #expect(try next.standby() == 4)
      #expect(try names("\(device.root)/generations/\(first)") == [])
      #expect(try next.run("activate").exit == 0)
      #expect(try next.installed() == sample.expected[4])
    }

    @Test("a newer release is staged by patches from the one that stands by, where those are smaller")
    func patchedFromStandby() throws {
      let device = try sample.device(at: 2, standingBy: 3)
      let direct = try sample.device(at: 2).json("plan").number("plan", "download")
      let run = try device.json("apply", "--stage")
      #expect(run.exit == 0)
      let download = try run.number("plan", "download")
      #expect(download * 3 < direct * 2, "\(download) instead of \(direct)")
      #expect(try device.run("activate").exit == 0)
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.run("verify").exit == 0)

      // One that is damaged is no base; what is installed is.
      let other = try sample.device(at: 2, standingBy: 3)
      let number = try #require(try names("\(other.root)/generations").max())
      try Damage.flip("\(other.root)/generations/\(number)/maps/europe/malta/base.bin")
      #expect(try other.run("apply", "--stage").exit == 0)
      #expect(try other.run("activate").exit == 0)
      #expect(try other.installed() == sample.expected[4])
    }

    @Test(
      "what is staged gives its space to an operation that has no other",
      .enabled(if: Volume.isPossible, "mounting file systems takes root"), arguments: [false, true])
    func makesRoom(isOutdated: Bool) throws {
      let volume = try Volume(megabytes: 24)
      let device = try sample.device(at: 2, root: "\(volume.path)/store")
      #expect(try device.run("apply", "--stage").exit == 0)
      if isOutdated { #expect(try device.run("uninstall", "europe/iceland").exit == 0) }
      #expect(try standby(device)?["ready"] as? Bool == !isOutdated)
      let wanted = isOutdated ? "europe/iceland" : "world/rivers"
      let needed = try device.json("plan", wanted).number("plan", "peakDisk")
      try volume.fill(leaving: needed / 2)
      let plan = try device.json("plan", wanted).event("plan")
      #expect(plan["room"] as? String == "drop-standby", "\(plan)")
      let run = try device.run("install", wanted)
      #expect(run.exit == 0 && run.error.contains("release 4 (2024-04), which is staged"), "\(run)")
      #expect(try standby(device) == nil)
      #expect(try device.installed().keys.contains { $0.hasPrefix(wanted) })
      #expect(try device.release() == 2)
    }

    @Test(
      "G5: killed anywhere while a newer release is staged, and then continued in another way, the device has one release",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"),
      arguments: ["activate", "apply", "boot", "uninstall europe/malta", "rollback", "confirm", "repair"])
    func continuedOtherwise(command: String) throws {
      let change = try StoreChange(.stagingAgain, of: sample, in: scratch)
      let device = change.device
      let expected = [2, 3, 4].compactMap { sample.expected[$0] }
      var allowed = expected
      if command.hasPrefix("uninstall") {
        allowed += expected.map { $0.filter { !$0.key.hasPrefix("europe/malta/") } }
      }
      var generator = SeededGenerator(SystemCalls.seed)
      let all = try change.points()
      let points = SystemCalls.areAllTried ? all : Array(all.shuffled(using: &generator).prefix(6))
      let settings = "activation = boot\nat_boot = nothing"
      for point in points {
        try device.copyStore(of: change.start)
        _ = try SystemCalls.kills(device, change.command, at: point)
        let other = try Device(sample.repository.url, root: device.root, settings: settings)
        let run = try other.run(command.split(separator: " ").map(String.init))
        #expect([0, 64].contains(run.exit ?? -1), "\(command) after \(point): \(run.error)")
        #expect(allowed.contains(try device.installed()), "\(command) after \(point)")
        #expect(try device.run("apply").exit == 0, "\(command) after \(point)")
        let last = try device.installed()
        #expect(
          last == sample.expected[4]
            || command.hasPrefix("uninstall")
              && last == sample.expected[4]?.filter { !$0.key.hasPrefix("europe/malta/") },
          "\(command) after \(point)")
        let debris = try change.debris()
        #expect(debris == [], "\(command) after \(point)")
      }
    }

    @Test("automatic runs switch when the configuration says so, and a person's at once")
    func automatic() throws {
      let device = try sample.device(at: 2, settings: "activation = boot\nat_boot = nothing")
      #expect(try device.run("apply", "--spread").exit == 0)
      #expect(try device.release() == 2)
      #expect(try device.standby() == 4)
      #expect(try device.run("boot").exit == 0)
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.run("boot").output.contains("release 4 (2024-04) is ready"))

      let commanded = try sample.device(at: 2, settings: "activation = command\nat_boot = nothing")
      #expect(try commanded.run("apply", "--spread").exit == 0)
      #expect(try commanded.run("boot").exit == 0)
      #expect(try commanded.release() == 2)
      let generation = try #require(try names("\(commanded.root)/generations").max())
      #expect(try commanded.run("apply").exit == 0)
      #expect(try commanded.installed() == sample.expected[4])
      // What was ready is what is current.
      #expect(try commanded.current == "generations/\(generation)")

      let eager = try sample.device(at: 2, settings: "activation = at-once")
      #expect(try eager.run("apply", "--spread").exit == 0)
      #expect(try eager.installed() == sample.expected[4])
    }

    @Test("what is in the way keeps automatic runs waiting, stops their downloads, and never a person's")
    func inhibited() throws {
      let flag = "\(scratch.path)/driving"
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 2, of: server.url, settings: "inhibit = \(flag)")
      let child = try device.startInOverlay("apply --spread")
      try scratch.write("driving", "")
      let stopped = try device.finish(child)
      #expect(stopped.exit == 0)
      #expect((try stopped.event("result")["waiting"] as? String)?.contains("\(flag) is there") == true)
      #expect(stopped.events("operation").last?["state"] as? String == "waiting")
      #expect(try device.release() == 2)
      #expect(try !device.staged.isEmpty)
      let waiting = try device.json("apply", "--spread")
      #expect(waiting.exit == 0 && waiting.events("plan").isEmpty)
      #expect(waiting.events("result").last?["waiting"] != nil)
      // The one that waits is nothing that another process carries out.
      #expect(try device.run("uninstall", "europe/malta").exit == 0)
      #expect(try device.release() == 2)
      _ = try server.finish()

      let local = try Device(sample.repository.url, root: device.root, settings: "inhibit = \(flag)")
      #expect(try local.run("apply").exit == 0)
      #expect(try local.release() == 4)
    }

    @Test("a stopped download continues once the required file is there again")
    func resumed() throws {
      let flag = "\(scratch.path)/unmetered"
      try scratch.write("unmetered", "")
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 2, of: server.url, settings: "require = \(flag)")
      let child = try device.startInOverlay("apply --spread")
      try Programs.run("rm", flag)
      #expect(try device.finish(child).exit == 0)
      try scratch.write("unmetered", "")
      let local = try Device(sample.repository.url, root: device.root, settings: "require = \(flag)")
      let run = try local.json("apply", "--spread")
      #expect(run.exit == 0)
      // A part of the overlay is there.
      let whole = try sample.device(at: 2).json("plan").number("plan", "download")
      #expect(try run.number("plan", "download") < whole)
      #expect(try local.installed() == sample.expected[4])
      #expect(try names("\(local.root)/queue").filter { UInt64($0) != nil } == [])
    }

    @Test(
      "a release that is activated at a start is on trial from that start on, and does not come back if it fails"
    )
    func trial() throws {
      let device = try sample.device(
        at: 2, settings: "trial = yes", "trial_boots = 1", "activation = boot", "at_boot = nothing")
      #expect(try device.run("apply", "--spread").exit == 0)
      let first = try device.json("boot").event("boot")
      #expect(first["state"] as? String == "on-trial" && first["starts"] as? Int == 1, "\(first)")
      #expect(try device.release() == 4)
      #expect(try device.json("boot").event("boot")["state"] as? String == "rolled-back")
      #expect(try device.installed() == sample.expected[2])
      for _ in 1...2 {
        #expect(try device.json("boot").event("boot")["state"] as? String == "ready")
        #expect(try device.run("apply", "--spread").exit == 0)
      }
      #expect(try device.standby() == nil)
      #expect(try device.installed() == sample.expected[2])
    }

    @Test("a record that outlives its activation does not bring a release back whose trial has failed")
    func outlivingRecord() throws {
      let settings = "trial = yes\nactivation = boot\nat_boot = nothing\nhealth_command = /bin/false"
      let device = try sample.device(at: 2, settings: settings)
      #expect(try device.run("apply", "--spread").exit == 0)
      let record = try contents("\(device.root)/standby")
      #expect(try device.json("boot").event("boot")["state"] as? String == "rolled-back")
      #expect(try device.installed() == sample.expected[2])
      try File(opening: "\(device.root)/standby", to: .make).write(record.span.bytes)
      #expect(try device.json("boot").event("boot")["state"] as? String == "ready")
      #expect(try device.installed() == sample.expected[2])
      // Who names it wants it all the same.
      #expect(try device.run("apply", "--stage", "--release", "4").exit == 0)
      let healthy = try Device(
        sample.repository.url, root: device.root,
        settings: "trial = yes\nactivation = boot\nat_boot = nothing")
      #expect(try healthy.json("boot").event("boot")["state"] as? String == "on-trial")
      #expect(try healthy.installed() == sample.expected[4])
    }

    @Test("what is staged during a trial goes back to the release that was confirmed since")
    func stagedDuringTrial() throws {
      let served = try sample.repository.copy(to: "\(scratch.path)/served", upTo: 3)
      let device = try sample.device(at: 2, settings: "trial = yes", "at_boot = nothing")
      let before = try Device(served.url, root: device.root, settings: "trial = yes")
      #expect(try before.run("apply").exit == 0)
      #expect(try device.release() == 3)
      #expect(try device.run("apply", "--stage").exit == 0)
      #expect(try device.run("confirm").exit == 0)
      #expect(try device.standby() == 4)
      #expect(try device.run("activate").exit == 0)
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.run("rollback").exit == 0)
      #expect(try device.installed() == sample.expected[3])
    }

    @Test("a lost link names the maps again that were current, not those that stand by")
    func lostLink() throws {
      let device = try sample.device(at: 2, standingBy: 4)
      try Programs.run("rm", "\(device.root)/current")
      #expect(try device.run("boot").exit == 0)
      #expect(try device.installed() == sample.expected[2])
      #expect(try device.run("activate").exit == 0)
      #expect(try device.installed() == sample.expected[4])
    }

    @Test("an activation notices files of what stands by that are lost or damaged")
    func damaged() throws {
      let device = try sample.device(at: 2, standingBy: 4)
      let number = try #require(try names("\(device.root)/generations").max())
      try Programs.run("rm", "\(device.root)/generations/\(number)/maps/europe/malta/base.bin")
      // What was staged is still there, so that the generation can be made anew.
      let run = try device.run("activate")
      #expect(run.exit == 0, "\(run.error)")
      #expect(try device.installed() == sample.expected[4])

      let other = try sample.device(at: 2, standingBy: 4)
      // The same in both releases: one file with two names.
      let kept = "europe/iceland/base.bin"
      #expect(sample.expected[2]?[kept] == sample.expected[4]?[kept])
      try Damage.flip("\(other.root)/current/maps/\(kept)")
      #expect(try other.run("verify").exit == 24)
      #expect(try other.run("activate").exit == 0)
      #expect(try other.json("status").number("status", "damaged") == 1)
      #expect(try other.run("repair").exit == 0)
      #expect(try other.installed() == sample.expected[4])
    }

    @Test("a damaged or hostile record of what stands by is as good as none")
    func hostileRecord() throws {
      let device = try sample.device(at: 2, standingBy: 4)
      let good = try contents("\(device.root)/standby")
      var generator = SeededGenerator(SystemCalls.seed)
      for _ in 0..<40 {
        var bad = good
        let place = Int.random(in: 0..<bad.count, using: &generator)
        bad[place] ^= UInt8.random(in: 1...255, using: &generator)
        try Programs.run("rm", "-rf", "\(device.root)/standby")
        try File(opening: "\(device.root)/standby", to: .make).write(bad.span.bytes)
        let run = try device.run("activate")
        #expect(run.exit == 64, "byte \(place): \(run.error)")
        #expect(try device.installed() == sample.expected[2])
      }
      for isLink in [false, true] {
        try Programs.run("rm", "-rf", "\(device.root)/standby")
        if isLink {
          try Programs.run("ln", "-s", "/dev/zero", "\(device.root)/standby")
        } else {
          try Programs.run("mkdir", "\(device.root)/standby")
        }
        #expect(try device.run("activate").exit == 64)
        #expect(try device.run("apply", "--stage").exit == 0)
        #expect(try device.standby() == 4)
      }
    }
  }
}
