import Foundation
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What looks like a refused package and is none, so that no map goes for it.
  @Suite("Limits of refusals")
  struct RefusalLimitsTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("refusals")
    }

    private func denying(
      _ id: String = "europe/malta", address: String = "127.0.0.1"
    ) throws -> WebServer {
      try WebServer(
        sample.repository.path, directives: sample.repository.denying(id), address: address)
    }

    /// Expects that `apply` fails like that and changes nothing.
    private func expectNothing(_ device: Device, exit: Int32, _ words: String...) throws {
      let before = try device.state()
      let run = try device.run(words + ["apply"])
      #expect(run.exit == exit, "\(run)")
      #expect(try device.state() == before)
      #expect(try device.release() == 2)
    }

    @Test("a package that another server may have is waited for", arguments: ["hold", "leave-out"])
    func silentMirror(rule: String) throws {
      let bad = try denying()
      let silent = try WebServer(
        sample.repository.path,
        directives: "location /components/ { return 444; } location /payloads/ { return 444; }")
      let device = try sample.device(
        at: 2, of: bad.url, settings: "repository = \(silent.url)\nrefused = \(rule)\nretries = 0")
      try expectNothing(device, exit: 20)
      #expect(!Checkout.isFile("\(device.root)/refused"))
      // Both of them refuse it.
      let other = try denying()
      let both = try sample.device(
        at: 2, of: bad.url, settings: "repository = \(other.url)\nrefused = \(rule)\nretries = 0")
      #expect(try both.run("apply").exit == (rule == "hold" ? 15 : 12))
    }

    @Test("over plain http, where anybody on the way may answer, leave-out takes no map away")
    func plainHTTP() throws {
      let bad = try denying(address: "127.0.0.2")
      let device = try sample.device(at: 2, of: bad.url, settings: "refused = leave-out")
      try expectNothing(device, exit: 15)
      // A new package may be left out: nothing goes.
      let new = try Device(bad.url, settings: "refused = leave-out")
      #expect(try new.run("install", "europe").exit == 15)
      #expect(try !new.installed().isEmpty)
    }

    @Test("a stick that was copied in part refuses nothing")
    func partOfStick() throws {
      let stick = try sample.repository.copy(to: "\(scratch.path)/stick")
      for name in try sample.repository.denied("europe/malta") {
        try Programs.run("rm", "\(stick.path)/\(name)")
      }
      let device = try sample.device(
        at: 2, of: "file://\(stick.path)", settings: "refused = leave-out")
      try expectNothing(device, exit: 20)
    }

    @Test("fallback = never: a package is refused if neither a patch nor the whole file is given")
    func withoutFallback() throws {
      let bad = try denying()
      let device = try sample.device(
        at: 2, of: bad.url, settings: "refused = leave-out\nfallback = never")
      #expect(try device.run("apply").exit == 12)
      #expect(try device.release() == 4)
      #expect(try !device.installed().keys.contains { $0.hasPrefix("europe/malta/") })
    }

    @Test("what a user asks for alone and does not get is forgotten")
    func forgotten() throws {
      let bad = try denying("europe/latvia")
      let device = try Device(bad.url, settings: "at_boot = nothing")
      #expect(try device.run("install", "world/airports").exit == 0)
      #expect(try device.run("install", "europe/latvia").exit == 15)
      #expect(try device.queue() == [])
      #expect(try device.run("--repository", sample.repository.url, "apply").exit == 0)
      #expect(try !device.installed().keys.contains { $0.hasPrefix("europe/latvia/") })
    }

    @Test("what the device owes is owed no more once it is uninstalled")
    func disowned() throws {
      let bad = try denying()
      let device = try sample.device(
        at: 2, of: bad.url, settings: "refused = leave-out\nat_boot = nothing")
      #expect(try device.run("apply").exit == 12)
      #expect(try device.run("boot").exit == 12)
      let run = try device.run("uninstall", "europe/malta")
      #expect(run.exit == 0, "\(run)")
      #expect(try device.queue() == [])
      #expect(try device.run("boot").exit == 0)
      #expect(try !device.run("status").output.contains("refused   "))
      #expect(try device.run("--repository", sample.repository.url, "apply").exit == 0)
      #expect(try !device.installed().keys.contains { $0.hasPrefix("europe/malta/") })
      // Anything else that is not there is refused as before.
      #expect(try device.run("uninstall", "europe/malta").exit == 64)
    }

    @Test(
      "an uninstall of something installed and something owed does both, and none with an id that is neither")
    func partlyOwed() throws {
      let bad = try denying()
      let device = try sample.device(at: 2, of: bad.url, settings: "refused = leave-out")
      #expect(try device.run("apply").exit == 12)
      #expect(try device.run("uninstall", "europe/malta", "europe/nowhere").exit == 64)
      #expect(try device.queue().count == 1)
      #expect(try device.run("uninstall", "europe/malta", "world/airports").exit == 0)
      #expect(try device.queue() == [])
      #expect(try !device.installed().keys.contains { $0.hasPrefix("world/airports/") })
    }

    @Test("cancelling what is owed also ends that it is shown as refused")
    func cancelled() throws {
      let bad = try denying()
      let device = try sample.device(at: 2, of: bad.url, settings: "refused = leave-out")
      #expect(try device.run("apply").exit == 12)
      #expect(try device.run("cancel", "europe/malta").exit == 0)
      #expect(try device.queue() == [])
      #expect(try device.run("apply").exit == 0)
      #expect(try !device.run("status").output.contains("refused   "))
    }

    @Test("a download of what is owed goes on where it broke, whatever runs in between")
    func resumed() throws {
      let bad = try denying()
      let device = try sample.device(
        at: 2, of: bad.url, settings: "refused = leave-out\nretries = 0\nat_boot = nothing")
      #expect(try device.run("apply").exit == 12)
      // A server that ends each answer early.
      let short = try WebServer(
        sample.repository.path,
        directives: "location /components/ { limit_rate 30k; } location /payloads/ { limit_rate 30k; }")
      let apply = try device.start(["--repository", short.url, "apply"])
      var before = 0
      for _ in 0..<200 where before == 0 {
        usleep(50_000)
        before = try stagedBytes(device)
      }
      #expect(before > 0)
      short.kill()
      _ = try device.finish(apply)
      #expect(try stagedBytes(device) >= before)
      // The update has nothing to do, and what is owed does not come.
      let silent = try WebServer(
        sample.repository.path,
        directives: "location /components/ { return 444; } location /payloads/ { return 444; }")
      let staged = try device.staged
      #expect(staged.contains { $0.hasSuffix(".part") })
      #expect(try device.run("--repository", silent.url, "apply").exit == 0)
      // A part goes back to where its decoder can go on, and stays.
      #expect(try device.staged == staged)
      #expect(try device.run("--repository", sample.repository.url, "apply").exit == 0)
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.staged == [])
    }

    private func stagedBytes(_ device: Device) throws -> Int {
      try device.staged.filter { $0.hasSuffix(".part") }.reduce(0) { sum, name in
        sum + (try contents("\(device.root)/staging/\(name)")).count
      }
    }

    @Test(
      "with hold, a map that came because of the place holds the others, too",
      arguments: ["hold", "leave-out"])
    func ofArea(rule: String) throws {
      let tree = try TreeSample.shared.get()
      let settings = "area_radius = 20K\nrefused = \(rule)"
      let old = try tree.repository.copy(to: "\(scratch.path)/one", upTo: 1)
      let device = try Device(old.url, trusting: tree.repository, settings: settings)
      #expect(try device.run("install", "signs").exit == 0)
      #expect(try device.run("position", "36.05", "14.2").exit == 0)
      #expect(try device.run("apply").exit == 0)
      let before = try device.installed()
      #expect(before.keys.contains { $0.hasPrefix("europe/malta/") })
      let bad = try WebServer(tree.repository.path, directives: tree.repository.denying("europe/malta"))
      let run = try device.json("--repository", bad.url, "apply")
      if rule == "hold" {
        #expect(run.exit == 15, "\(run.output)")
        #expect(try device.installed() == before)
      } else {
        #expect(run.exit == 12, "\(run.output)")
        #expect(try !device.installed().keys.contains { $0.hasPrefix("europe/malta/") })
        let since = try device.run("status").output.split(separator: "\n").filter {
          $0.contains("refused   ")
        }
        #expect(since.count == 1)
        sleep(1)
        #expect(try device.run("--repository", bad.url, "apply").exit == 0)
        #expect(
          try device.run("status").output.split(separator: "\n").filter { $0.contains("refused   ") } == since
        )
        #expect(try device.run("--repository", tree.repository.url, "apply").exit == 0)
        #expect(try device.installed().keys.contains { $0.hasPrefix("europe/malta/") })
        #expect(try !device.run("status").output.contains("refused   "))
      }
    }
  }
}
