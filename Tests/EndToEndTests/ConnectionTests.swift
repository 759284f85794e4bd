import Foundation
import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Connections that are lost for a while.
  @Suite("Connections")
  struct ConnectionTests {
    private let sample: Sample

    init() throws { sample = try Sample.shared.get() }

    /// How a connection is lost.
    enum Loss: CaseIterable {
      /// Nobody listens at the port.
      case killed
      /// The port takes connections and bytes, and never answers.
      case blackHole
    }

    /// A device that is patient, and looks twice a second whether the connection is back.
    private func patientDevice(_ server: WebServer) throws -> Device {
      try sample.device(
        at: 2, of: server.url,
        settings: "retries = 100", "retry_delay = 250", "stall_timeout = 3", "connect_timeout = 2")
    }

    @Test("a device calls itself what its maker wants, or by the program and its version")
    func userAgent() throws {
      let sample = try Sample.shared.get()
      for (settings, name) in [
        ("user_agent = Plotter/7 (unit 1)", "Plotter/7 (unit 1)"), ("", "tinyupdater/0.1.0"),
      ] {
        let server = try WebServer(
          sample.repository.path, directives: "if ($http_user_agent != \"\(name)\") { return 403; }")
        let device = try sample.device(at: 2, of: server.url, settings: settings)
        let run = try device.run("apply")
        #expect(run.exit == 0, "\(run.error)")
        _ = try server.finish()
      }
    }

    @Test(
      "B10: a connection that is lost for ten seconds is reported and found again, and nothing is fetched twice",
      arguments: Loss.allCases)
    func lostForTenSeconds(loss: Loss) throws {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try patientDevice(server)
      let apply = try device.startInOverlay("apply")
      var after: WebServer?
      switch loss {
      case .killed: server.kill()
      case .blackHole: try server.pause()
      }
      Clock.sleep(milliseconds: 10_000)
      let stored = try device.partSize()
      switch loss {
      case .killed: after = try WebServer(sample.repository.path, port: server.port)
      case .blackHole: try server.goOn()
      }
      let run = try device.finish(apply)
      #expect(run.exit == 0, "\(run.error)")
      let connection = run.events.compactMap { $0["event"] as? String }.filter { $0.hasPrefix("connection-") }
      #expect(connection.first == "connection-lost" && connection.last == "connection-found")
      // A server that comes back from standing still can falter again.
      let found = connection.filter { $0 == "connection-found" }.count
      #expect(found == 1 || loss == .blackHole && found > 1)
      #expect(try device.installed() == sample.expected[4])
      // The first request that brought bytes again began where the last one ended.
      let log = try (after ?? server).finish()
      let resumed = log.payloads.filter { $0.range == "bytes=\(stored)-" && $0.status == 206 }
      #expect(stored > 0 && resumed.contains { $0.sent > 0 }, "\(stored) \(log.payloads)")
    }

    @Test("B10: an update that is killed resumes with the next byte an hour later")
    func killedForAnHour() throws {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try patientDevice(server)
      let apply = try device.startInOverlay("apply")
      apply.signal(SIGKILL)
      _ = apply.wait()
      let stored = try device.partSize()
      server.kill()
      // As far as the device can see, an hour goes by: everything that it wrote is an hour older.
      try Programs.run("sh", "-c", "find '\(device.root)' -exec touch -h -d '1 hour ago' {} +")
      let after = try WebServer(sample.repository.path, port: server.port)
      let run = try device.json("apply")
      #expect(run.exit == 0, "\(run.error)")
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.staged == [])
      let log = try after.finish()
      #expect(stored > 0 && log.payloads.first?.range == "bytes=\(stored)-", "\(log.payloads)")
      #expect(log.payloads.first?.status == 206)
    }
  }
}

extension Device {
  /// Bytes that are there of the component that is being fetched.
  fileprivate func partSize() throws -> Int {
    let part = try #require(try staged.first { $0.hasSuffix(".part") })
    return try contents("\(root)/staging/\(part)").count
  }
}
