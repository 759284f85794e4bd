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
