import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Connections that break, and users who change their minds.
  @Suite("Interruptions")
  struct InterruptionTests {
    private let sample: Sample

    init() throws { sample = try Sample.shared.get() }

    @Test("after a server failed during a download, the next run resumes with the next byte")
    func serverDown() throws {
      let slow = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 2, of: slow.url)
      let before = try device.state()
      let child = try device.startInOverlay("apply")
      slow.kill()
      let run = try device.finish(child)
      #expect(run.exit == 20)
      #expect(run.events("connection-lost").count == 2)
      let message = try run.event("result")["message"] as? String ?? ""
      #expect(
        message.hasPrefix("\(slow.url)/") && message.contains("was not reached in 3 attempts"), "\(message)")
      #expect(try device.state() == before)
      let staged = try device.staged
      let part = try #require(staged.first { $0.hasSuffix(".part") })
      let size = try contents("\(device.root)/staging/\(part)").count
      #expect(size > 0)

      let fast = try WebServer(sample.repository.path)
      let again = try device.run("--repository", fast.url, "apply")
      #expect(again.exit == 0, "\(again.error)")
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.staged == [])
      let log = try fast.finish()
      #expect(log.payloads.first?.range == "bytes=\(size)-")
      #expect(log.payloads.first?.status == 206)
      #expect(log.filter { $0.path.hasPrefix("catalogs/") } == [], "the catalog was staged")
    }

    @Test("SIGINT in the middle of a download cancels and cleans up")
    func cancelled() throws {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 2, of: server.url)
      let before = try device.state()
      let child = try device.startInOverlay("apply")
      child.signal(SIGINT)
      let run = try device.finish(child)
      #expect(run.exit == 26)
      #expect(try run.event("result")["result"] as? String == "OperationCancelled")
      #expect(try device.staged == [])
      #expect(try device.state() == before)
      #expect(try device.json("status").event("status")["lastRun"] != nil)
    }

    /// What a power loss can leave of files that were not synchronized yet.
    enum Torn: CaseIterable { case zeros, allZeros, garbage }

    @Test(
      "a partial download that a power loss has torn is fetched again",
      arguments: ["catalogs", "payloads", "components"],
      Torn.allCases)
    func torn(folder: String, torn: Torn) throws {
      let device = try sample.device(at: 2)
      var count = 0
      for file in try names("\(sample.repository.path)/\(folder)") {
        // Of a patched component this is the new file in the making.
        let digest = file.parts(separatedBy: ".")[0]
        let bytes = try contents("\(sample.repository.path)/\(folder)/\(file)")
        let place = folder == "catalogs" ? "catalogs" : "staging"
        let name =
          "\(device.root)/\(place)/\(digest)\(torn == .allZeros && folder == "payloads" ? "" : ".part")"
        let half = bytes.count / 2
        let beginning: [UInt8] =
          switch torn {
          case .zeros: bytes[..<(half / 2)] + [UInt8](repeating: 0, count: half)
          case .allZeros: [UInt8](repeating: 0, count: bytes.count)
          case .garbage: [UInt8](repeating: 0xa5, count: half)
          }
        let staged = try File(opening: name, to: .replace)
        try staged.write(beginning.span.bytes)
        try staged.close()
        count += 1
      }
      #expect(count > 3)
      let run = try device.run("apply")
      #expect(run.exit == 0, "\(run.error)")
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.staged == [])
    }

    @Test("an unreachable server is a failed connection, and changes nothing")
    func nobody() throws {
      let server = try WebServer(sample.repository.path)
      server.kill()
      let device = try sample.device(at: 2, of: server.url)
      let before = try device.state()
      for command in ["check", "plan", "apply"] {
        let run = try device.run(command)
        #expect(run.exit == 20)
        #expect(
          run.error.contains("\(server.url)/metadata/2.root.json was not reached in 3 attempts"),
          "\(run.error)")
      }
      #expect(try device.state() == before)
      for command in ["status", "verify", "list"] { #expect(try device.run(command).exit == 0, "\(command)") }
    }
  }
}
