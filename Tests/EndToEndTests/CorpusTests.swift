import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Real maps over https, in eight megabytes of memory.
  @Suite(
    "Corpus", .serialized, .tags(.corpus),
    .enabled(if: Corpus.isThere, "the corpus is not beside this checkout"),
    .enabled(if: Corpus.isPublishable, "an optimized tinypublish is missing: swift build -c release"))
  struct CorpusTests {
    private let corpus: Corpus
    private let authority: CertificateAuthority
    private let scratch: Scratch
    private let served: PublishedRepository

    init() throws {
      corpus = try Corpus()
      authority = try CertificateAuthority()
      // Beside the repository, so that its files are links.
      scratch = try Scratch("served", in: Corpus.cache)
      served = try corpus.repository.copy(to: "\(scratch.path)/repository")
    }

    /// Lets the server know only the releases up to this one.
    private func serve(upTo release: Int) throws {
      let copy = try corpus.repository.copy(to: "\(scratch.path)/releases", upTo: release)
      try served.replace("metadata/timestamp.json", try contents("\(copy.path)/metadata/timestamp.json"))
      try Programs.run("rm", "-rf", copy.path)
    }

    private func device(_ server: WebServer) throws -> Device {
      try Device(
        server.url, trusting: served, settings: "memory_budget = 8M",
        "certificate_authorities = \(authority.certificate)")
    }

    /// Runs a command, and expects that it ended at `release`, with every byte right, in its memory.
    @discardableResult
    private func expect(
      _ device: Device, at release: Int, without package: String? = nil, _ arguments: String...
    ) throws -> Device.Run {
      let run = try device.run(["--json"] + arguments)
      #expect(run.exit == 0, "\(arguments): \(run.output) \(run.error)")
      #expect(try device.release() == release)
      let expected = try corpus.repository.expected(of: corpus.files(release))
      #expect(
        try device.installed()
          == expected.filter { name, _ in package.map { !name.hasPrefix("\($0)/") } ?? true },
        "\(arguments)")
      #expect(try device.staged == [])
      let status = try device.json("status").event("status")
      let last = try #require(status["lastRun"] as? [String: Any])
      #expect(try #require(last["peakResident"] as? Int) < 8 << 20, "\(arguments): \(last)")
      return run
    }

    @Test("a device that follows takes patches from one and from two releases back")
    func follower() throws {
      let server = try WebServer(served.path, authority: authority)
      let device = try device(server)
      try serve(upTo: 1)
      try expect(device, at: 1, "install", "europe")
      try serve(upTo: 2)
      let first = try expect(device, at: 2, "apply")
      try serve(upTo: 4)
      let second = try expect(device, at: 4, "apply")
      for run in [first, second] {
        #expect(try run.number("plan", "patched") > 0)
        #expect(try run.number("plan", "download") < run.number("plan", "downloadWithoutPatches"))
      }
      try expect(device, at: 4, without: "europe/france", "uninstall", "europe/france")
      try expect(device, at: 4, "install", "europe/france")
      try expect(device, at: 4, without: "europe/france", "rollback")
      #expect(try device.run("verify").exit == 0)
      _ = try server.finish()
    }

    @Test("a device three releases behind is updated by chains of patches")
    func straggler() throws {
      let server = try WebServer(served.path, authority: authority)
      let device = try device(server)
      try serve(upTo: 1)
      try expect(device, at: 1, "install", "europe")
      try serve(upTo: 4)
      let run = try expect(device, at: 4, "apply")
      #expect(try run.number("plan", "chained") > 0)
      #expect(try run.number("plan", "download") < run.number("plan", "downloadWithoutPatches"))
      try expect(device, at: 1, "rollback")
      let log = try server.finish()
      #expect(log.payloads.allSatisfy { $0.status == 200 })
    }
  }
}
