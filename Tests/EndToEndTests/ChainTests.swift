import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Devices far behind reach the newest release by several patches.
  @Suite("Chains")
  struct ChainTests {
    private let scratch: Scratch
    private let repository: PublishedRepository
    /// At release 1 of four; there are patches from each release to the next, and no others.
    private let device: Device
    private let newest: [String: String]
    /// The patches that it takes, in their order.
    private let chain: [String]

    init() throws {
      scratch = try Scratch("chains")
      repository = PublishedRepository(path: "\(scratch.path)/repository")
      try repository.make()
      var generator = SeededGenerator(31)
      var words = (0..<60_000).map { _ in generator.next() & 0x1f1f_1f1f_1f1f_1f1f }
      var digests: [String] = []
      var patches: [String] = []
      device = try Device(repository.url, trusting: repository)
      for release in 1...4 {
        for _ in 0..<100 * release { words[.random(in: words.indices, using: &generator)] = generator.next() }
        try scratch.write("maps/europe/malta/base.bin", words.withUnsafeBytes { Array($0) })
        let known = try names("\(repository.path)/payloads")
        try repository.tinypublish(
          "release", repository.path, "\(scratch.path)/maps", "--label", "\(release)", "--patch-from", "1")
        if release == 1 { #expect(try device.run("install", "europe").exit == 0) }
        let components = try names("\(repository.path)/components").map { String($0.prefix(64)) }
        digests.append(try #require(components.first { !digests.contains($0) }))
        // A release has its packed component and one patch; the patch is by far the smaller one.
        let new = try names("\(repository.path)/payloads").filter { !known.contains($0) }
        let folder = "\(repository.path)/payloads"
        let smallest = try new.min {
          try contents("\(folder)/\($0)").count < contents("\(folder)/\($1)").count
        }
        if release > 1 { patches.append("payloads/\(try #require(smallest))") }
      }
      newest = ["europe/malta/base.bin": digests[3]]
      chain = patches
      #expect(try device.installed() == ["europe/malta/base.bin": digests[0]])
    }

    private func size(_ name: String) throws -> Int { try contents("\(repository.path)/\(name)").count }

    private func apply(_ directives: String = "") throws -> (run: Device.Run, asked: [WebServer.Entry]) {
      let server = try WebServer(repository.path, directives: directives)
      let run = try device.json("--repository", server.url, "apply")
      return (run, try server.finish().payloads)
    }

    private func expectNewest(_ run: Device.Run) throws {
      #expect(run.exit == 0, "\(run.error)")
      #expect(try device.installed() == newest)
      #expect(try device.staged == [])
      #expect(try device.run("verify").exit == 0)
    }

    @Test(
      "the plan shows that a chain is used and what each alternative costs, and each patch is fetched once")
    func wayByWay() throws {
      let plan = try device.json("plan")
      let bytes = try chain.reduce(0) { $0 + (try size($1)) }
      let package = try plan.event("package")
      let component = try #require((package["payloads"] as? [[String: Any]])?.first)
      #expect(component["way"] as? String == "chain" && component["payload"] as? String == "patch")
      #expect(component["patches"] as? Int == 3 && component["download"] as? Int == bytes)
      let ways = try #require(component["ways"] as? [String: Any])
      #expect(ways["patch"] == nil && ways["chain"] as? Int == bytes)
      #expect(try #require(ways["full"] as? Int) > bytes)
      #expect(try plan.number("plan", "chained") == 1 && plan.number("plan", "download") == bytes)
      let peak = try plan.number("plan", "peakDisk")
      #expect(peak > 2 * 480_000 && peak < 2 * 480_000 + 200_000)
      #expect(try device.run("plan").output.contains("base: chain (full "))

      let (run, asked) = try apply()
      try expectNewest(run)
      #expect(asked.map(\.path) == chain && asked.sent == bytes)
      let progress = run.events("progress").compactMap { $0["done"] as? Int }
      #expect(progress.allSatisfy { $0 <= bytes } && progress == progress.sorted())
      let history = try device.json("history").events("history").last?["happened"] as? [String: Any]
      #expect(history?["download"] as? Int == bytes)
    }

    @Test("a chain resumes with the results of the patches that were applied before")
    func resumed() throws {
      let (failed, before) = try apply("location = /\(chain[2]) { return 503; }")
      #expect(failed.exit == 20)
      #expect(Set(before.map(\.path)) == Set(chain))
      #expect(try device.staged.filter { !$0.contains(".") }.count == 1)
      #expect(try device.json("plan").number("plan", "download") == size(chain[2]))
      let (run, asked) = try apply()
      try expectNewest(run)
      #expect(asked.map(\.path) == [chain[2]])
    }

    @Test("an intermediate file that is damaged in staging is produced again")
    func damaged() throws {
      #expect(try apply("location = /\(chain[2]) { return 503; }").run.exit == 20)
      let name = try #require(try device.staged.first { !$0.contains(".") })
      let file = try Directory(opening: "\(device.root)/staging").open(name, to: .update)
      for offset in stride(from: 0, to: 480_000, by: 100) as StrideTo<UInt64> {
        try file.write([UInt8](repeating: 7, count: 8).span.bytes, at: offset)
      }
      let (run, asked) = try apply()
      try expectNewest(run)
      #expect(asked.map(\.path) == [chain[2]] + chain)
      #expect(
        run.events("notice").compactMap { $0["message"] as? String } == [
          "the partial download of \(chain[2]) is damaged; downloading it again"
        ])
    }

    @Test("if a patch of a chain is missing, the next cheapest download is used")
    func gone() throws {
      let (run, asked) = try apply("location = /\(chain[1]) { return 404; }")
      try expectNewest(run)
      #expect(asked.map(\.path).prefix(2) == chain[..<2] && asked.count == 3)
      #expect(
        run.events("notice").compactMap { $0["message"] as? String } == [
          "\(chain[1]) is no longer on the server; using another download"
        ])
      let downloading = run.events("component").filter { $0["state"] as? String == "downloading" }
      #expect(downloading.map { $0["way"] as? String } == ["chain", "full"])
    }
  }
}
