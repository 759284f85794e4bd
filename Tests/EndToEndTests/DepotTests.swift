import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// A depot has files and no metadata: it saves downloads, and can hide and spoil nothing.
  @Suite("Depots")
  struct DepotTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("depot")
    }

    private func copy(upTo release: Int? = nil) throws -> PublishedRepository {
      try sample.repository.copy(to: "\(scratch.path)/copy", upTo: release)
    }

    private func spoil(_ folder: String, of copy: PublishedRepository, _ change: (inout [UInt8]) -> Void)
      throws
    {
      for name in try names("\(copy.path)/\(folder)") { try copy.edit("\(folder)/\(name)", change) }
    }

    @Test("files come from the depot, metadata from the repository")
    func files() throws {
      let depot = try WebServer(sample.repository.path)
      let server = try WebServer(sample.repository.path)
      let device = try sample.device(at: 2, of: server.url, settings: "content = \(depot.url)")
      #expect(try device.run("apply").exit == 0)
      #expect(try device.installed() == sample.expected[4])
      #expect(try server.finish().allSatisfy { $0.path.hasPrefix("metadata/") })
      let asked = try depot.finish()
      #expect(!asked.isEmpty && asked.allSatisfy { !$0.path.hasPrefix("metadata/") })
    }

    @Test("a depot that is behind hides no release")
    func stale() throws {
      let stale = try copy(upTo: 2)
      let newest = try sample.repository.denying("europe/latvia", with: 404)
      let depot = try WebServer(stale.path, directives: newest)
      let server = try WebServer(sample.repository.path)
      let device = try sample.device(at: 2, of: server.url, settings: "content = \(depot.url)")
      #expect(try device.run("check").exit == 10)
      let run = try device.json("apply")
      #expect(run.exit == 0 && !run.output.contains("is skipped"), "\(run.output)")
      #expect(try device.installed() == sample.expected[4])
      #expect(try !server.finish().payloads.isEmpty)
    }

    /// What a depot can do wrong.
    enum Wrong: CaseIterable { case bytes, cut, empty, dead, forbidden, portal, slow }

    @Test("a depot that does anything wrong is passed over", arguments: Wrong.allCases)
    func wrong(what: Wrong) throws {
      let copy = try copy()
      var directives = ""
      switch what {
      case .bytes:
        for folder in ["payloads", "components", "catalogs"] {
          try spoil(folder, of: copy) { $0[$0.count / 2] ^= 1 }
        }
      case .cut:
        for folder in ["payloads", "components"] { try spoil(folder, of: copy) { $0.removeLast(9) } }
      case .empty: directives = "location / { return 404; }"
      case .forbidden: directives = "location / { return 403; }"
      case .portal: directives = "location / { return 200 \"<html>Please log in</html>\"; }"
      case .slow: directives = "location / { limit_rate 160; }"
      case .dead: break
      }
      let depot = try WebServer(copy.path, directives: directives)
      if what == .dead { depot.kill() }
      let server = try WebServer(sample.repository.path)
      let device = try sample.device(at: 2, of: server.url, settings: "content = \(depot.url)")
      let run = try device.json("apply")
      #expect(run.exit == 0, "\(run.output)")
      #expect(try device.installed() == sample.expected[4])
      #expect(!Checkout.isFile("\(device.root)/refused"))
      depot.kill()
    }

    @Test("a refusal of the depot is none: the repository says who may have what")
    func refusal() throws {
      let denied = try sample.repository.denying("europe/malta")
      let depot = try WebServer(sample.repository.path, directives: denied)
      let server = try WebServer(sample.repository.path, directives: denied)
      let device = try sample.device(at: 2, of: server.url, settings: "content = \(depot.url)")
      let run = try device.json("apply")
      #expect(run.exit == 15 && run.events.last?["refused"] as? [String] == ["europe/malta"], "\(run.output)")
      server.kill()
      #expect(try device.run("--repository", sample.repository.url, "apply").exit == 0)
    }

    @Test(
      "of several repositories, the newest metadata count, whichever comes first", arguments: [false, true])
    func newest(isReversed: Bool) throws {
      let old = try WebServer(copy(upTo: 3).path)
      let new = try WebServer(sample.repository.path)
      let urls = isReversed ? [new.url, old.url] : [old.url, new.url]
      let device = try sample.device(at: 2, of: urls[0], settings: "repository = \(urls[1])")
      let check = try device.json("check")
      #expect(check.exit == 10, "\(check.output)")
      #expect((try check.event("check")["to"] as? [String: Any])?["number"] as? Int == 4)
      #expect(try device.run("apply").exit == 0)
      #expect(try device.release() == 4)
      #expect(try device.installed() == sample.expected[4])
    }

    @Test("a second repository that is down costs one attempt")
    func down() throws {
      let new = try WebServer(sample.repository.path)
      let dead = try WebServer(sample.repository.path)
      dead.kill()
      let device = try sample.device(at: 2, of: new.url, settings: "repository = \(dead.url)\nretries = 5")
      let run = try device.json("apply")
      #expect(run.exit == 0 && run.events("connection-lost").isEmpty, "\(run.output)")
      #expect(try device.release() == 4)
    }

    @Test("more depots than a configuration takes, and passwords in their URLs, are refused")
    func configuration() throws {
      let lines = (0..<9).map { "content = http://depot\($0)/" }.joined(separator: "\n")
      let many = try Device(sample.repository.url, settings: lines).run("check")
      #expect(many.exit == 78 && many.error.contains("more than 8 lines of content"), "\(many.error)")
      let secret = try Device(sample.repository.url, settings: "content = http://me:word@depot/").run("check")
      #expect(secret.exit == 78 && secret.error.contains("a password does not belong"), "\(secret.error)")
    }
  }
}
