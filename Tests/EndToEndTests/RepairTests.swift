import Foundation
import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Installed maps that storage has damaged are found, noted, and made again.
  @Suite("Repair")
  struct RepairTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("repair")
    }

    private static let malta = "europe/malta/base.bin"
    /// A map that is the same in all releases.
    private static let iceland = "europe/iceland/base.bin"

    /// Changes one byte of an installed map; its size stays.
    private func flip(_ device: Device, _ name: String) throws {
      try Damage.flip("\(device.root)/current/maps/\(name)")
    }

    private func isNoted(_ device: Device) -> Bool { Checkout.isFile("\(device.root)/damage") }

    @Test("verify notes a damaged map, status says so, and repair downloads that map alone")
    func repaired() throws {
      let device = try sample.device(at: 4)
      try flip(device, RepairTests.iceland)
      let verify = try device.run("verify")
      #expect(verify.exit == 24)
      #expect(verify.error.contains("maps/\(RepairTests.iceland) is damaged"), "\(verify)")
      #expect(verify.error.contains("\"tinyupdater repair\""), "\(verify)")
      #expect(try device.run("status").output.contains("damaged     1 component; run \"tinyupdater repair\""))
      #expect(try device.json("status").number("status", "damaged") == 1)

      let before = try names("\(device.root)/generations")
      let repair = try device.json("repair")
      #expect(repair.exit == 0, "\(repair)")
      #expect(
        repair.events("component").compactMap { $0["id"] as? String }.allSatisfy { $0 == "europe/iceland" })
      #expect(try repair.number("plan", "full") == 1 && repair.number("plan", "patched") == 0)
      #expect(try device.installed() == sample.expected[4])
      #expect(try names("\(device.root)/generations") != before)
      #expect(!isNoted(device))
      #expect(try device.json("status").number("status", "damaged") == 0)
      #expect(try device.json("history").events("history").last?["command"] as? String == "repair")
      #expect(try device.run("verify").exit == 0)
    }

    @Test("nothing to repair: exit 0, no new generation, no line in the history")
    func nothing() throws {
      let device = try sample.device(at: 4)
      let (state, runs) = (try device.state(), try device.json("history").events("history").count)
      for words in [["repair"], ["repair", "europe"], ["repair", "europe/malta"]] {
        let run = try device.run(words)
        #expect(run.exit == 0 && run.output.contains("nothing to repair"), "\(run)")
      }
      #expect(try device.state() == state)
      #expect(try device.json("history").events("history").count == runs)
      let unknown = try device.run("repair", "world/rivers")
      #expect(unknown.exit == 64 && unknown.error.contains("world/rivers is not installed"), "\(unknown)")
    }

    @Test("repair verifies first what it is asked for, and no more")
    func scope() throws {
      let device = try sample.device(at: 4)
      try flip(device, RepairTests.iceland)
      try flip(device, "europe/latvia/base.bin")
      let run = try device.run("repair", "europe/iceland")
      #expect(run.exit == 0, "\(run)")
      var expected = try #require(sample.expected[4])
      #expect(
        try device.installed()[RepairTests.iceland] == expected.removeValue(forKey: RepairTests.iceland))
      #expect(try device.installed()["europe/latvia/base.bin"] != expected["europe/latvia/base.bin"])
      #expect(try device.run("repair").exit == 0)
      #expect(try device.installed() == sample.expected[4])
    }

    @Test(
      "what repair finds is repaired, also where it cannot be noted",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
    func unnoted() throws {
      let start = try sample.device(at: 4)
      try flip(start, RepairTests.iceland)
      try flip(start, RepairTests.malta)
      let device = try sample.device(at: 4)
      try device.copyStore(of: start)
      let log = "\(scratch.path)/log"
      let trace = ["strace", "-f", "-o", log, "-e", "trace=renameat"]
      let notes = try SystemCalls.calls(of: device, ["repair"], before: trace, log: log)
        .filter { $0.line.contains("\"damage.new\"") }.map(\.point)
      #expect(notes.count >= 2)
      for point in notes {
        try device.copyStore(of: start)
        let words = SystemCalls.words(injecting: .failure("EIO"), at: point)
        let run = try device.finish(device.start(["repair"], before: words))
        #expect(run.exit == 0 && run.error.contains("could not be saved"), "\(run)")
        #expect(try device.installed() == sample.expected[4])
        #expect(try device.json("status").number("status", "damaged") == 0)
      }
    }

    @Test(
      "a repair that is killed while it verifies finds the rest when it is given again",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"), arguments: [false, true])
    func killed(isVerifiedBefore: Bool) throws {
      let device = try sample.device(at: 4)
      if isVerifiedBefore { #expect(try device.run("verify").exit == 0) }
      try flip(device, RepairTests.iceland)
      try flip(device, RepairTests.malta)
      let start = try sample.device(at: 4)
      try start.copyStore(of: device)
      let log = "\(scratch.path)/log"
      let trace = ["strace", "-f", "-o", log, "-e", "trace=renameat"]
      let notes = try SystemCalls.calls(of: device, ["repair"], before: trace, log: log)
        .filter { $0.line.contains("\"damage.new\"") }.map(\.point)
      // One map is noted, the other one is not.
      try device.copyStore(of: start)
      let second = try #require(notes.dropFirst().first)
      #expect(try SystemCalls.kills(device, ["repair"], at: second))
      #expect(try device.json("status").number("status", "damaged") == 1)
      #expect(try device.run("repair").exit == 0)
      #expect(try device.installed() == sample.expected[4])
    }

    @Test("what is noted and not repaired stays noted in the new generation")
    func carried() throws {
      let device = try sample.device(at: 4)
      try flip(device, RepairTests.iceland)
      try flip(device, RepairTests.malta)
      #expect(try device.run("verify").exit == 24)
      #expect(try device.run("repair", "europe/malta").exit == 0)
      #expect(try device.json("status").number("status", "damaged") == 1)
      // An uninstall needs no download.
      #expect(try device.run("--repository", "file:///nowhere", "uninstall", "world/airports").exit == 0)
      #expect(try device.json("status").number("status", "damaged") == 1)
      #expect(try device.run("repair").exit == 0)
      #expect(
        try device.installed() == sample.expected[4]?.filter { !$0.key.hasPrefix("world/airports/") })
    }

    @Test(
      "apply and install mend what verify has noted", arguments: [["apply"], ["install", "europe/malta"]])
    func noticed(command: [String]) throws {
      let device = try sample.device(at: 4)
      try flip(device, RepairTests.iceland)
      // Without a note they do not read a map that does not change.
      #expect(try device.run(command).exit == 0)
      #expect(try device.installed() != sample.expected[4])
      #expect(try device.run("verify").exit == 24)
      let run = try device.run(command)
      #expect(run.exit == 0, "\(run)")
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.json("status").number("status", "damaged") == 0)
    }

    @Test(
      "a damaged map comes by a patch from the generation before, if its file is whole there",
      arguments: [true, false])
    func patched(isWhole: Bool) throws {
      let device = try sample.device(at: 2)
      #expect(try device.run("apply").exit == 0)
      try flip(device, RepairTests.malta)
      if !isWhole { try Damage.flip("\(device.root)/generations/1/maps/\(RepairTests.malta)") }
      #expect(try device.run("verify").exit == 24)
      let run = try device.json("repair")
      #expect(run.exit == 0, "\(run)")
      let way = run.events("component").compactMap { $0["way"] as? String }
      #expect(way == [isWhole ? "patch" : "full"] || way == ["chain"] && isWhole, "\(way)")
      #expect(try device.installed() == sample.expected[4])
      // The way back is what it was.
      #expect(try device.run("rollback").exit == 0)
      #expect(try device.release() == 2)
      #expect(try isWhole == (device.installed() == sample.expected[2]))
    }

    @Test("a rollback to a generation that shares the damaged file knows of it")
    func shared() throws {
      let device = try sample.device(at: 2)
      #expect(try device.run("apply").exit == 0)
      try flip(device, RepairTests.iceland)
      #expect(try device.run("verify").exit == 24)
      #expect(try device.run("repair").exit == 0)
      #expect(try device.run("rollback").exit == 0)
      #expect(try device.json("status").number("status", "damaged") == 1)
      #expect(try device.run("apply", "--release", "4").exit == 0)
      #expect(try device.installed() == sample.expected[4])
    }

    @Test(
      "a release that is no longer served is not repaired, and the sentence says what to do",
      arguments: [true, false])
    func notServed(isKnown: Bool) throws {
      let repository = try sample.repository.copy(to: "\(scratch.path)/repository")
      let device = try sample.device(at: 3, of: repository.url)
      try flip(device, RepairTests.malta)
      #expect(try device.run("verify").exit == 24)
      let state = try device.state()
      try repository.tinypublish("prune", repository.path, "--keep", "1")
      if isKnown { #expect(try device.run("check").exit == 10) }
      let run = try device.run("repair")
      #expect(run.exit == 24 && run.error.contains("release 3 (2024-03) is no longer served"), "\(run)")
      #expect(run.error.contains("\"tinyupdater apply\""), "\(run)")
      #expect(try device.state() == state)
      #expect(try device.run("apply").exit == 0)
      #expect(try device.installed() == sample.expected[4])
    }

    @Test("an index that is damaged is made again, and nothing is downloaded")
    func index() throws {
      let maps = try IndexedMaps.shared.get()
      let command = try IndexedMaps.Command("echo \"$TINYUPDATER_ID\" >>\"$notes\"; wc -c <\"$1\" >\"$2\"")
      let server = try WebServer(maps.repository.path)
      let device = try maps.device(command, of: server.url)
      #expect(try device.run("install", "sample").exit == 0)
      let installed = try device.installed()
      try Damage.flip("\(device.root)/current/maps/sample/one/base.bin.index")
      #expect(try device.run("verify").exit == 24)
      let run = try device.json("repair")
      #expect(run.exit == 0, "\(run)")
      #expect(try run.number("plan", "download") == 0)
      #expect(command.notes == IndexedMaps.packages + ["sample/one"])
      #expect(try device.installed() == installed)
      #expect(try device.run("verify").exit == 0)
      _ = try server.finish()
    }

    @Test("a reader keeps its generation while it is repaired")
    func reader() throws {
      let device = try sample.device(at: 4)
      let old = try #require(try device.current)
      let holder = try Directory(opening: "\(device.root)/\(old)")
      try holder.lock(.shared)
      try flip(device, RepairTests.iceland)
      let damaged = try device.installed()
      #expect(try device.run("repair").exit == 0)
      #expect(try digests("\(device.root)/\(old)/maps") == damaged)
      #expect(try device.installed() == sample.expected[4])
      _ = consume holder
      #expect(try device.run("boot").exit == 0)
      #expect(try names("\(device.root)/generations").count == 1)
    }

    // MARK: - verify

    @Test("a verification with a limit is resumed by the next one, until all maps were read")
    func limited() throws {
      let device = try sample.device(at: 4)
      var (read, runs) = ([String](), 0)
      repeat {
        let run = try device.json("verify", "--limit", "1")
        #expect(run.exit == 0, "\(run)")
        read += run.events("verified").map {
          $0["path"] as? String ?? ""
        }
        runs += 1
      } while try device.json("status").event("status")["verification"].flatMap { $0 as? [String: Any] }?[
        "complete"] as? Bool
        == false && runs < 20
      #expect(read == sample.expected[4]?.keys.sorted())
      #expect(runs == read.count)
      // The next one begins anew, and one of another generation does too.
      #expect(
        try device.json("verify", "--limit", "1").events("verified").first?["id"] as? String
          == "europe/iceland")
      #expect(try device.run("uninstall", "europe/malta").exit == 0)
      #expect(try device.json("verify").events("verified").count == read.count - 2)
      for limit in ["0", "x", ""] { #expect(try device.run("verify", "--limit", limit).exit == 64) }
    }

    @Test(
      "a verification that is stopped is resumed by the next one", .enabled(if: Programs.exists("strace")))
    func stopped() throws {
      let device = try sample.device(at: 4)
      let run = try device.finish(
        device.start(
          ["--json", "verify"],
          before: [
            "strace", "-o", "/dev/null", "-e", "trace=pread64", "-e", "inject=pread64:signal=SIGTERM:when=30",
          ]))
      #expect(run.exit == 26, "\(run)")
      let rest = try device.json("verify").events("verified").count
      #expect(rest > 0 && rest < (sample.expected[4]?.count ?? 0))
    }

    @Test(
      "a note that is torn, garbled or about another map counts for nothing",
      arguments: ["", "garbled", "half", "dir"])
    func torn(kind: String) throws {
      let device = try sample.device(at: 4)
      try flip(device, RepairTests.iceland)
      #expect(try device.run("verify").exit == 24)
      for name in ["damage", "verification"] {
        let path = "\(device.root)/\(name)"
        switch kind {
        case "garbled": try Damage.flip(path)
        case "half": try Programs.run("truncate", "-s", "40", path)
        case "dir": try Programs.run("sh", "-c", "rm \"$0\"; mkdir -p \"$0/x\"", path)
        default: try Programs.run("truncate", "-s", "0", path)
        }
      }
      #expect(try device.json("status").number("status", "damaged") == 0)
      #expect(try device.run("repair").exit == 0)
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.run("verify").exit == 0)
    }
  }
}

/// What storage and people do to files.
enum Damage {
  /// What has the name, a link not followed; nil if there is nothing.
  static func kind(of path: String) throws -> Directory.Kind? {
    let parts = path.split(separator: "/")
    let parent = try Directory(opening: "/" + parts.dropLast().joined(separator: "/"))
    return try parent.status(of: String(parts[parts.count - 1]))?.kind
  }

  /// Changes the byte in the middle of a file, where it lies.
  ///
  /// `offset`: the one in the middle without it.
  static func flip(_ path: String, at offset: Int? = nil) throws {
    let bytes = try contents(path)
    let offset = offset ?? bytes.count / 2
    let file = try File(opening: path, to: .update)
    try file.write([bytes[offset] ^ 1].span.bytes, at: UInt64(offset))
    try file.synchronize()
    try file.close()
  }
}
