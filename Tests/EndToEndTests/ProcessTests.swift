import Foundation
import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What a caller leaves to the program: ignored signals, closed streams, limits, a umask.
  @Suite("The process")
  struct ProcessTests {
    private let sample: Sample

    init() throws { sample = try Sample.shared.get() }

    private func slowServer() throws -> WebServer {
      try WebServer(sample.repository.path, directives: WebServer.slowComponents)
    }

    @Test(
      "a signal that the caller ignores stays ignored, as nohup and shells expect",
      arguments: ["HUP", "INT"])
    func ignored(name: String) throws {
      let server = try WebServer(
        sample.repository.path, directives: "location /components/ { limit_rate 60k; }")
      let device = try sample.device(at: 2, of: server.url)
      let apply = try device.start(
        ["--json", "apply"], before: ["sh", "-c", "trap '' \(name); exec \"$0\" \"$@\""])
      _ = try #require(apply.waitForLine(with: "\"state\":\"downloading\""))
      apply.signal(name == "HUP" ? SIGHUP : SIGINT)
      #expect(try device.finish(apply).exit == 0)
      #expect(try device.installed() == sample.expected[4])
    }

    @Test("index commands work if the caller ignores SIGCHLD")
    func ignoredChildren() throws {
      let maps = try IndexedMaps.shared.get()
      let device = try maps.device(try IndexedMaps.Command("echo index >\"$2\""))
      let script =
        "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
      let run = try device.finish(
        device.start(["install", "sample"], before: ["python3", "-c", script]))
      #expect(run.exit == 0, "\(run)")
    }

    @Test("no file of the store gets the number of a closed standard stream")
    func closedStreams() throws {
      let server = try slowServer()
      let device = try sample.device(at: 2, of: server.url)
      let apply = try device.start(["apply"], before: ["sh", "-c", "exec \"$0\" \"$@\" <&- >&- 2>&-"])
      try wait { try device.staged.contains { $0.hasSuffix(".part") } }
      for stream in 0..<3 {
        let path = try Directory(opening: "/proc/\(apply.id)/fd").readSymbolicLink("\(stream)")
        #expect(path == "/dev/null")
      }
      apply.signal(SIGKILL)
    }

    @Test("a file size limit of the caller is an error that names it")
    func fileSizeLimit() throws {
      let device = try sample.device(at: 2)
      let before = try device.state()
      let run = try device.finish(
        device.start(["apply"], before: ["sh", "-c", "ulimit -f 64; exec \"$0\" \"$@\""]))
      #expect(run.exit == 24 && run.error.contains("(ulimit -f)"), "\(run)")
      #expect(try device.state() == before)
    }

    @Test("maps can be read by others whatever the umask of the caller")
    func umask() throws {
      let device = try Device(sample.repository.url)
      let run = try device.finish(
        device.start(["install", "world"], before: ["sh", "-c", "umask 077; exec \"$0\" \"$@\""]))
      #expect(run.exit == 0, "\(run)")
      let modes = try Programs.run(
        "sh", "-c", "stat -c %a '\(device.root)' '\(device.root)'/current/maps/world/*/*")
      #expect(Set(modes.split(separator: "\n")) == ["755", "644"])
    }

    @Test(
      "an option may precede patch, and one that it does not take is refused",
      arguments: [
        (["-q", "patch"], 24, "a: No such file or directory"),
        (["--tree", "patch"], 64, "patch does not take --tree"),
      ] as [([String], Int32, String)])
    func optionBefore(words: [String], status: Int32, text: String) throws {
      let outcome = try ChildProcess.run(try Programs.tinyupdater(), words + ["a", "b", "c"])
      #expect(outcome.status == status)
      #expect(outcome.error.contains(text), "\(outcome.error)")
    }
  }
}
