import Foundation
import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What programs that read the maps can rely on (`docs/readers.md`), with the examples of `config/examples`.
  @Suite("Readers")
  struct ReaderTests {
    private let scratch: Scratch
    private let device: Device
    private let releases: [PublishedRepository]

    /// A device at release 1 of two; no component of one is a component of the other.
    init() throws {
      scratch = try Scratch("readers")
      let repository = PublishedRepository(path: "\(scratch.path)/repository")
      for release in 1...2 {
        for name in ["europe/iceland/base", "europe/malta/base", "europe/malta/search", "world/base"] {
          let data = String(repeating: "\(name) of release \(release)\n", count: 300 * release)
          try scratch.write("maps/\(release)/\(name).bin", data)
        }
        try repository.publish("\(scratch.path)/maps/\(release)", label: "2024-0\(release)")
      }
      let old = try repository.copy(to: "\(scratch.path)/old", upTo: 1)
      let setup = try Device(old.url, trusting: repository)
      #expect(try setup.run("install", "europe", "world").exit == 0)
      device = try Device(repository.url, trusting: repository)
      try device.copyStore(of: setup)
      releases = [old, repository]
    }

    // MARK: - The readers

    /// What a reader counted until it was stopped.
    struct Counts: Equatable {
      var views = 0
      var failures = 0
      /// The numbers of the releases, each time that another one than before was seen.
      var releases: [Int] = []
      var report = ""
    }

    /// Compiles the example in C, changed or as it is.
    private func compile(_ name: String = "reader", _ change: (String) -> String = { $0 }) throws -> String {
      let source = try contents("\(Checkout.root)/config/examples/reader.c")
      try scratch.write("\(name).c", change(String(decoding: source, as: UTF8.self)))
      let program = "\(scratch.path)/\(name)"
      try Programs.run(
        "cc", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o", program, "\(program).c")
      return program
    }

    private var script: String { "\(Checkout.root)/config/examples/reader.sh" }

    /// Starts readers in front of the device's store, and returns when each has seen the maps once.
    private func start(_ words: [String]...) throws -> [ChildProcess] {
      try words.map { words in
        let reader = try ChildProcess(words[0], words[1...] + [device.root])
        #expect(reader.waitForLine(with: "release 1 ") != nil, "\(words)")
        return reader
      }
    }

    /// Stops a reader and returns what it counted; the first release was read already.
    private func stop(_ reader: ChildProcess) throws -> Counts {
      reader.signal(SIGTERM)
      let outcome = reader.wait()
      var counts = Counts(releases: [1], report: "\(outcome.output.prefix(2000))\(outcome.error.prefix(2000))")
      for line in outcome.output.split(separator: "\n") {
        let words = line.split(separator: " ")
        if words.count == 4, words[1] == "release" { counts.releases.append(Int(words[2]) ?? 0) }
        if words.count == 4, words[1] == "views," {
          counts.views = Int(words[0]) ?? 0
          counts.failures = Int(words[2]) ?? -1
        }
      }
      #expect(outcome.status == (counts.failures == 0 ? 0 : 1), "\(counts)")
      return counts
    }

    /// Updates and rolls back in turn, until there were so many switches or `isEnough`.
    private func makeSwitches(_ count: Int, until isEnough: () -> Bool = { false }) throws {
      for number in 1...count where !isEnough() {
        let run = try device.run("--quiet", number % 2 == 1 ? "apply" : "rollback")
        #expect(run.exit == 0, "\(number): \(run.error)")
      }
    }

    // MARK: - Tests

    @Test(
      "E10: readers never see a missing or mixed file through 200 updates and rollbacks",
      .timeLimit(.minutes(5)))
    func neverMixed() throws {
      let program = try compile()
      let readers = try start(
        [program, "--check"], [program, "--check"], ["sh", script, "--check"], [program, "--watch"])
      try makeSwitches(200)
      #expect(try device.current == "generations/1")
      #expect(try device.release() == 1)
      for (index, least) in [201, 201, 20].enumerated() {
        let counts = try stop(readers[index])
        print("READER \(index) \(counts.views) views, \(counts.releases.count) changes")
        #expect(counts.failures == 0, "\(counts.report)")
        #expect(counts.views >= least, "\(index): \(counts)")
        #expect(Set(counts.releases) == [1, 2], "\(index): \(counts)")
      }
    }
  }
}
