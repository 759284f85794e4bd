import Foundation
import Platform
import TestSupport
import Testing
import TrustTestSupport

extension EndToEnd {
  /// Attacks on the signed metadata, against the shipped program.
  @Suite("Trust")
  struct TrustTests {
    private let sample: Sample
    private let scratch: Scratch
    private let repository: PublishedRepository

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("trust")
      repository = try sample.repository.copy(to: "\(scratch.path)/repository")
    }

    private func edit(_ file: String, _ change: (inout [UInt8]) -> Void) throws {
      try repository.edit("metadata/\(file)", change)
    }

    /// Runs `command`, and expects that it is refused, and that nothing of it is trusted or installed.
    private func expectRefused(
      _ device: Device, _ text: String, _ command: String = "apply", exit: Int32 = 21
    ) throws {
      let before = try device.state()
      let trusted = try digests("\(device.root)/trust")
      let run = try device.run(command)
      #expect(run.exit == exit, "\(run)")
      #expect(run.error.contains(text), "\(run.error)")
      #expect(try device.state() == before)
      #expect(try digests("\(device.root)/trust") == trusted)
      #expect(try device.staged == [])
    }

    @Test("check with nothing new is two requests, the next root and the timestamp, in little memory")
    func nothingNew() throws {
      let server = try WebServer(sample.repository.path)
      let device = try sample.device(at: 4, of: server.url)
      #expect(try device.json("check").exit == 0)
      let check = try device.json("check")
      #expect(check.exit == 0)
      // The server writes its log after it has answered, so nothing is counted before the end.
      let all = try server.finish()
      #expect(all.count == 4)
      let log = all.suffix(2)
      #expect(log.map(\.path) == ["metadata/2.root.json", "metadata/timestamp.json"])
      #expect(log.map(\.status) == [404, 200])
      #expect(Set(log.map(\.connection)).count == 1)
      #expect(log.reduce(0) { $0 + $1.sent } < 20_000)
      #expect(try check.number("result", "peakResident") < 6 << 20)
    }

