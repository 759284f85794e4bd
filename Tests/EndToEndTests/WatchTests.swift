import Foundation
import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Observers.
  @Suite("watch")
  struct WatchTests {
    private let sample: Sample

    init() throws { sample = try Sample.shared.get() }

    /// A device at release 2 that fetches slowly, and the server that it fetches from.
    private func slowDevice() throws -> (Device, WebServer) {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      return (try sample.device(at: 2, of: server.url), server)
    }

    /// Ends the watcher and returns its events.
    private func finish(_ watch: ChildProcess) throws -> [[String: Any]] {
      watch.signal(SIGTERM)
      let run = try Device.finish(watch)
      #expect(run.exit == 0, "\(run.error)")
      return run.events
    }

    private func words(_ events: [[String: Any]]) -> [String] {
      events.map { event in
        var words = event["event"] as? String ?? ""
        for key in ["id", "group", "command", "state"] {
          if let value = event[key] as? String { words += " \(value)" }
        }
        return words
      }
    }

    @Test("C4: the current state comes first, then changes of state and structure")
    func stateFirst() throws {
      let device = try sample.device(at: 2)
      let watch = try device.start(["watch"])
      try Device.waitUntilReady(watch)
      #expect(try device.run("install", "world/rivers").exit == 0)
      #expect(try device.run("apply").exit == 0)
      Clock.sleep(milliseconds: 500)
      let later = words(try finish(watch))
      let wanted = [
        "operation install queued", "operation install running", "plan",
        "component world/rivers base waiting", "component world/rivers base downloading",
        "component world/rivers base staged", "applying", "component world/rivers base installed",
        "operation install done", "changed", "operation apply queued", "operation apply running",
        "component europe/latvia base waiting", "component europe/latvia base downloading",
        "component europe/atlantis base removed", "component europe/latvia base installed",
        "operation apply done", "changed", "state", "ready",
      ]
      var rest = later[...]
      for word in wanted {
        let index = try #require(rest.firstIndex(of: word), "\(word) in \(later)")
        rest = rest[(index + 1)...]
      }

      let state = try device.start(["watch"])
      Clock.sleep(milliseconds: 500)
      let first = words(try finish(state))
      #expect(first.first == "state" && first.last == "ready")
      #expect(first.contains("status"))
      for id in ["europe/iceland", "europe/latvia", "europe/malta", "world/airports", "world/rivers"] {
        #expect(first.contains { $0.hasPrefix("package \(id)") }, "\(first)")
      }
    }

    @Test("B9: progress is reported at least once a second while an operation is running")
    func progress() throws {
      let (device, server) = try slowDevice()
      let watch = try device.start(["watch"])
      try Device.waitUntilReady(watch)
      let apply = try device.start(["--json", "apply"])
      var last = Clock.milliseconds
      var longest: UInt64 = 0
      for _ in 0..<8 {
        _ = try #require(watch.waitForLine(with: "\"event\":\"progress\""))
        longest = max(longest, Clock.milliseconds - last)
        last = Clock.milliseconds
      }
      #expect(longest < 3000, "\(longest) ms between two events")
      _ = watch
      #expect(try device.finish(apply).exit == 0)
      _ = try finish(watch)
      _ = server
    }

    @Test("a watcher survives when the working process is killed and another one takes over")
    func restart() throws {
      let (device, server) = try slowDevice()
      let watch = try device.start(["watch"])
      try Device.waitUntilReady(watch)
      let apply = try device.start(["--json", "apply"])
      _ = try #require(watch.waitForLine(with: "\"event\":\"progress\""))
      apply.signal(SIGKILL)
      _ = apply.wait()
      #expect(try device.run("apply").exit == 0)
      _ = try #require(watch.waitForLine(with: "\"event\":\"changed\""))
      _ = try finish(watch)
      _ = server
    }

    @Test("a watcher that stops reading does not delay the updater, and ends when its reader has gone")
    func neverSlows() throws {
      let device = try sample.device(at: 2)
      let watch = try device.start(["watch"])
      try Device.waitUntilReady(watch)
      watch.signal(SIGSTOP)
      #expect(try device.run("apply").exit == 0)
      watch.signal(SIGCONT)
      _ = try finish(watch)
      let command = "'\(try Programs.tinyupdater())' --config '\(device.configuration)' watch | head -n 1"
      let run = try ChildProcess.run("sh", ["-c", command], timeout: 20)
      #expect(!run.isTimedOut && run.output.contains("\"event\":\"state\""))
    }

    @Test(
      "C4: on a terminal it shows the state in lines that stay where they are, and the progress of what is done"
    )
    func terminal() throws {
      let (device, server) = try slowDevice()
      let program = "'\(try Programs.tinyupdater())' --config '\(device.configuration)'"
      let session = try TerminalSession(
        "trap : INT; TERM=xterm LC_ALL=C.UTF-8 \(program) watch", columns: 60, lines: 20)
      let idle = try session.wait(for: "idle")
      #expect(idle.hasPrefix("release 2 (2024-02)\n"), "\(idle)")
      let apply = try device.start(["apply"])
      let busy = try session.wait(for: " % ")
      #expect(
        busy.hasPrefix("release 2 (2024-02)\n") && busy.contains("\nrunning     apply, process "), "\(busy)")
      #expect(busy.contains("\n            europe/") && busy.contains(" downloading\n"), "\(busy)")
      #expect(try device.run("install", "--no-wait", "world/rivers").exit == 25)
      try session.wait(for: "waiting     ")
      #expect(try device.finish(apply).exit == 0)
      let last = try session.wait { $0.contains("idle") && $0.contains("last run    ") }
      #expect(last.hasPrefix("release 4 (2024-04)\n") && !last.contains("\"event\""), "\(last)")
      #expect(last.components(separatedBy: "release ").count == 2, "\(last)")
      #expect(try device.run("rollback").exit == 0)
      try session.wait(for: "newest      release 4 (2024-04)")
      try session.press("C-c")
      try session.wait(for: "ended 0")
      withExtendedLifetime(server) {}
    }

    @Test("on a terminal, --json and a dumb terminal get the events", arguments: ["--json watch", "watch"])
    func events(command: String) throws {
      let device = try sample.device(at: 2)
      let program = "'\(try Programs.tinyupdater())' --config '\(device.configuration)'"
      let session = try TerminalSession(
        "TERM=\(command == "watch" ? "dumb" : "xterm") \(program) \(command)", columns: 100, lines: 50)
      try session.wait(for: "{\"event\":\"ready\"}")
    }

    @Test("B5: check reports the installed and the newest release, to observers too")
    func check() throws {
      let device = try sample.device(at: 2)
      let watch = try device.start(["watch"])
      try Device.waitUntilReady(watch)
      let check = try device.json("check").event("check")
      #expect((check["from"] as? [String: Any])?["number"] as? Int == 2)
      #expect((check["to"] as? [String: Any])?["number"] as? Int == 4)
      _ = try #require(watch.waitForLine(with: "\"event\":\"check\""))
      _ = try finish(watch)
    }
  }
}

extension Device {
  static func waitUntilReady(_ watch: ChildProcess) throws {
    _ = try #require(watch.waitForLine(with: "\"event\":\"ready\""))
  }
}
