import Foundation
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Several servers with the same files: one that fails is passed over, and none is trusted more than another.
  @Suite("Mirrors")
  struct MirrorTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("mirror")
    }

    private func device(_ urls: [String], settings: String...) throws -> Device {
      let lines = urls.dropFirst().map { "repository = \($0)" } + settings
      return try sample.device(at: 2, of: urls[0], settings: lines.joined(separator: "\n"))
    }

    /// A copy of the repository that a test may spoil.
    private func copy(upTo release: Int? = nil) throws -> PublishedRepository {
      try sample.repository.copy(to: "\(scratch.path)/mirror", upTo: release)
    }

    private func skipped(_ run: Device.Run) -> [String] {
      run.events("notice").compactMap { $0["message"] as? String }.filter { $0.contains("is skipped") }
    }

    /// Updates, and expects that it works and that `bad` was passed over once.
    private func expectUpdate(_ device: Device, passingOver bad: WebServer) throws {
      let run = try device.json("apply")
      #expect(run.exit == 0, "\(run.error)")
      #expect(try device.installed() == sample.expected[4])
      let notices = skipped(run)
      #expect(notices.count == 1 && notices[0].hasPrefix("\(bad.url) is skipped"), "\(notices)")
    }

    @Test("the first server is asked as long as it works; the others only for newer metadata")
    func first() throws {
      let servers = try [WebServer(sample.repository.path), WebServer(sample.repository.path)]
      let device = try device(servers.map(\.url))
      let run = try device.json("apply")
      #expect(run.exit == 0 && skipped(run) == [], "\(run.error)")
      #expect(try servers[1].finish().allSatisfy { $0.path.hasPrefix("metadata/") })
      #expect(try !servers[0].finish().payloads.isEmpty)
    }

    @Test("a server that does not answer is asked twice, and then passed over")
    func dead() throws {
      let dead = try WebServer(sample.repository.path)
      dead.kill()
      let server = try WebServer(sample.repository.path)
      let device = try device([dead.url, server.url], settings: "retries = 4")
      let run = try device.json("apply")
      #expect(run.exit == 0 && run.events("connection-lost").count == 1, "\(run.output)")
      #expect(try device.installed() == sample.expected[4])
      #expect(skipped(run).count == 1)
      _ = try server.finish()
    }

    @Test("a connection that breaks in the middle of a file continues at the next server with the next byte")
    func breaks() throws {
      let first = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let second = try WebServer(sample.repository.path)
      let device = try device([first.url, second.url])
      let apply = try device.startInOverlay("apply")
      first.kill()
      let run = try device.finish(apply)
      #expect(run.exit == 0, "\(run.error)")
      #expect(try device.installed() == sample.expected[4])
      let range = try #require(try second.finish().payloads.first)
      #expect(range.status == 206 && range.range != "bytes=0-", "\(range)")
    }

    /// What a server does wrong with the files of a release.
    enum Wrong: CaseIterable {
      case payload, component, catalog, signature, missing, portal
    }

    @Test("a server with wrong files is passed over, whatever is wrong", arguments: Wrong.allCases)
    func wrong(what: Wrong) throws {
      let copy = try copy()
      let paths = try FileManager.default.subpathsOfDirectory(atPath: copy.path)
      func spoil(_ folder: String, _ change: (inout [UInt8]) -> Void) throws {
        for path in paths where path.hasPrefix(folder) {
          var isFolder: ObjCBool = false
          _ = FileManager.default.fileExists(atPath: "\(copy.path)/\(path)", isDirectory: &isFolder)
          if !isFolder.boolValue { try copy.edit(path, change) }
        }
      }
      var directives = ""
      switch what {
      case .payload: try spoil("payloads/") { $0[$0.count / 2] ^= 1 }
      case .component: try spoil("components/") { $0[$0.count - 1] ^= 1 }
      case .catalog: try spoil("catalogs/") { $0[$0.count / 2] ^= 1 }
      case .signature: try spoil("metadata/timestamp.json") { $0[$0.count / 2] ^= 1 }
      case .missing: directives = "location /payloads/ { return 404; }"
      case .portal: directives = "location /metadata/ { return 200 \"<html>Please log in</html>\"; }"
      }
      let bad = try WebServer(copy.path, directives: directives)
      let good = try WebServer(sample.repository.path)
      try expectUpdate(try device([bad.url, good.url]), passingOver: bad)
      #expect(try !bad.finish().isEmpty && !good.finish().isEmpty)
    }

    @Test(
      "nobody waits for a server that is slow, or asks for a pause, while another one is well",
      arguments: [
        "location / { add_header Retry-After 200 always; return 503; }", "limit_rate 160;",
      ])
    func waiting(directives: String) throws {
      let slow = try WebServer(sample.repository.path, directives: directives)
      let good = try WebServer(sample.repository.path)
      let device = try device([slow.url, good.url], settings: "retries = 5", "retry_delay = 1000")
      let start = Clock.milliseconds
      try expectUpdate(device, passingOver: slow)
      // One that is slow has five seconds for each file; with it, the metadata alone takes longer than this.
      #expect(Clock.milliseconds - start < 25_000)
      slow.kill()
    }

    /// Spoils the largest patch that an update downloads; its name.
    private func spoilPatch(in copy: PublishedRepository) throws -> String {
      let server = try WebServer(sample.repository.path)
      #expect(try sample.device(at: 2, of: server.url).run("apply").exit == 0)
      let entry = try #require(
        try server.finish().payloads.filter { $0.path.hasPrefix("payloads/") }.max { $0.sent < $1.sent })
      try copy.edit(entry.path) { $0[$0.count / 2] ^= 1 }
      return entry.path
    }

    @Test("a file that arrives damaged twice comes from the next server")
    func damagedCopy() throws {
      let copy = try copy()
      let path = try spoilPatch(in: copy)
      let servers = try [WebServer(copy.path), WebServer(sample.repository.path)]
      let device = try device(servers.map(\.url))
      try expectUpdate(device, passingOver: servers[0])
      #expect(try servers[0].finish().filter { $0.path == path }.count == 2)
      #expect(try servers[1].finish().filter { $0.path == path }.count == 1)
    }

    @Test(
      "without another server, a patch that arrives damaged twice is replaced by another download, with a notice"
    )
    func damagedPatch() throws {
      let copy = try copy()
      let path = try spoilPatch(in: copy)
      let server = try WebServer(copy.path)
      let device = try device([server.url])
      let run = try device.json("apply")
      #expect(run.exit == 0, "\(run.error)")
      #expect(try device.installed() == sample.expected[4])
      let notices = run.events("notice").compactMap { $0["message"] as? String }
      #expect(notices.contains("\(path) arrived damaged; downloading it again"), "\(notices)")
      #expect(
        notices.contains { $0.hasPrefix("\(path) arrives damaged each time; using another download") },
        "\(notices)")
      #expect(try server.finish().filter { $0.path == path }.count == 2)
      #expect(try device.staged == [])
    }

    @Test("where everything arrives damaged, nothing is installed")
    func allDamaged() throws {
      let copy = try copy()
      for folder in ["payloads", "components"] {
        for name in try names("\(copy.path)/\(folder)") {
          try copy.edit("\(folder)/\(name)") { $0[$0.count - 1] ^= 1 }
        }
      }
      let server = try WebServer(copy.path)
      let device = try device([server.url])
      let before = try device.state()
      let run = try device.run("apply")
      #expect(run.exit == 21, "\(run)")
      #expect(try device.state() == before)
      #expect(try device.queue() == [])
      #expect(try device.staged.allSatisfy { !$0.contains(".") })
    }

    @Test("a server that is behind what the device has seen is passed over")
    func behind() throws {
      let old = try WebServer(copy(upTo: 3).path)
      let new = try WebServer(sample.repository.path)
      let device = try device([new.url, old.url])
      #expect(try device.run("check").exit == 10)
      let turned = try Device(old.url, settings: "repository = \(new.url)")
      try turned.copyStore(of: device)
      try expectUpdate(turned, passingOver: old)
    }

    @Test("a file that no server has is a fallback or a failure, as with one server")
    func nowhere() throws {
      let servers = try [0, 1].map { _ in
        try WebServer(sample.repository.path, directives: "location /payloads/ { return 404; }")
      }
      let fallback = try device(servers.map(\.url))
      let run = try fallback.json("apply")
      #expect(run.exit == 0, "\(run.error)")
      #expect(try fallback.installed() == sample.expected[4])
      #expect(
        run.events("notice").contains {
          ($0["message"] as? String)?.contains("no longer on the server") ?? false
        })
    }

    @Test("if all servers fail, the device stays as it is and says so")
    func none() throws {
      let servers = try [WebServer(sample.repository.path), WebServer(sample.repository.path)]
      for server in servers { server.kill() }
      let device = try device(servers.map(\.url))
      let before = try device.state()
      let run = try device.run("apply")
      #expect(run.exit == 20 && run.error.contains("was not reached"), "\(run)")
      #expect(try device.state() == before)
      // What is named on the command line is asked alone.
      let server = try WebServer(sample.repository.path)
      #expect(try device.run("apply", "--repository", server.url).exit == 0)
      #expect(try device.installed() == sample.expected[4])
    }

    @Test("a stick that is not there is passed over without a network being needed for one that is")
    func stick() throws {
      let server = try WebServer(sample.repository.path)
      let device = try device(["file://\(scratch.path)/stick", server.url])
      #expect(try device.run("check").exit == 10)
      #expect(try !server.finish().isEmpty)
      let offline = try self.device(
        [server.url, sample.repository.url], settings: "offline = yes")
      let run = try offline.run("apply")
      #expect(run.exit == 0, "\(run.error)")
      #expect(try offline.installed() == sample.expected[4])
    }
  }
}
