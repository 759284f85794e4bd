import Foundation
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Files that are lost or wrong where nothing looks for it.
  @Suite("Losses")
  struct LossTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("losses")
    }

    /// A map that is the same in all releases.
    private static let iceland = "europe/iceland/base.bin"

    @Test(
      "every command that changes maps fetches a lost or truncated file of an unchanged map again",
      arguments: [
        ("rm", ["apply"]), ("truncate -s 0", ["apply"]), ("truncate -s -1", ["apply"]),
        ("rm", ["install", "world/rivers"]), ("truncate -s 0", ["uninstall", "europe/malta"]),
      ])
    func unchanged(damage: String, command: [String]) throws {
      let release = command == ["apply"] ? 2 : 4
      let device = try sample.device(at: release)
      func plan(_ key: String) throws -> Int {
        try device.json("plan", Array(command.dropFirst())).number("plan", key)
      }
      let isPlanned = command[0] != "uninstall"
      let kept = isPlanned ? try plan("kept") : 0
      try Programs.run("sh", "-c", "\(damage) \"$0\"", "\(device.root)/current/maps/\(LossTests.iceland)")
      if isPlanned { #expect(try plan("kept") == kept - 1) }
      let run = try device.run(command)
      #expect(run.exit == 0, "\(run)")
      #expect(
        run.error.contains("the installed \(LossTests.iceland) is damaged and is downloaded in full"),
        "\(run.error)")
      #expect(try device.installed()[LossTests.iceland] == sample.expected[4]?[LossTests.iceland])
      #expect(try device.run("verify").exit == 0)
    }

    @Test("an update at the newest release puts a lost file back")
    func newest() throws {
      let device = try sample.device(at: 4)
      try Programs.run("rm", "\(device.root)/current/maps/\(LossTests.iceland)")
      #expect(try device.run("apply").exit == 0)
      #expect(try device.installed() == sample.expected[4])
    }

    /// A repository whose newest release lists another file for Malta than its signed containers make; the file.
    private func repositoryWithWrongPatches() throws -> (PublishedRepository, digest: String) {
      let repository = try sample.repository.copy(to: "\(scratch.path)/repository")
      let old = try #require(sample.expected[4]?["europe/malta/base.bin"])
      let name = try #require(try names("\(repository.path)/components").first { $0.contains(old) })
      var bytes = try contents("\(repository.path)/components/\(name)")
      bytes[bytes.count - 1] ^= 1
      let new = try digest(of: bytes)
      try repository.replace("components/\(name.replacing(old, with: new))", bytes)
      try repository.addRelease(9) { lines in
        for index in lines.indices { lines[index] = lines[index].replacing(old, with: new) }
      }
      return (repository, new)
    }

    @Test(
      "a signed patch that produces the wrong file is not used, and not fetched again")
    func wrongPatch() throws {
      let (repository, new) = try repositoryWithWrongPatches()
      let server = try WebServer(repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 2, of: server.url)
      #expect(try device.run("uninstall", "europe/latvia").exit == 0)
      let apply = try device.start(["--json", "apply"])
      _ = try #require(
        apply.waitForLine(
          with:
            "\"path\":\"europe/malta/base.bin\",\"state\":\"downloading\",\"payload\":\"full\",\"way\":\"full\",\"download\":2"
        ))
      apply.signal(SIGKILL)
      _ = apply.wait()
      let notices = try device.eventLog().compactMap { $0["message"] as? String }
        .filter { $0.contains("does not produce the right file") }
      #expect(notices.count == 2, "\(notices)")
      let bad = try server.finish().payloads.map(\.path).filter { $0.hasPrefix("payloads/") }
      #expect(bad.count == 2)
      let again = try WebServer(repository.path)
      let run = try device.json("--repository", again.url, "apply")
      #expect(run.exit == 0, "\(run.error)")
      #expect(!run.output.contains("does not produce the right file"))
      #expect(try device.installed()["europe/malta/base.bin"] == new)
      #expect(try again.finish().payloads.allSatisfy { !bad.contains($0.path) })
      #expect(try device.staged == [])
    }

    // MARK: - After the commit

    @Test("once the new maps are current, a record that cannot be written is a notice")
    func endingNotRecorded() throws {
      let device = try sample.device(at: 2)
      let run = try device.finish(
        device.start(
          ["apply"],
          before: [
            "strace", "-o", "/dev/null", "-P", "\(device.root)/queue", "-e", "trace=unlinkat", "-e",
            "inject=unlinkat:error=EIO",
          ]))
      #expect(run.exit == 0, "\(run)")
      #expect(run.error.contains("the result of the operation could not be recorded"), "\(run.error)")
      #expect(try device.installed() == sample.expected[4])
    }

    @Test(
      "new maps that are not durable yet are an error that says so",
      arguments: ["apply", "rollback"])
    func notDurable(command: String) throws {
      let device = try sample.device(at: 2)
      if command == "rollback" { #expect(try device.run("apply").exit == 0) }
      let run = try device.finish(
        device.start(
          [command],
          before: [
            "strace", "-o", "/dev/null", "-P", device.root, "-e", "trace=fsync", "-e",
            "inject=fsync:error=EIO",
          ]))
      #expect(run.exit == 24, "\(run)")
      #expect(
        run.error.contains("is installed, but a power loss now may bring the old maps back"), "\(run.error)")
      #expect(try device.installed() == sample.expected[command == "apply" ? 4 : 2])
      #expect(try device.queue() == [])
    }

    @Test(
      "a catalog that another process is fetching is not waited for by a check, and is not a reason to fail")
    func catalogLocked() throws {
      let device = try sample.device(at: 2)
      try Programs.run("mkdir", "-p", "\(device.root)/catalogs")
      let holder = try Directory(opening: "\(device.root)/catalogs")
      try holder.lock(.exclusive)
      let start = Clock.milliseconds
      let run = try device.run("check")
      #expect(run.exit == 10, "\(run)")
      #expect(run.error.contains("the list of the newest release could not be stored"), "\(run.error)")
      #expect(Clock.milliseconds - start < 5000)
      _ = consume holder
      #expect(try device.run("apply").exit == 0)
    }
  }
}
