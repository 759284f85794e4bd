import Foundation
import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What support staff find.
  @Suite("Log and history")
  struct LogTests {
    private let sample: Sample
    private let scratch: Scratch
    private var log: String { "\(scratch.path)/maps.log" }

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("log")
    }

    private func lines(_ path: String) throws -> [String] {
      String(decoding: try contents(path), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("A3: an unsuccessful connection attempt is in the log with URL, cause and attempt")
    func refused() throws {
      let server = try WebServer(sample.repository.path)
      let device = try sample.device(at: 2, of: server.url, settings: "log = \(log)")
      server.kill()
      let run = try device.run("apply")
      #expect(run.exit == 20, "\(run)")
      let url = "\(server.url)/metadata/2.root.json"
      let lines = try lines(log)
      #expect(lines.count == 3, "\(lines)")
      let head = #/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ tinyupdater\[\d+\] (warning|error): apply: /#
      let texts = lines.map { String($0.trimmingPrefix(head)) }
      for (line, text) in zip(lines, texts) { #expect(line != text, "\(line)") }
      for (index, text) in texts.prefix(2).enumerated() {
        #expect(text.hasPrefix("\(url): ") && text.contains("onnect"), "\(text)")
        #expect(text.contains("attempt \(index + 1) failed, attempt \(index + 2) follows in"), "\(text)")
      }
      #expect(
        texts[2].hasPrefix("ConnectionFailed (exit 20): \(url) was not reached in 3 attempts ("),
        "\(texts[2])")
      // What the user sees is written once.
      #expect(run.error.split(separator: "\n").count == 3, "\(run.error)")
      #expect(run.error.contains("attempt 2 in ") && run.error.contains("attempt 3 in "))

      let history = try device.json("history", "1").event("history")
      #expect(history["failedAttempts"] as? Int == 3)
      #expect((history["failure"] as? String)?.hasPrefix("\(url): ") == true)
      #expect(try device.run("history").output.contains("3 failures, the last: \(url): "))
    }

    @Test("A3: a server that disappears during a download and returns is in the log")
    func lost() throws {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(
        at: 2, of: server.url, settings: "log = \(log)", "log_level = debug", "retry_delay = 100")
      let child = try device.start(["--json", "apply"])
      #expect(
        child.waitForLine(with: "\"path\":\"europe/latvia/overlay.bin\",\"state\":\"downloading\"") != nil)
      server.kill()
      let run = try device.finish(child)
      #expect(run.exit == 20, "\(run)")
      let lines = try lines(log)
      #expect(
        lines.contains {
          $0.contains(" warning: apply: \(server.url)/components/") && $0.contains("attempt 1 failed")
        })
      #expect(
        lines.last?.contains(" error: apply: ConnectionFailed (exit 20): \(server.url)/components/") == true)
      #expect(run.error == "")
      #expect(try device.run("--repository", sample.repository.url, "apply").exit == 0)
      #expect(
        try self.lines(log).last?.contains(" info: apply: from release 2 (2024-02) to release 4 (2024-04), ")
          == true)
    }

    @Test("the output of the index command is in the log, and that of a failed one on standard error too")
    func indexCommand() throws {
      let maps = try IndexedMaps.shared.get()
      let command = try IndexedMaps.Command(
        "printf 'about \\033[2J %s\\n' \"$TINYUPDATER_ID\"; echo x >\"$2\"")
      let device = try maps.device(command, settings: "log = \(log)")
      let run = try device.run("install", "sample")
      #expect(run.exit == 0 && run.error == "", "\(run)")
      let said = try lines(log).filter { $0.contains("index of ") }
      #expect(said.count == 3)
      #expect(
        said[0].hasSuffix(" info: install: index of sample/one/base.bin: about \\x1b[2J sample/one"),
        "\(said)")
      // Only warnings by default on standard error.
      #expect(try maps.device(command).run("install", "sample").error == "")
    }

    @Test("a log that has reached its size is renamed, and one that cannot be written stops nothing")
    func rotation() throws {
      try scratch.write("maps.log", String(repeating: "x\n", count: 8190))
      let device = try sample.device(at: 3, settings: "log = \(log)", "log_size = 16K")
      let expected = try device.run("apply")
      #expect(expected.exit == 0)
      #expect(try scratch.names().sorted() == ["maps.log", "maps.log.1"])
      // What is withdrawn, and how it ended.
      #expect(try lines(log).count == 2)
      let other = try sample.device(at: 3, settings: "log = \(scratch.path)/missing/log")
      let run = try other.run("apply")
      #expect(run.exit == 0 && run.error == expected.error)
    }

    @Test(
      "syslog gets the lines, also those of a log that cannot be written",
      .enabled(if: Volume.isPossible, "mounting takes root"), arguments: ["syslog", "/missing/log"])
    func syslog(destination: String) throws {
      // Other programs of this machine write to its own one.
      try scratch.makeDirectory("dev")
      for name in ["null", "urandom"] { try scratch.write("dev/\(name)", "") }
      let receiver = try socket(at: "\(scratch.path)/dev/log")
      defer { close(receiver) }
      let mounts = """
        cd '\(scratch.path)/dev' && for name in null urandom; do mount --bind /dev/$name $name || exit; done
        mount --rbind . /dev && exec "$0" "$@"
        """
      let server = try WebServer(sample.repository.path)
      let device = try sample.device(at: 2, of: server.url, settings: "log = \(destination)", "retries = 0")
      server.kill()
      let apply = try device.start(["apply"], before: ["unshare", "-m", "sh", "-c", mounts])
      #expect(try device.finish(apply).exit == 20)
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = recv(receiver, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
      // LOG_DAEMON and LOG_ERR.
      #expect(text.hasPrefix("<27>") && text.contains(" tinyupdater["), "\(text)")
      #expect(text.contains("]: apply: ConnectionFailed (exit 20): \(server.url)/metadata/"), "\(text)")
    }

    /// What a log daemon listens on.
    private func socket(at path: String) throws -> Int32 {
      let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let isBound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
      }
      try #require(isBound, "\(path)")
      return socket
    }

    @Test("E2: the history shows the plan and what happened side by side")
    func figures() throws {
      let volume = Volume.isPossible ? try Volume(megabytes: 16) : nil
      let server = try WebServer(sample.repository.path)
      let device = try sample.device(at: 2, of: server.url, root: volume.map { "\($0.path)/store" })
      let before = try server.log().count
      let plan = try device.json("plan")
      #expect(try device.json("apply").exit == 0)
      let payloads = Array(try server.finish().dropFirst(before)).payloads
      let entries = try device.json("history").events("history")
      #expect(entries.map { $0["command"] as? String } == ["apply"].suffix(1) || entries.count == 2)
      let entry = try #require(entries.last)
      #expect(entry["command"] as? String == "apply" && entry["result"] as? String == "Success")
      let planned = try #require(entry["planned"] as? [String: Int])
      let happened = try #require(entry["happened"] as? [String: Int])
      #expect(planned["download"] == happened["download"])
      #expect(try planned["download"] == plan.number("plan", "download"))
      #expect(happened["download"] == payloads.sent)
      #expect(try planned["peakDisk"] == plan.number("plan", "peakDisk"))
      #expect(entry["reserve"] as? Int == 0 && entry["failedAttempts"] as? Int == 0)
      if volume != nil {
        let (most, least) = (planned["peakDisk"] ?? 0, happened["peakDisk"] ?? 0)
        #expect(least > 0 && least <= most)
      }
      let text = try device.run("history", "1").output
      #expect(
        text.split(separator: "\n").count == 2 && text.contains("done") && text.contains("2 to 4"),
        "\(text)")
    }

    @Test("E2: the history has indexes as estimated and as made")
    func indexFigures() throws {
      let maps = try IndexedMaps.shared.get()
      let device = try maps.device(try IndexedMaps.Command("head -c 1000 /dev/zero >\"$2\""))
      #expect(try device.run("install", "sample").exit == 0)
      let entry = try #require(try device.json("history").events("history").last)
      #expect((entry["planned"] as? [String: Int])?["index"] == 3 * IndexedMaps.estimate)
      #expect((entry["happened"] as? [String: Int])?["index"] == 3000)
    }

    @Test("a failed rollback is in the history; operands that are not valid are refused")
    func rollback() throws {
      let device = try sample.device(at: 2)
      #expect(try device.run("rollback").exit == 64)
      #expect(try device.run("apply").exit == 0)
      defer { _ = try? Programs.run("rm", "-rf", device.root) }
      // Deeper than any removal goes: the link to the generation cannot be made.
      try Programs.run("mkdir", "-p", "\(device.root)/current.new" + String(repeating: "/x", count: 40))
      #expect(try device.run("rollback").exit == 24)
      #expect(try device.installed() == sample.expected[4])
      let entry = try #require(try device.json("history").events("history").last)
      #expect(entry["command"] as? String == "rollback" && entry["result"] as? String == "StorageFailed")
      #expect(try device.json("history", "1").events("history").count == 1)
      for words in [["history", "x"], ["history", "0"], ["history", "1", "2"]] {
        #expect(try device.finish(device.start(words)).exit == 64)
      }
      let empty = try Device(sample.repository.url)
      #expect(try empty.run("history").output == "no runs yet\n")
    }
  }
}
