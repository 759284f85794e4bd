import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Links that are slow, or cost by the byte, and devices that are to come one after the other.
  @Suite("Metered links")
  struct MeteredTests {
    private let sample: Sample
    private let server: WebServer
    private static let limit = 256 << 10

    init() throws {
      sample = try Sample.shared.get()
      server = try WebServer(sample.repository.path)
    }

    private func freshDevice(_ settings: String...) throws -> Device {
      try Device(server.url, settings: settings.joined(separator: "\n"))
    }

    /// Runs a command on a server of its own for its log; the bytes that this one sent.
    private func sent(
      _ device: Device, _ words: String..., expecting exit: Int32, _ text: String = ""
    ) throws -> Int {
      let server = try WebServer(sample.repository.path)
      let run = try device.run(words + ["--repository", server.url])
      #expect(run.exit == exit && run.error.contains(text), "\(run.exit ?? -1): \(run.error)")
      return try server.finish().sent
    }

    @Test("a run stops at its limit, and the next one continues there until all is done")
    func perRun() throws {
      let device = try freshDevice("download_limit = \(MeteredTests.limit)")
      var sums: [Int] = []
      while true {
        let server = try WebServer(sample.repository.path)
        let run = try device.run("install", "europe", "--repository", server.url)
        sums.append(try server.finish().sent)
        if run.exit == 0 { break }
        #expect(run.exit == 20 && run.error.contains("download_limit is reached"), "\(run)")
        try #require(sums.count < 40)
      }
      // The limit is asked for as a range: nothing more is on its way.
      #expect(sums.count > 3 && sums.allSatisfy { $0 <= MeteredTests.limit }, "\(sums)")
      #expect(try Set(device.installed().keys).isSuperset(of: ["europe/malta/base.bin"]))
      let whole = try sent(freshDevice(), "install", "europe", expecting: 0)
      let metadata = 40_000 * sums.count
      #expect(sums.reduce(0, +) <= whole + metadata, "\(sums) \(whole)")
    }

    @Test("a server without ranges is held to the limit as well")
    func withoutRanges() throws {
      let device = try freshDevice("download_limit = \(MeteredTests.limit)")
      let server = try WebServer(sample.repository.path, directives: "max_ranges 0;")
      let run = try device.json("install", "europe/malta", "--repository", server.url)
      #expect(run.exit == 20, "\(run.error)")
      let came = try #require(try device.run("history", "1").output.isEmpty ? nil : device)
      let line = String(decoding: try contents("\(came.root)/history"), as: UTF8.self)
      let bytes = try #require(Int(line.split(separator: " ")[7]))
      #expect(bytes >= MeteredTests.limit && bytes < MeteredTests.limit + (64 << 10), "\(line)")
    }

    @Test("what came today counts against the limit of the day, in every process")
    func perDay() throws {
      let device = try freshDevice("download_limit_day = \(MeteredTests.limit)")
      let sentence = "download_limit_day is reached"
      let first = try sent(device, "install", "europe/malta", expecting: 20, sentence)
      #expect(first <= MeteredTests.limit && first > MeteredTests.limit - 4096, "\(first)")
      #expect(try sent(device, "install", "europe/malta", expecting: 20, sentence) == 0)
      #expect(try sent(device, "check", expecting: 20, sentence) == 0)
      // A new day, or a note that is damaged.
      try Directory(opening: device.root).remove("downloads")
      let next = try sent(device, "install", "europe/malta", expecting: 20, sentence)
      #expect(next <= MeteredTests.limit && next > MeteredTests.limit - 4096, "\(next)")
    }

    @Test("an update from a stick does not count")
    func stick() throws {
      let device = try freshDevice("download_limit = \(MeteredTests.limit)", "download_limit_day = 256K")
      let run = try device.run("install", "europe", "--repository", sample.repository.url)
      #expect(run.exit == 0, "\(run.error)")
    }

    @Test("rate_limit slows a download down")
    func rate() throws {
      let device = try freshDevice("rate_limit = 400K")
      let start = Clock.milliseconds
      let bytes = try sent(device, "install", "europe/malta", expecting: 0)
      let least = UInt64(bytes) * 1000 / (400 << 10)
      #expect(least > 2000 && Clock.milliseconds - start > least * 3 / 4, "\(bytes)")
    }

    @Test(
      "fallback = never: where the patches of a map cannot be used, the update is refused with its name and size"
    )
    func noFallback() throws {
      let server = try WebServer(
        sample.repository.path, directives: "location /payloads/ { return 404; }")
      let never = try sample.device(at: 2, of: server.url, settings: "fallback = never")
      let before = try never.state()
      let run = try never.run("apply")
      #expect(run.exit == 20 && run.error.contains("would come in full ("), "\(run)")
      #expect(run.error.contains("fallback = full"))
      #expect(try never.state() == before)
      // What is new in the release has no patches, and is no fallback.
      let whole = try sample.device(at: 2, of: self.server.url, settings: "fallback = never")
      #expect(try whole.run("apply").exit == 0)
      #expect(try whole.installed() == sample.expected[4])
    }

    @Test("fallback = never: a damaged map does not come in full, before anything is downloaded for it")
    func damagedWithoutFallback() throws {
      let device = try sample.device(at: 2, of: server.url, settings: "fallback = never")
      let map = "\(device.root)/current/maps/europe/malta/base.bin"
      try Programs.run("sh", "-c", "printf x | dd of='\(map)' bs=1 seek=100000 conv=notrunc 2>/dev/null")
      let run = try device.run("apply")
      #expect(run.exit == 20 && run.error.contains("europe/malta/base.bin would come in full"), "\(run)")
      // Whoever asks for it gets it.
      let repair = try device.run("repair")
      #expect(repair.exit == 0, "\(repair.error)")
      #expect(try device.run("apply").exit == 0)
      #expect(try device.installed() == sample.expected[4])
    }

    @Test("a run of a timer begins later by a random delay, which a signal ends")
    func spread() throws {
      let device = try sample.device(at: 2, of: server.url, settings: "spread = 604800")
      let child = try device.start(["apply", "--spread"])
      #expect(child.waitForLine(with: "begins in ") != nil)
      child.signal(SIGTERM)
      let run = try device.finish(child)
      #expect(run.exit == 26 && run.error.contains("stopped before it began"), "\(run)")
      #expect(try server.log().isEmpty)
      // Nobody who types a command waits.
      #expect(try device.run("apply").exit == 0)
      #expect(try device.installed() == sample.expected[4])
      let soon = try sample.device(at: 2, of: server.url, settings: "spread = 1")
      #expect(try soon.run("check", "--spread").exit == 10)
    }
  }
}
