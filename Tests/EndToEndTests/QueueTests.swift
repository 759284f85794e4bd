import Foundation
import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// More than one process, more than one operation.
  @Suite("The queue")
  struct QueueTests {
    private let sample: Sample

    init() throws { sample = try Sample.shared.get() }

    /// A device at release 2 that fetches slowly, and the server that it fetches from.
    private func slowDevice() throws -> (Device, WebServer) {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      return (try sample.device(at: 2, of: server.url), server)
    }

    /// What the event log says of operations, such as "apply running".
    private func states(_ device: Device) throws -> [String] {
      try device.eventLog().filter { $0["event"] as? String == "operation" }
        .map { "\($0["command"] ?? "") \($0["state"] ?? "")" }
    }

    @Test("C8: an install takes priority over a running update, which keeps what it staged and resumes")
    func manualFirst() throws {
      let (device, server) = try slowDevice()
      let apply = try device.startInOverlay("apply")
      let install = try device.json("install", "world/rivers")
      #expect(install.exit == 0, "\(install.error)")
      // The install came first, at the release that the device had.
      #expect(try device.release() == 2)
      #expect(try device.installed().keys.contains("world/rivers/base.bin"))
      let update = try device.finish(apply)
      #expect(update.exit == 0, "\(update.error)")
      #expect(try device.release() == 4)
      #expect(try device.staged == [])
      // The working process can see an operation before the one that added it has said so.
      var states = Array(try states(device).suffix(8))
      let queued = try #require(states.firstIndex(of: "install queued"), "\(states)")
      #expect(states.remove(at: queued) == "install queued" && queued >= 2, "\(states)")
      #expect(
        states == [
          "apply queued", "apply running", "apply waiting", "install running", "install done",
          "apply running", "apply done",
        ])
      // What was there of the component that was being fetched was not fetched again.
      let log = try server.finish()
      let overlay = log.filter { $0.path.hasPrefix("components/") && $0.range != "-" }
      #expect(overlay.count == 1 && overlay.allSatisfy { $0.status == 206 }, "\(log)")
    }

    @Test(
      "A8: maps marked for download are shown as waiting, with the current activity and the available actions"
    )
    func waiting() throws {
      let (device, server) = try slowDevice()
      #expect(try device.run("check").exit == 10)
      let apply = try device.startInOverlay("apply")
      try server.pause()
      let install = try device.start(["--json", "apply", "europe"])
      try device.waitForEvent("\"command\":\"apply\",\"ids\":[\"europe\"]")
      let packages = try device.json("list").events("package")
      func say(_ id: String, _ key: String) -> String {
        packages.first { $0["id"] as? String == id }.map { "\($0[key] ?? "nothing")" } ?? ""
      }
      #expect(say("europe/latvia", "activity") == "downloading")
      #expect(say("europe/malta", "activity") == "waiting")
      #expect(say("world/airports", "activity") == "waiting")
      #expect(say("europe/iceland", "activity") == "nothing")
      #expect(packages.first { $0["id"] as? String == "europe/malta" }?["actions"] as? [String] == ["cancel"])
      let text = try device.run("list", "--tree")
      #expect(text.output.contains("Waiting…") || text.output.contains("Waiting..."), "\(text.output)")
      #expect(try device.run("cancel").exit == 0)
      for child in [apply, install] { #expect(try device.finish(child).exit == 26) }
      _ = server
    }

    @Test("the working process carries out the operation of one that does not wait")
    func noWait() throws {
      let (device, server) = try slowDevice()
      let apply = try device.startInOverlay("apply")
      try server.pause()
      let install = try device.json("install", "--no-wait", "world/rivers")
      #expect(install.exit == 25)
      try server.goOn()
      #expect(try device.finish(apply).exit == 0)
      #expect(try device.installed().keys.contains("world/rivers/base.bin"))
      #expect(try device.release() == 4)
      _ = server
    }

    @Test("C7: cancelling everything ends the running operation and the waiting one, and leaves no files")
    func cancelAll() throws {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 4, of: server.url)
      #expect(try device.run("uninstall", "europe/latvia").exit == 0)
      let before = try device.state()
      let install = try device.startInOverlay("install", "europe/latvia", "world/rivers")
      try server.pause()
      // One operation of a user does not step aside for another.
      let waiting = try device.start(["--json", "uninstall", "europe/malta"])
      try device.waitForEvent("\"state\":\"queued\",\"command\":\"uninstall\",\"ids\":[\"europe/malta\"]")
      let start = Clock.milliseconds
      let cancel = try device.json("cancel")
      #expect(Clock.milliseconds - start < 2000)
      #expect(try cancel.exit == 0 && cancel.number("result", "cancelled") == 2)
      for child in [install, waiting] {
        let run = try device.finish(child)
        #expect(run.exit == 26, "\(run.error)")
        #expect(try run.event("result")["result"] as? String == "OperationCancelled")
      }
      #expect(try device.state() == before)
      #expect(try device.staged == [])
      #expect(try device.json("cancel").number("result", "cancelled") == 0)
      _ = server
    }
  }
}

extension Device {
  /// What happened, as other processes see it.
  func eventLog() throws -> [[String: Any]] {
    let text = String(decoding: try contents("\(root)/events"), as: UTF8.self)
    return try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
  }

  /// Returns when a line of the event log has `text`.
  func waitForEvent(_ text: String) throws {
    let end = Clock.milliseconds + 30_000
    while Clock.milliseconds < end {
      if String(decoding: try contents("\(root)/events"), as: UTF8.self).contains(text) { return }
      Clock.sleep(milliseconds: 20)
    }
    Issue.record("no event with \(text)")
  }
}