    @Test("a device without a trusted root refuses to work, and says how to provision one")
    func unprovisioned() throws {
      let path = "\(scratch.path)/none/root.json"
      let device = try Device(sample.repository.url, settings: "trusted_root = \(path)")
      for command in ["check", "list"] {
        let run = try device.run(command)
        #expect(run.exit == 78)
        #expect(
          run.error.contains("there is no \(path); copy metadata/1.root.json there"), "\(run.error)")
      }
      #expect(try device.run("install", "europe").exit == 78)
      #expect(try device.current == nil)
    }

    @Test(
      "a device keeps working with the root in its store, and starts from the provisioned one if that is damaged"
    )
    func storedRoot() throws {
      let device = try sample.device(at: 2)
      let path = "\(device.root)/trust/root.json"
      let good = try contents(path)
      let file = try File(opening: path, to: .replace)
      try file.write("{\"signed\":")
      try file.close()
      #expect(try device.run("check").exit == 10)
      #expect(try contents(path) == good)
    }

    @Test("arbitrary software: metadata of another publisher is refused")
    func otherPublisher() throws {
      let other = PublishedRepository(path: "\(scratch.path)/other")
      try scratch.write("maps/europe/malta/base.bin", "other maps")
      try other.makeWithOwnKeys()
      try other.publish("\(scratch.path)/maps", label: "2030-01")
      try expectRefused(
        try sample.device(at: 2, of: other.url),
        "/metadata/timestamp.json has valid signatures of 0 of the 1 keys")
    }

    @Test("rollback: an older state of the same repository is refused")
    func rollback() throws {
      let server = try WebServer(repository.path)
      let device = try sample.device(at: 3, of: server.url)
      try repository.replace("metadata/timestamp.json", try contents("\(sample.repository.path).states/1"))
      try expectRefused(device, "timestamp.json is at version")
      try expectRefused(device, "serves an old state", "check")
    }

    @Test("freeze: an expired timestamp is refused, and the sentence names its time and what to do")
    func freeze() throws {
      try repository.signTimestamp { $0["expires"] = "2024-06-30T00:00:00Z" }
      let device = try sample.device(at: 2, of: repository.url)
      try expectRefused(
        device,
        "timestamp.json expired at 2024-06-30T00:00:00Z; nothing of it is trusted: if this device's clock is right"
      )
    }

    @Test(
      "P14: with `expiry = floor` a device goes by what it has learned, and not by a clock that may be wrong")
    func floor() throws {
      // Expired by any clock of today, and not yet by the day of this version.
      let expires = Clock.timestamp(productTime + 60)
      try repository.signTimestamp { timestamp in
        timestamp["expires"] = .text(expires)
        timestamp["issued"] = nil
      }
      let strict = try Device(repository.url)
      #expect(try strict.run("check").exit == 21)
      let device = try Device(repository.url, settings: "expiry = floor")
      #expect(try device.run("check").exit == 0)
      #expect(try device.run("install", "world/airports").exit == 0)
      // From a timestamp that says when it was signed it learns the time, and then it notices, too.
      try repository.signTimestamp { timestamp in
        timestamp["expires"] = "2999-01-01T00:00:00Z"
        timestamp["issued"] = .text(Clock.timestamp(productTime + 86_400))
      }
      #expect(try device.run("check").exit == 0)
      try repository.signTimestamp { timestamp in timestamp["expires"] = .text(expires) }
      try expectRefused(device, "timestamp.json expired at \(expires)", "check")
    }

    @Test(
      "tuf-client exits with 0 or 1 and nothing else",
      arguments: [
        ["--help"], [], ["init"], ["--metadata-dir", "MD"], ["--metadata-dir", "MD", "init"],
        ["--metadata-dir", "MD", "init", "/nonexistent"], ["--metadata-dir", "MD", "refresh"],
        ["--metadata-dir", "MD", "--metadata-url", "file:///nonexistent", "refresh"],
        ["--metadata-dir", "MD", "--metadata-url", "http://127.0.0.1:1/", "--time", "x", "refresh"],
        ["--metadata-dir", "MD", "--metadata-url", "file:///", "download"], ["--frob"], ["apply"],
      ])
    func bareExits(arguments: [String]) throws {
      let words = arguments.map { $0 == "MD" ? "\(scratch.path)/md" : $0 }
      let outcome = try ChildProcess.run(try Programs.tufClient(), words)
      #expect(outcome.status == (arguments == ["--help"] ? 0 : 1), "\(outcome)")
      #expect(!(outcome.error + outcome.output).isEmpty)
    }

    @Test("mix and match: a snapshot of another state is refused")
    func mixAndMatch() throws {
      let timestamp = try repository.signed("timestamp.json")
      let version = try #require(timestamp[["meta", "snapshot.json", "version"]]?.number)
      try repository.replace(
        "metadata/\(version).snapshot.json",
        try contents("\(repository.path)/metadata/\(version - 1).snapshot.json"))
      let device = try sample.device(at: 2, of: repository.url)
      let run = try device.run("apply")
      #expect(run.exit == 21, "\(run)")
      #expect(try device.release() == 2)
    }

    @Test(
      "endless data: a file that does not end is aborted at its limit",
      arguments: ["2.root.json", "timestamp.json"])
    func endless(file: String) throws {
      try repository.replace("metadata/\(file)", [UInt8](repeating: UInt8(ascii: " "), count: 20 << 20))
      let server = try WebServer(repository.path)
      let device = try sample.device(at: 2, of: server.url)
      let run = try device.json("apply")
      #expect(run.exit == 21)
      #expect(try run.number("result", "exit") == 21)
      let status = try device.json("status").event("status")
      let last = try #require(status["lastRun"] as? [String: Any])
      #expect(try #require(last["downloaded"] as? Int) < 1 << 20)
      #expect(try #require(last["peakResident"] as? Int) < 6 << 20)
    }

    @Test("slow data: a timestamp that trickles in is aborted")
    func slow() throws {
      let server = try WebServer(
        repository.path, directives: "location /metadata/timestamp.json { limit_rate 20; }")
      let device = try sample.device(at: 2, of: server.url, settings: "stall_timeout = 1", "retries = 0")
      try expectRefused(device, "/metadata/timestamp.json was not reached", exit: 20)
    }

    @Test(
      "a tree that is larger than its file, and targets that are too large, are over the budget, and no crash"
    )
    func bombs() throws {
      let nests = "[" + String(repeating: "[[[[[[]]]]]],", count: 30_000) + "0]"
      for (index, bomb) in [JSONTree.raw(nests), .text(String(repeating: "y", count: 2 << 20))].enumerated() {
        let copy = try repository.copy(to: "\(scratch.path)/bomb\(index)")
        try copy.signTargets { $0["x"] = bomb }
        let device = try sample.device(at: 2, of: copy.url)
        let run = try device.run("apply")
        #expect(run.exit == 23, "\(run)")
        #expect(run.error.contains("targets.json takes more than the 1536 KiB"), "\(run.error)")
        #expect(try device.installed() == sample.expected[2])
      }
    }

    @Test(
      "an unsigned root of any shape is refused and not a crash",
      arguments: [1000, 5000, 12_000, 14_000, 20_305, 60_000])
    func unsignedBomb(count: Int) throws {
      let arrays = String(repeating: "[],", count: count)
      let text = String(repeating: "A", count: min(320_000, 500_000 - arrays.utf8.count))
      let server = try WebServer(repository.path)
      try repository.replace("metadata/2.root.json", Array("[\(arrays)\"\(text)\"]".utf8))
      let device = try sample.device(at: 2, of: server.url)
      let run = try device.run("check")
      #expect(run.exit == 21 || run.exit == 23, "\(run)")
      #expect(run.error.contains("2.root.json"), "\(run.error)")
    }

    @Test(
      "signed delegations with very many patterns are read within the memory",
      arguments: [(15_000, 20), (800, 500)])
    func patterns(count: Int, length: Int) throws {
      let texts = (0..<count).map {
        JSONTree.text("\($0)" + String(repeating: "x", count: length - "\($0)".count))
      }
      try repository.signTargets { targets in
        targets["delegations"] = [
          "keys": [:],
          "roles": [
            ["name": "a", "keyids": [], "threshold": 1, "terminating": false, "paths": .array(texts)]
          ],
        ]
      }
      let device = try sample.device(at: 2, of: repository.url)
      let run = try device.json("check")
      #expect(run.exit == 10, "\(run)")
      #expect(try run.number("result", "peakResident") < 8 << 20)
    }

    @Test("many releases fit into the memory that metadata may take")
    func manyReleases() throws {
      try repository.signTargets { targets in
        let target = try #require(targets[["targets", "catalogs/4.update.xz"]])
        for release in 0..<900 {
          var old = target
          old[["custom", "release"]] = .number(10_000 - release)
          old[["custom", "rollout"]] = 0
          targets[["targets", "catalogs/\(10_000 - release).update.xz"]] = old
        }
      }
      let device = try sample.device(at: 2, of: repository.url)
      #expect(try device.run("apply").exit == 0)
      #expect(try device.release() == 4)
      #expect(try device.json("check").number("result", "peakResident") < 8 << 20)
    }

    @Test(
      "prefixes and flipped bytes of every metadata file are refused with 21, and nothing of them is stored")
    func hostileBytes() throws {
      let seed = UInt64.random(in: 0...9999)
      print("hostile metadata: seed \(seed)")
      var generator = SeededGenerator(seed)
      let timestamp = try repository.signed("timestamp.json")
      let version = try #require(timestamp[["meta", "snapshot.json", "version"]]?.number)
      try repository.signTargets { _ in }
      let setup = try sample.device(at: 2, of: repository.url)
      let files = ["timestamp.json", "\(version + 1).snapshot.json", "\(version + 1).targets.json"]
      for file in files {
        let good = try contents("\(repository.path)/metadata/\(file)")
        for _ in 0..<12 {
          let index = Int.random(in: good.indices, using: &generator)
          for bad in [Array(good[..<index]), Self.flipped(good, at: index)] {
            try repository.replace("metadata/\(file)", bad)
            let device = try Device(repository.url)
            try device.copyStore(of: setup)
            let before = try device.state()
            let run = try device.run("apply")
            #expect(run.exit == 21, "byte \(index) of \(file): \(run)")
            #expect(try device.state() == before)
            for name in try names("\(device.root)/trust") {
              #expect(try bad.isEmpty || contents("\(device.root)/trust/\(name)") != bad, "\(name)")
            }
          }
        }
        try repository.replace("metadata/\(file)", good)
      }
    }

    private static func flipped(_ bytes: [UInt8], at index: Int) -> [UInt8] {
      var bytes = bytes
      // Never the bit that only changes the case of a digit of a signature.
      bytes[index] ^= 1
      return bytes
    }

    @Test("a release in partial rollout is not installed by other devices")
    func rollout() throws {
      try repository.signTargets { $0[["targets", "catalogs/4.update.xz", "custom", "rollout"]] = 0 }
      let device = try sample.device(at: 2, of: repository.url)
      #expect(try device.run("check").output.contains("to release 3 "))
      #expect(try device.run("apply").exit == 0)
      #expect(try device.installed() == sample.expected[3])
      try repository.signTargets { $0[["targets", "catalogs/4.update.xz", "custom", "rollout"]] = 100 }
      #expect(try device.run("apply").exit == 0)
      #expect(try device.installed() == sample.expected[4])
    }

    @Test("two checks of one store at a time wait for each other")
    func concurrent() throws {
      let device = try sample.device(at: 2)
      let children = try (0..<6).map { _ in try device.start(["check"]) }
      for child in children { #expect(try device.finish(child).exit == 10) }
    }
  }
}
