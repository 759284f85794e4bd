import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What `status` says for those who watch a device.
  @Suite("Status")
  struct StatusTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("status")
    }

    private func status(_ device: Device) throws -> [String: Any] {
      try device.json("status").event("status")
    }

    private func failure(_ device: Device) throws -> [String: Any]? {
      try status(device)["lastFailure"] as? [String: Any]
    }

    @Test("it has the last contact, the end of every signature and the free space")
    func contact() throws {
      let server = try WebServer(sample.repository.path)
      let device = try sample.device(at: 2, of: server.url)
      try Programs.run("rm", "-f", "\(device.root)/contact")
      #expect(try status(device)["contact"] == nil)
      let before = Clock.timestamp(Clock.now)
      #expect(try device.run("check").exit == 10)
      let status = try status(device)
      let contact = try #require(status["contact"] as? String)
      #expect(contact >= before && contact <= Clock.timestamp(Clock.now))
      #expect(status["free"] as? Int ?? 0 > 0)
      let signatures = try #require(status["signatures"] as? [[String: Any]])
      #expect(signatures.map { $0["role"] as? String } == ["root", "targets", "snapshot", "timestamp"])
      #expect(signatures.allSatisfy { $0["expired"] as? Bool == false })
      let text = try device.run("status").output
      #expect(text.contains("\ncontact     at \(contact)\n"), "\(text)")
      #expect(text.contains("\nsignatures  valid until ") && text.contains("\nfree        "), "\(text)")
    }

    @Test("a device that has installed nothing has contact, too")
    func empty() throws {
      let device = try Device(sample.repository.url)
      #expect(try device.run("check").exit == 0)
      let status = try status(device)
      #expect(status["components"] as? Int == 0 && status["contact"] is String)
      #expect((status["signatures"] as? [Any])?.count == 4)
    }

    @Test("a bundle is no contact")
    func bundle() throws {
      let device = try sample.device(at: 2)
      try Programs.run("rm", "-f", "\(device.root)/contact")
      #expect(try device.run("check", "--from", sample.repository.path).exit == 10)
      #expect(try status(device)["contact"] == nil)
    }

    @Test("a check writes nothing that is known already")
    func wear() throws {
      let device = try sample.device(at: 2)
      #expect(try device.run("check").exit == 10)
      func identity() throws -> String {
        try ChildProcess.run("stat", ["-c", "%i %z", "\(device.root)/contact"]).output
      }
      let first = try identity()
      #expect(try device.run("check").exit == 10)
      #expect(try identity() == first)
    }

    @Test("a failed connection matters until the repository is reached again")
    func connection() throws {
      var server = try WebServer(sample.repository.path)
      let device = try sample.device(at: 4, of: server.url)
      #expect(try failure(device) == nil)
      let port = server.port
      server.kill()
      #expect(try device.run("apply").exit == 20)
      let failed = try #require(try failure(device))
      #expect(failed["matters"] as? Bool == true && failed["exit"] as? Int == 20)
      var text = try device.run("status").output
      #expect(
        text.contains("\nfailure     apply at ") && text.contains(": no connection, or refused ("), "\(text)")
      #expect(!text.contains("ConnectionFailed"), "\(text)")
      server = try WebServer(sample.repository.path, port: port)
      #expect(try device.run("check").exit == 0)
      #expect(try failure(device)?["matters"] as? Bool == false)
      text = try device.run("status").output
      #expect(text.contains("; the repository was reached since\n"), "\(text)")
      #expect(try device.run("apply").exit == 0)
      #expect(try failure(device)?["matters"] as? Bool == false)
      #expect(try !device.run("status").output.contains("\nfailure "))
    }

    @Test("a file that the server refuses matters, although its metadata comes")
    func refused() throws {
      let server = try WebServer(
        sample.repository.path,
        directives: "location /payloads/ { return 403; } location /components/ { return 403; }")
      let device = try sample.device(at: 2, of: server.url)
      #expect(try device.run("apply").exit == 15)
      #expect(try device.run("check").exit == 10)
      let failed = try #require(try failure(device))
      #expect(failed["matters"] as? Bool == true && failed["result"] as? String == "Refused", "\(failed)")
    }

    @Test("people read words, not the names of results")
    func words() throws {
      let device = try sample.device(at: 2)
      #expect(try device.run("apply").exit == 0)
      for command in ["status", "history"] {
        let text = try device.run(command).output
        #expect(text.contains("done") && !text.contains("Success"), "\(text)")
      }
    }
  }
}
