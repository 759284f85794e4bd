import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// `tinypublish push` copies a repository in the order that devices need, whatever happens meanwhile.
  @Suite("Push", .enabled(if: RemoteCopy.isPossible, "rclone is not installed"))
  struct PushTests {
    private let sample: Sample
    private let scratch: Scratch
    private var place: String { "\(scratch.path)/there" }
    private var log: String { "\(scratch.path)/log" }

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("push")
      // In the place of rclone: notes what it is told, does what a test has put in its way, and then runs rclone.
      try scratch.makeDirectory("bin")
      try scratch.write(
        "bin/rclone",
        """
        #!/bin/sh
        calls=$(cat "\(scratch.path)/calls" 2>/dev/null || echo 0)
        calls=$((calls + 1))
        echo $calls >"\(scratch.path)/calls"
        echo "call $*" >>"\(scratch.path)/log"
        for word; do case $word in */list) sed 's/^/file /' "$word" >>"\(scratch.path)/log";; esac; done
        PATH=${PATH#*:}
        [ ! -e "\(scratch.path)/hook" ] || . "\(scratch.path)/hook"
        exec rclone "$@"

        """)
      try Programs.run("chmod", "755", "\(scratch.path)/bin/rclone")
    }

    /// Sets what happens at each call, whose number is in `$calls`; nil: nothing.
    private func hook(_ script: String?) throws {
      try Programs.run("rm", "-f", "\(scratch.path)/hook", "\(scratch.path)/calls", log)
      if let script { try scratch.write("hook", script) }
    }

    private func push(_ repository: PublishedRepository, to place: String? = nil) throws
      -> ChildProcess.Outcome
    {
      try start(repository, to: place).wait()
    }

    private func start(_ repository: PublishedRepository, to place: String? = nil) throws -> ChildProcess {
      let path = "\(scratch.path)/bin:\(String(cString: getenv("PATH")))"
      return try ChildProcess(
        try Programs.tinypublish(), ["push", repository.path, place ?? self.place],
        environment: ["PATH": path, "TMPDIR": scratch.path, "RCLONE_CONFIG": "\(scratch.path)/none"])
    }

    /// What each call of rclone was told to copy, and for how long caches may keep that.
    private func calls() throws -> [(files: [String], options: String)] {
      var calls: [(files: [String], options: String)] = []
      for line in String(decoding: try contents(log), as: UTF8.self).split(separator: "\n") {
        if line.hasPrefix("call ") {
          calls.append(([], String(line.dropFirst(5))))
        } else {
          calls[calls.count - 1].files.append(String(line.dropFirst(5)))
        }
      }
      return calls
    }

    private func verify() throws {
      let run = try ChildProcess.run(try Programs.tinypublish(), ["verify", "--deep", place])
      #expect(run.status == 0, "\(run.error)")
    }

    /// What `status` says as JSON.
    private func status(_ repository: PublishedRepository) throws -> String {
      let run = try ChildProcess.run(try Programs.tinypublish(), ["status", "--json", repository.path])
      #expect(run.status == 0, "\(run.error)")
      return run.output
    }

    private func expectNothingLeft() throws {
      #expect(try names(scratch.path).filter { $0.hasPrefix("tinypublish-") } == [])
    }

    @Test("content comes first, then the metadata, then the timestamp, then roots; and nothing private")
    func order() throws {
      let repository = try sample.repository.copy(to: "\(scratch.path)/repository")
      try scratch.write("repository/.inputs", "inputs 1\n")
      try scratch.write("repository/.work/half", "x")
      let run = try push(repository)
      #expect(run.status == 0 && run.output.contains("has release 4, 2024-04"), "\(run)")
      let calls = try calls()
      #expect(calls.count == 5)
      let folders = ["catalogs/", "components/", "payloads/"]
      #expect(calls[1].files.allSatisfy { name in folders.contains { name.hasPrefix($0) } })
      #expect(calls[2].files.count == 2 && calls[2].files.allSatisfy { $0.hasPrefix("metadata/") })
      #expect(calls[3].files == ["metadata/timestamp.json"])
      #expect(calls[4].files == ["metadata/1.root.json"])
      for (index, call) in calls.enumerated().dropFirst() {
        #expect(call.options.contains(index == 3 ? "Cache-Control: no-cache" : "max-age=31536000, immutable"))
      }
      #expect(try names(place).sorted() == ["catalogs", "components", "metadata", "payloads"])
      for folder in ["catalogs", "components", "payloads"] {
        #expect(try names("\(place)/\(folder)").sorted() == names("\(repository.path)/\(folder)").sorted())
      }
      try verify()
      let record = String(decoding: try contents("\(repository.path)/.pushed"), as: UTF8.self)
      #expect(record.hasSuffix(",\"release\":4,\"label\":\"2024-04\"}\n"), "\(record)")
      #expect(try status(repository).contains("\"destination\":\"\(place)\","))
      #expect(try status(repository).contains("\"isCurrent\":true"))
      let again = try push(repository)
      #expect(again.status == 0 && again.output.contains("0 of them were copied now"), "\(again)")
      try expectNothingLeft()
    }

    /// How a push ends before its time: at a call of rclone, before it has copied anything or after half of it.
    struct End: CustomTestStringConvertible {
      let call: Int
      let isKilled: Bool
      var testDescription: String { "\(isKilled ? "killed half way" : "refused") at call \(call)" }
      static let all = (1...5).flatMap { [End(call: $0, isKilled: false), End(call: $0, isKilled: true)] }
    }

    @Test(
      "whenever a push ends, devices have one release or the other, and the next push goes on",
      arguments: End.all)
    func interrupted(end: End) throws {
      let old = try sample.repository.copy(to: "\(scratch.path)/old", upTo: 2)
      #expect(try push(old).status == 0)
      let server = try WebServer(place)
      let device = try sample.device(at: 2, of: server.url)
      let half = """
        for word; do case $word in */list) n=$(wc -l <"$word"); sed -i "$((n / 2 + 1)),\\$d" "$word";; esac; done
        rclone "$@"; kill -9 $PPID; exit 1
        """
      try hook(
        "[ $calls -ne \(end.call) ] || { \(end.isKilled ? half : "echo 'ERROR : no such bucket'; exit 9"); }\n"
      )
      let run = try push(sample.repository)
      #expect(run.status != 0)
      if !end.isKilled {
        #expect(run.status == 24 && run.error.contains("(exit 9): ERROR : no such bucket"), "\(run.error)")
        try expectNothingLeft()
      }
      let update = try device.run("apply")
      #expect(update.exit == 0, "\(update.error)")
      let isNew = try device.installed() == sample.expected[4]
      #expect(try isNew || device.installed() == sample.expected[2])
      #expect(isNew == (end.call == 5), "\(update.output)")
      try hook(nil)
      #expect(try push(sample.repository).status == 0)
      #expect(try device.run("apply").exit == 0)
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.run("verify").exit == 0)
      try verify()
    }

    @Test(
      "a push that failed is no push: the record is that of the last one that succeeded", arguments: 1...5)
    func failed(call: Int) throws {
      let repository = try sample.repository.copy(to: "\(scratch.path)/repository")
      try Programs.run("rm", "-f", "\(repository.path)/.pushed")
      try hook("[ $calls -ne \(call) ] || exit 9\n")
      #expect(try push(repository).status == 24)
      #expect(try !names(repository.path).contains { $0.hasPrefix(".pushed") })
      #expect(try !status(repository).contains("\"pushed\":"))
      try hook(nil)
      #expect(try push(repository).status == 0)
      let before = try contents("\(repository.path)/.pushed")
      try repository.tinypublish("timestamp", repository.path)
      try hook("[ $calls -ne 1 ] || exit 9\n")
      #expect(try push(repository).status == 24)
      #expect(try contents("\(repository.path)/.pushed") == before)
      #expect(try status(repository).contains("\"isCurrent\":false"))
    }

    @Test("after a key was lost, the new root precedes the timestamp, and a failure between them is named")
    func lostKey() throws {
      let repository = PublishedRepository(path: "\(scratch.path)/repository")
      try repository.makeWithOwnKeys()
      #expect(try push(repository).status == 0)
      // Replaced with the old key, the root follows.
      try repository.tinypublish("key", "rotate", repository.path, "snapshot")
      try hook(nil)
      #expect(try push(repository).status == 0)
      #expect(try calls().suffix(2).map(\.files.count) == [1, 2])
      let lost = try #require(
        try names(repository.keys).first { $0.hasPrefix("timestamp-") && $0.hasSuffix(".pem") })
      try Programs.run("rm", "\(repository.keys)/\(lost)")
      try repository.tinypublish("key", "rotate", repository.path, "timestamp")
      try hook("[ $calls -ne 4 ] || { echo 'ERROR : no such bucket'; exit 9; }\n")
      let failed = try push(repository)
      #expect(failed.status == 24 && failed.error.contains("they may refuse what is there"), "\(failed)")
      #expect(try calls().last?.files == ["metadata/timestamp.json"])
      #expect(try calls().last?.options.contains("no-cache") == true)
      try hook(nil)
      #expect(try push(repository).status == 0)
      let roots = (1...3).map { "metadata/\($0).root.json" }
      #expect(try calls().suffix(2).map { $0.files.sorted() } == [["metadata/timestamp.json"], roots])
      try verify()
    }

    @Test("what may be secret in the destination is in no answer and no error")
    func secrets() throws {
      let place = ":local,access_token=hidden-word:\(self.place)"
      try hook("[ $calls -ne 2 ] || { echo \"ERROR : $*: hidden-word is wrong\"; exit 9; }\n")
      let failed = try push(sample.repository, to: place)
      #expect(failed.status == 24 && failed.error.contains("***"), "\(failed)")
      #expect(!failed.error.contains("hidden-word"), "\(failed)")
      try hook(nil)
      let done = try push(sample.repository, to: place)
      #expect(!(done.output + done.error).contains("hidden-word"), "\(done)")
    }

    @Test("a signal ends a push and its rclone, and nothing is left of them", arguments: [SIGINT, SIGTERM])
    func signal(number: Int32) throws {
      try hook("[ $calls -ne 2 ] || { echo $$ >'\(scratch.path)/pid'; exec sleep 1000; }\n")
      let child = try start(sample.repository)
      let end = Clock.milliseconds + 20_000
      // The name is there before the number.
      while try !names(scratch.path).contains("pid") || scratch.read("pid").isEmpty, Clock.milliseconds < end
      {
        Clock.sleep(milliseconds: 10)
      }
      let rclone = try #require(pid_t(String(decoding: try scratch.read("pid"), as: UTF8.self).dropLast()))
      child.signal(number)
      let run = child.wait(timeout: 20)
      #expect(run.signal == number && run.error.contains("Stopped by a signal"), "\(run)")
      #expect(kill(rclone, 0) == -1 && errno == ESRCH)
      try expectNothingLeft()
      try hook(nil)
      #expect(try push(sample.repository).status == 0)
      try verify()
    }

    @Test("a repository that changes while it is copied is copied as it is at the end")
    func changing() throws {
      let repository = try sample.repository.copy(to: "\(scratch.path)/repository")
      let words = "--keys '\(repository.keys)' --passphrase-file '\(repository.passphraseFile)'"
      try hook(
        "[ $calls -ne 2 ] || '\(try Programs.tinypublish())' timestamp '\(repository.path)' \(words) >&2 || exit 99\n"
      )
      let before = try contents("\(repository.path)/metadata/timestamp.json")
      let run = try push(repository)
      #expect(run.status == 0, "\(run)")
      let after = try contents("\(repository.path)/metadata/timestamp.json")
      #expect(after != before)
      #expect(try contents("\(place)/metadata/timestamp.json") == after)
      // The first three, and then all five.
      #expect(try calls().count == 8)
    }

    @Test("half a file is copied again, and whatever is there beside it stays")
    func halves() throws {
      #expect(try push(sample.repository).status == 0)
      let name = try #require(try names("\(place)/components").sorted().first)
      let whole = try contents("\(place)/components/\(name)")
      try scratch.write("there/components/\(name)", Array(whole.prefix(whole.count / 2)))
      try scratch.write("there/index.html", "x")
      let run = try push(sample.repository)
      #expect(run.status == 0 && run.output.contains("; 1 of them were copied now"), "\(run)")
      #expect(try contents("\(place)/components/\(name)") == whole)
      #expect(try names(place).contains("index.html"))
    }

    @Test("an older repository, another one and a damaged one are refused before anything is copied")
    func refusals() throws {
      #expect(try push(sample.repository).status == 0)
      let before = try contents("\(place)/metadata/timestamp.json")
      let old = try push(try sample.repository.copy(to: "\(scratch.path)/old", upTo: 2))
      #expect(old.status == 21 && old.error.contains("devices would refuse it"), "\(old)")
      let other = PublishedRepository(path: "\(scratch.path)/other")
      try other.makeWithOwnKeys()
      let another = try push(other)
      #expect(another.status == 21 && another.error.contains("of another repository"), "\(another)")
      let damaged = try sample.repository.copy(to: "\(scratch.path)/damaged")
      let name = try #require(try names("\(damaged.path)/components").sorted().first)
      try damaged.edit("components/\(name)") { $0.removeLast() }
      let refused = try push(damaged)
      #expect(
        refused.status == 21 && refused.error.contains("is not the file that the catalog lists"), "\(refused)"
      )
      #expect(try contents("\(place)/metadata/timestamp.json") == before)
      #expect(try push(sample.repository, to: "-x").status == 64)
      let none = try ChildProcess.run(
        try Programs.tinypublish(), ["push", sample.repository.path, place],
        environment: ["PATH": scratch.path, "TMPDIR": scratch.path])
      #expect(none.status == 78 && none.error.contains("apt install rclone"), "\(none)")
      try expectNothingLeft()
    }
  }
}

private enum RemoteCopy {
  static let isPossible = (try? ChildProcess.run("sh", ["-c", "command -v rclone"]))?.status == 0
}
