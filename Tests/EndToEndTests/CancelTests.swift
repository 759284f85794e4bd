import Foundation
import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Operations that nobody wants any more.
  @Suite("Cancelling")
  struct CancelTests {
    private let sample: Sample
    private let tree: TreeSample

    init() throws {
      sample = try Sample.shared.get()
      tree = try TreeSample.shared.get()
    }

    // MARK: - Within a second

    /// What an update does before its commit, each of it long enough to be met in the middle.
    enum Phase: CaseIterable {
      case downloading
      /// Nobody listens at the port, and the next attempt is half a minute away.
      case waitingForAttempt
      /// The port takes what is sent, and never answers.
      case waitingForAnswer
      /// The installed file that a patch starts from is read and hashed.
      case readingBase
      case patching
      /// The new file is read back from disk and hashed.
      case readingBack
    }

    enum Way: CaseIterable { case command, signal }

    /// The map that takes longest; it comes by patch.
    private static let malta = "europe/malta/base.bin"

    /// A device at release 2 on which the update of Malta is what it does first.
    private func device(of url: String, _ settings: String...) throws -> Device {
      let device = try sample.device(
        at: 2, of: url, settings: (settings + ["stall_timeout = 60"]).joined(separator: "\n"))
      #expect(try device.run("uninstall", "europe/latvia", "europe/iceland", "europe/atlantis").exit == 0)
      return device
    }

    /// Starts a command with each system call of a kind slow, as far as it has to do with the file at `path`.
    ///
    /// The program is the child itself, so that signals reach it, and strace runs next to it.
    private func startSlowly(
      _ device: Device, _ call: String, on path: String, _ words: [String] = ["apply"]
    ) throws -> ChildProcess {
      try device.start(
        ["--json"] + words,
        before: [
          "strace", "-D", "-o", "/dev/null", "-P", path, "-e", "trace=\(call)", "-e",
          "inject=\(call):delay_enter=150000",
        ])
    }

    /// Returns when `condition` holds, or after half a minute.
    private func wait(until condition: () throws -> Bool) throws {
      let end = Clock.milliseconds + 30_000
      while try !condition() {
        try #require(Clock.milliseconds < end, "it never came to that")
        Clock.sleep(milliseconds: 5)
      }
    }

    /// An update in the middle of `phase`, and what has to live as long.
    private func start(_ phase: Phase) throws -> (Device, ChildProcess, WebServer) {
      let slow = phase == .downloading || phase == .waitingForAttempt || phase == .waitingForAnswer
      let server = try WebServer(
        sample.repository.path, directives: slow ? "location /payloads/ { limit_rate 10k; }" : "")
      let device = try device(of: server.url, "retry_delay = 30000")
      let new = "\(device.root)/staging/\(sample.expected[4]?[CancelTests.malta] ?? "").part"
      let size = try contents("\(sample.repository.path)/components/\(component())").count
      switch phase {
      case .downloading, .waitingForAttempt, .waitingForAnswer:
        let apply = try device.start(["--json", "apply"])
        // The file that the patch makes is there before the first byte of the patch.
        try wait { try !device.staged.isEmpty }
        if phase == .waitingForAttempt {
          server.kill()
          _ = try #require(apply.waitForLine(with: "\"event\":\"connection-lost\""))
        } else if phase == .waitingForAnswer {
          try server.pause()
          Clock.sleep(milliseconds: 300)  // what is on its way arrives
        }
        return (device, apply, server)
      case .readingBase:
        let apply = try startSlowly(
          device, "pread64", on: "\(device.root)/\(device.current ?? "")/maps/\(CancelTests.malta)")
        _ = try #require(apply.waitForLine(with: "\"state\":\"waiting\""))
        return (device, apply, server)
      case .patching:
        let apply = try startSlowly(device, "pwrite64", on: new)
        try wait { ((try? contents(new).count) ?? 0) > 0 }
        #expect(try contents(new).count < size / 2)
        return (device, apply, server)
      case .readingBack:
        let apply = try startSlowly(device, "pread64", on: new)
        try wait { ((try? contents(new).count) ?? 0) == size }
        return (device, apply, server)
      }
    }

    /// The name of the new map of Malta in the repository.
    private func component() throws -> String {
      let digest = try #require(sample.expected[4]?[CancelTests.malta])
      return try #require(try names("\(sample.repository.path)/components").first { $0.contains(digest) })
    }

    @Test(
      "B8: cancelling takes effect within a second in every phase before the commit, and leaves no files",
      arguments: Phase.allCases, Way.allCases)
    func withinASecond(phase: Phase, way: Way) throws {
      let (device, apply, server) = try start(phase)
      let before = try device.state()
      let staged = try device.staged
      let start = Clock.milliseconds
      switch way {
      case .command:
        let cancel = try device.json("cancel", ["world/airports"])
        #expect(try cancel.exit == 0 && cancel.number("result", "cancelled") == 1)
      case .signal: apply.signal(SIGINT)
      }
      let run = try device.finish(apply)
      let duration = Clock.milliseconds - start
      #expect(duration < 1000, "\(duration) ms")
      #expect(run.exit == 26, "\(run.error)")
      #expect(try run.event("result")["result"] as? String == "OperationCancelled")
      #expect(!staged.isEmpty || phase == .readingBase)
      #expect(try device.staged == [])
      #expect(try device.state() == before)
      #expect(try names("\(device.root)/queue").allSatisfy { $0.hasSuffix(".done") || $0 == "worker" })
      if phase == .waitingForAnswer { try server.goOn() }
    }

    @Test(
      "B8: cancelling while a name server does not answer is a cancellation, not a lost connection",
      .enabled(if: Volume.isPossible, "mounting takes root"))
    func silentNameServer() throws {
      let device = try sample.device(at: 2, of: "http://maps.example.org", settings: "retries = 0")
      let before = try device.state()
      let scratch = try Scratch("names")
      try scratch.write("resolv.conf", "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
      let script = "mount --bind '\(scratch.path)/resolv.conf' /etc/resolv.conf && exec \"$0\" \"$@\""
      let apply = try device.start(["--json", "apply"], before: ["unshare", "-m", "sh", "-c", script])
      _ = try #require(apply.waitForLine(with: "\"state\":\"running\""))
      apply.signal(SIGTERM)
      let run = try device.finish(apply)
      #expect(run.exit == 26, "\(run.output)")
      #expect(try device.state() == before)
    }

    @Test("a running operation does not look at the queue while nothing changes there, and then at once")
    func undisturbed() throws {
      let server = try WebServer(
        sample.repository.path, directives: "location /payloads/ { limit_rate 2k; }")
      let device = try device(of: server.url)
      let scratch = try Scratch("queue-looks")
      let log = "\(scratch.path)/calls"
      let apply = try device.start(
        ["--json", "apply"], before: ["strace", "-f", "-o", log, "-P", "\(device.root)/queue"])
      func looks() throws -> Int {
        String(decoding: try contents(log), as: UTF8.self).split(separator: "\n")
          .count { $0.contains("getdents64(") || $0.contains(".cancel\"") }
      }
      // At most two come in a second.
      for _ in 0..<2 { _ = try #require(apply.waitForLine(with: "\"event\":\"progress\"")) }
      let before = try looks()
      for _ in 0..<4 { _ = try #require(apply.waitForLine(with: "\"event\":\"progress\"")) }
      #expect(try looks() == before)
      #expect(try device.json("cancel").number("result", "cancelled") == 1)
      #expect(try device.finish(apply).exit == 26)
      #expect(try looks() > before)
    }

    // MARK: - Nodes

    /// A request, what of it is cancelled while it waits, and what is installed then.
    struct Case: CustomTestStringConvertible {
      let command: String
      let cancelled: [String]
      let exit: Int32
      let installed: [String]
      var testDescription: String { "\(command), without \(cancelled.joined(separator: " "))" }

      init(_ command: String, _ cancelled: [String], _ installed: [String]) {
        self.init(command, cancelled, 0, installed)
      }

      init(_ command: String, _ cancelled: [String], _ exit: Int32, _ installed: [String]) {
        self.command = command
        self.cancelled = cancelled
        self.exit = exit
        self.installed = installed
      }
    }

    private static let alsace = "europe/france/alsace"
    private static let corsica = "europe/france/corsica"

    @Test(
      "C7: cancelling nodes of a waiting operation removes them from it, and the rest is carried out",
      arguments: [
        Case("install signs europe/malta pacific/fiji", ["europe/malta"], [alsace, "pacific/fiji", "signs"]),
        Case("install signs pacific/fiji polar", ["signs", "polar"], [alsace, "pacific/fiji"]),
        Case("install europe/malta signs europe/gozo", ["europe"], [alsace, "signs"]),
        Case("install europe", ["europe/malta"], [alsace, corsica, "europe/gozo"]),
        Case(
          "install europe pacific", ["europe/france", "europe/gozo"],
          [alsace, "europe/malta", "pacific/fiji"]),
        Case("install signs", ["europe"], [alsace, "signs"]),
        Case("install europe/malta", ["europe"], 26, [alsace]),
        Case("install europe/malta signs", ["signs", "europe/malta"], 26, [alsace]),
        Case("uninstall europe/france", [alsace], [alsace]),
        Case("uninstall europe/france", ["europe"], 26, [alsace]),
        Case("uninstall europe/france", [], 26, [alsace]),
        Case("apply", ["signs"], 26, [alsace]),
        Case("apply europe", [alsace], 26, [alsace]),
      ])
    func nodes(request: Case) throws {
      let device = try tree.device(at: 1, installing: CancelTests.alsace)
      let store = try Directory(opening: device.root)
      try store.lock(.exclusive)
      let child = try device.start(["--json"] + request.command.split(separator: " ").map(String.init))
      _ = try #require(child.waitForLine(with: "\"state\":\"queued\""))
      let cancel = try device.start(["--json", "cancel"] + request.cancelled)
      let isConcerned = request.exit != 0 || request.command != "install signs"
      if isConcerned { try wait { try names("\(device.root)/queue").contains { $0.hasSuffix(".cancel") } } }
      _ = consume store
      #expect(try device.finish(cancel).number("result", "cancelled") == (isConcerned ? 1 : 0))
      let run = try device.finish(child)
      #expect(run.exit == request.exit, "\(run.output) \(run.error)")
      #expect(try device.packages() == request.installed)
      #expect(try device.release() == 1)
      #expect(try device.staged == [])
      #expect(try device.run("verify").exit == 0)
      #expect(try names("\(device.root)/queue").allSatisfy { $0.hasSuffix(".done") || $0 == "worker" })
    }

    @Test("C7: an operation that is just being written into the queue is cancelled")
    func justQueued() throws {
      let device = try tree.device(at: 1, installing: CancelTests.alsace)
      let store = try Directory(opening: device.root)
      try store.lock(.exclusive)
      let queue = "\(device.root)/queue"
      let last = try names(queue).compactMap { $0.hasSuffix(".done") ? Int($0.dropLast(5)) : nil }.max() ?? 0
      let child = try startSlowly(device, "write", on: "\(queue)/\(last + 1)", ["install", "signs"])
      try wait { try names(queue).contains("\(last + 1)") }
      let cancel = try device.start(["--json", "cancel"])
      try wait { try names(queue).contains("\(last + 1).cancel") }
      _ = consume store
      #expect(try device.finish(cancel).number("result", "cancelled") == 1)
      #expect(try device.finish(child).exit == 26)
      #expect(try device.packages() == [CancelTests.alsace])
    }

    @Test(
      "C7: cancelling nodes of a running operation removes them from it, and the rest continues",
      arguments: [
        // The one that is being fetched, one that follows it, and a package of a region.
        (
          "install europe/iceland europe/latvia world/rivers", "europe/latvia",
          ["europe/iceland", "world/rivers"]
        ),
        ("install europe/iceland europe/latvia world/rivers", "world", ["europe/iceland", "europe/latvia"]),
        ("install europe", "europe/latvia", ["europe/iceland", "europe/malta"]),
      ])
    func nodesInProgress(command: String, cancelled: String, installed: [String]) throws {
      let server = try WebServer(
        sample.repository.path, directives: "location /components/ { limit_rate 20k; }")
      let device = try sample.device(at: 4, of: server.url)
      #expect(try device.run("uninstall", "europe").exit == 0)
      let install = try device.startInOverlay(command)
      let cancel = try device.json("cancel", [cancelled])
      #expect(try cancel.number("result", "cancelled") == 1, "\(cancel.output)")
      let run = try device.finish(install)
      #expect(run.exit == 0, "\(run.error)")
      #expect(try device.packages() == (installed + ["world/airports"]).sorted())
      #expect(try device.staged == [])
      #expect(try device.run("verify").exit == 0)
      // Nothing that was there when the rest began anew was fetched again.
      let log = try server.finish().payloads
      #expect(
        Set(log.map(\.path)).count == log.count - (installed.contains("europe/latvia") ? 1 : 0), "\(log)")
    }

    @Test(
      "C7: an update in progress is cancelled as a whole by any node", arguments: ["apply", "apply europe"])
    func updateInProgress(command: String) throws {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 2, of: server.url)
      let before = try device.state()
      let apply = try device.startInOverlay(command)
      #expect(try device.json("cancel", ["europe/iceland"]).number("result", "cancelled") == 1)
      #expect(try device.finish(apply).exit == 26)
      #expect(try device.state() == before)
      #expect(try device.staged == [])
      #expect(try device.eventLog().contains { $0["state"] as? String == "cancelled" })
    }
  }
}
