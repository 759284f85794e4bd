import Foundation
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// The commands of `docs/upgrading.md`, and stores of other versions.
  @Suite("Upgrading")
  struct UpgradingTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("upgrading")
    }

    /// The blocks of commands below a heading, with the paths of this test.
    private func commands(below heading: String, for device: Device) throws -> String {
      let page = try String(decoding: contents("\(Checkout.root)/docs/upgrading.md"), as: UTF8.self)
      let section = try #require(
        page.components(separatedBy: "\n## \(heading)\n").last?.components(separatedBy: "\n## ").first)
      let blocks = section.components(separatedBy: "```sh\n").dropFirst()
        .compactMap { $0.components(separatedBy: "```").first }
      #expect(!blocks.isEmpty)
      return blocks.joined().replacing("/var/lib/tinyupdater", with: device.root)
        .replacing("/data/", with: "\(scratch.path)/data/")
        .replacing("/etc/tinyupdater.conf", with: device.configuration)
        .replacing("tinyupdater ", with: "tinyupdater --config \(device.configuration) ")
    }

    @discardableResult
    private func run(_ script: String) throws -> ChildProcess.Outcome {
      try scratch.write("script", script)
      let folder = "\(scratch.path)/bin"
      try Programs.run("mkdir", "-p", folder)
      try Programs.run("ln", "-sf", try Programs.tinyupdater(), "\(folder)/tinyupdater")
      let path = "\(folder):\(Environment.value("PATH") ?? "")"
      let outcome = try ChildProcess.run(
        "sh", ["-e", "\(scratch.path)/script"], environment: ["PATH": path], timeout: 120)
      #expect(outcome.status == 0, "\(script)\n\(outcome)")
      return outcome
    }

    @Test("a store is moved to another place, with both generations in the space of what differs")
    func moving() throws {
      let device = try sample.device(at: 2, settings: "at_boot = nothing")
      #expect(try device.run("apply").exit == 0)
      let before = try digests(device.root)
      let used = try device.used()
      try run(commands(below: "Moving the store", for: device))
      let moved = try Device(
        sample.repository.url, root: "\(scratch.path)/data/maps", settings: "at_boot = nothing")
      let changing = ["events", "history", "verification"]
      #expect(
        try digests(moved.root).filter { !changing.contains($0.key) }
          == before.filter { !changing.contains($0.key) })
      #expect(try moved.used() < used + 100_000)
      #expect(try moved.installed() == sample.expected[4])
      // The configuration names the new place.
      #expect(try device.run("rollback").exit == 0)
      #expect(try moved.installed() == sample.expected[2])
    }

    @Test("a copy waits for whoever changes the store, and others for the copy")
    func movingUndisturbed() throws {
      let device = try sample.device(at: 2, settings: "at_boot = nothing")
      let copy = try ChildProcess("flock", [device.root, "sh", "-c", "echo held; exec sleep 60"])
      _ = try #require(copy.waitForLine(with: "held"))
      #expect(try device.run("confirm").exit == 25)
      copy.signal(SIGKILL)
      _ = copy.wait()
    }

    @Test(
      "after a factory reset a device begins with its base map, or with nothing", arguments: [true, false])
    func reset(hasBase: Bool) throws {
      let device = try sample.device(
        at: 2, settings: "at_boot = nothing", "base = \(hasBase ? sample.repository.path : "/nowhere")")
      #expect(try device.run("apply").exit == 0)
      try run(commands(below: "Factory reset", for: device))
      #expect(try names(device.root).contains("format"))
      #expect(try device.json("history").events("history").count == (hasBase ? 1 : 0))
      let release = try device.json("status").event("status")["release"]
      #expect((release != nil) == hasBase)
      #expect(try device.run("install", "europe/malta").exit == 0)
      #expect(try device.run("verify").exit == 0)
    }

    @Test("maps of a store that an older program refuses come into another one by an export")
    func exported() throws {
      let device = try sample.device(at: 4, settings: "at_boot = nothing")
      try run("mkdir -p \(scratch.path)/data\n" + commands(below: "Systems with two slots", for: device))
      let other = try Device(sample.repository.url, root: "\(scratch.path)/data/maps")
      #expect(try other.installed() == sample.expected[4])
      #expect(try other.run("verify").exit == 0)
    }

    @Test("files of a newer program that this one does not know stay, and stop no command")
    func unknownFiles() throws {
      let device = try sample.device(at: 2, settings: "at_boot = nothing", "trial = yes")
      try Programs.run(
        "sh", "-c", "cd \"$0\"; mkdir tomorrow; echo x >tomorrow/file; echo x >newer; echo x >queue/newer",
        device.root)
      for command in [
        "boot", "status", "list", "apply", "boot", "rollback", "apply --release 4", "confirm", "verify",
        "repair",
        "uninstall europe/malta", "groups", "history",
      ] {
        let run = try device.run(command.components(separatedBy: " "))
        #expect(run.exit == 0, "\(command): \(run)")
      }
      #expect(try names(device.root).filter { ["tomorrow", "newer"].contains($0) }.count == 2)
    }
  }
}
