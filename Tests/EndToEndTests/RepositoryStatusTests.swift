import Foundation
import Platform
import TestSupport
import Testing
import TrustTestSupport

extension EndToEnd {
  /// `tinypublish status` says what there is and what is to be done, and changes nothing.
  @Suite("Status of a repository")
  struct RepositoryStatusTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("status")
    }

    private func status(_ repository: PublishedRepository, _ options: String...) throws
      -> ChildProcess.Outcome
    {
      try ChildProcess.run(try Programs.tinypublish(), ["status", repository.path] + options)
    }

    /// The files of a release.
    private func input(_ release: Int) throws -> String {
      for (name, bytes) in SampleMaps.files(release) { try scratch.write("\(release)/\(name)", bytes) }
      return "\(scratch.path)/\(release)"
    }

    private func tree(_ path: String) throws -> String {
      try ChildProcess.run("sh", ["-c", "cd \"$0\" && find . -printf '%p %s %T@\n' | sort", path]).output
    }

    @Test(
      "releases, recalls, roles and what a lost key means are shown in 80 columns, and nothing is changed")
    func shown() throws {
      let repository = try sample.repository.copy(to: "\(scratch.path)/repository")
      let long = "a-label-of-sixty-four-bytes-" + String(repeating: "x", count: 36)
      try repository.tinypublish(
        "release", repository.path, input(4), "--label", long, "--quiet", "--rollout", "25", "--effective",
        "2100-01-01T00:00:00Z", "--expires", "2101-01-01T00:00:00Z")
      try repository.tinypublish(
        "recall", repository.path, "2024-04", "--because",
        "the ferries of Malta are missing, and so are those of Gozo")
      let before = try tree(repository.path)
      let run = try status(repository)
      #expect(run.status == 0 && run.error.isEmpty, "\(run)")
      #expect(try tree(repository.path) == before)
      let today = Clock.date(Clock.now)
      for text in [
        "2024-01", "25 %  \(today)", "2100-01-01 00:00", "2101-01-01 00:00", "at once", "a-label-of-s…",
        "2024-04 is recalled: the ferries of Malta", "root             1  ", "  364  1 of 1",
        "\"tinypublish key add", "without one of them",
      ] {
        #expect(run.output.contains(text), "\(text) \(run.output)")
      }
      // A path may be longer than a line.
      let lines = run.output.replacing(repository.path, with: "R").split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(run.output)")
      let json = try status(repository, "--json")
      let isWhole = [
        "\"published\":\"\(today)T", "\"label\":\"\(long)\"", "\"spareKeys\":0", "\"state\":\"valid\"",
        "\"recalled\":{\"because\":\"the ferries",
      ].allSatisfy(json.output.contains)
      #expect(json.status == 0 && isWhole, "\(json)")
      let quiet = try status(repository, "--quiet")
      #expect(quiet.status == 0 && quiet.output.isEmpty && quiet.error.isEmpty, "\(quiet)")
    }

    @Test("what waits for signatures is shown until it is signed, in every form")
    func waiting() throws {
      let repository = PublishedRepository(path: "\(scratch.path)/repository")
      try repository.makeWithOwnKeys("--root", "1/2", "--targets", "2/2")
      let key = try #require(try names(repository.keys).first { $0.hasPrefix("targets-") })
      try Programs.run("mv", "\(repository.keys)/\(key)", "\(scratch.path)/\(key)")
      let words = ["--keys", repository.keys, "--passphrase-file", repository.passphraseFile]
      let release = ["release", repository.path, try input(1), "--label", "first", "--rollout", "5"]
      let pending = try ChildProcess.run(try Programs.tinypublish(), release + words)
      #expect(pending.status == 10, "\(pending)")
      let run = try status(repository)
      for text in [
        "has no release yet", "2.targets.json: 1 of 2 signatures of targets",
        "new: release 1 (first), for 5 % of the devices", "\"tinypublish sign", "targets          1",
        "2 of 2",
      ] {
        #expect(run.status == 0 && run.output.contains(text), "\(text) \(run)")
      }
      #expect(!run.output.contains("root has no key to spare"), "\(run)")
      let json = try status(repository, "--json")
      #expect(
        json.output.contains("\"missing\":{\"file\":\"2.targets.json\",\"role\":\"targets\",\"found\":1"))
      try Programs.run("mv", "\(scratch.path)/\(key)", "\(repository.keys)/\(key)")
      let file = "\(scratch.path)/2.targets.json"
      for step in [
        ["sign", "export", repository.path, "-o", scratch.path], ["sign", "add", file] + words,
        ["sign", "import", repository.path, file] + words,
      ] {
        let outcome = try ChildProcess.run(try Programs.tinypublish(), step)
        #expect(outcome.status == 0, "\(step) \(outcome)")
      }
      let signed = try status(repository)
      #expect(signed.output.contains("first") && !signed.output.contains("Waiting"), "\(signed)")
    }

    @Test("metadata that expires soon or has expired is a warning that says what to run, for programs too")
    func expiring() throws {
      let repository = PublishedRepository(path: "\(scratch.path)/repository")
      try repository.makeWithOwnKeys()
      func sign(_ role: inout JSONTree, until days: Int64) {
        role["issued"] = .text(Clock.timestamp(Clock.now - 30 * 86_400))
        role["expires"] = .text(Clock.timestamp(Clock.now + days * 86_400 - 60))
      }
      try repository.signTimestamp { sign(&$0, until: 7) }
      let due = try status(repository, "-q")
      #expect(due.status == 0 && due.output.isEmpty, "\(due)")
      #expect(due.error.contains("tinypublish: The timestamp expires at "), "\(due)")
      #expect(due.error.contains("\"tinypublish timestamp \(repository.path)\" signs it again."), "\(due)")
      try repository.signTargets { sign(&$0, until: 0) }
      let run = try status(repository)
      #expect(run.status == 0 && run.output.contains("  expired  1 of 1"), "\(run)")
      #expect(run.error.contains("The targets expired at "), "\(run)")
      #expect(
        run.error.contains("\"tinypublish renew \(repository.path) targets\" signs it again."), "\(run)")
      let json = try status(repository, "--json", "--progress", "json")
      #expect(json.output.contains("\"days\":0,\"state\":\"expired\""), "\(json)")
      #expect(json.error.contains("\"event\":\"warning\"") && json.error.contains("\"exit\":0"), "\(json)")
    }

    @Test(
      "a damaged repository is refused with a sentence, and nothing of it reaches the terminal",
      arguments: [
        ("rm -r metadata", Int32(78)), ("rm metadata/1.root.json", 78),
        ("head -c 9000000 /dev/zero >metadata/timestamp.json", 78),
        ("printf '\\033[31m' >metadata/timestamp.json", 78),
        ("for f in metadata/*.targets.json; do : >$f; done", 78),
        (
          "mkdir -p .pending && printf '{' >.pending/$(($(ls metadata/*.targets.json | wc -l) + 1)).targets.json",
          78
        ),
      ])
    func hostile(command: String, code: Int32) throws {
      try Programs.run("cp", "-aT", sample.repository.path, "\(scratch.path)/repository")
      let repository = PublishedRepository(path: "\(scratch.path)/repository")
      try Programs.run("sh", "-c", "cd \"$0\" && \(command)", repository.path)
      let run = try status(repository)
      #expect(run.status == code && run.output.isEmpty && !run.error.isEmpty, "\(run)")
      #expect(run.error.utf8.allSatisfy { $0 == 10 || $0 >= 0x20 }, "\(run)")
      let json = try status(repository, "--json", "--progress", "json")
      #expect(json.error.contains("\"result\":\"InitializationFailed\",\"exit\":78,\"message\":"), "\(json)")
    }

    @Test("a record of a push with control characters or a long destination is shown as text")
    func hostileRecord() throws {
      let repository = try sample.repository.copy(to: "\(scratch.path)/repository")
      let long = String(repeating: "x", count: 5000)
      try repository.replace(
        ".pushed",
        Array(
          """
          {"format":1,"destination":"\\u001b[31m \(long)","time":"2024-01-01T00:00:00Z","timestamp":1,"release":1,
           "label":"\\u009b\\u202e"}
          """.utf8))
      let run = try status(repository)
      #expect(run.status == 0 && run.output.contains("Last pushed 2024-01-01T00:00:00Z to"), "\(run)")
      #expect(run.output.contains("it has changed since"), "\(run)")
      #expect(
        run.output.unicodeScalars.allSatisfy {
          $0 == "\n" || $0 == "…" || (0x20..<0x7f).contains($0.value)
        }, "\(run)")
      try repository.replace(".pushed", [0])
      let damaged = try status(repository, "-q")
      #expect(damaged.status == 0 && damaged.error.contains("Remove it; the next push"), "\(damaged)")
    }
  }
}
