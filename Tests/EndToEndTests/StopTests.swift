import Foundation
import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Signals: a stopped operation resumes later, a cancelled one does not, and what is committed stays.
  @Suite("Stopping")
  struct StopTests {
    private let sample: Sample

    init() throws { sample = try Sample.shared.get() }

    private func slowServer() throws -> WebServer {
      try WebServer(sample.repository.path, directives: WebServer.slowComponents)
    }

    @Test(
      "a shutdown stops an update cleanly, and the next run resumes it at the next byte",
      arguments: [SIGTERM, SIGHUP])
    func stopped(signal: Int32) throws {
      let server = try slowServer()
      let device = try sample.device(at: 2, of: server.url)
      let before = try device.state()
      let apply = try device.startInOverlay("apply")
      apply.signal(signal)
      let run = try device.finish(apply)
      #expect(run.exit == 26)
      let message = try run.event("result")["message"] as? String ?? ""
      #expect(message.hasPrefix("stopped; the operation waits in the queue"), "\(message)")
      #expect(run.events("operation").last?["state"] as? String == "waiting")
      #expect(try device.state() == before)
      #expect(try device.queue() == ["apply"])
      let part = try #require(try device.staged.first { $0.hasSuffix(".part") })
      let size = try contents("\(device.root)/staging/\(part)").count
      let fast = try WebServer(sample.repository.path)
      #expect(try device.run("--repository", fast.url, "apply").exit == 0)
      #expect(try device.installed() == sample.expected[4])
      #expect(try fast.finish().payloads.first?.range == "bytes=\(size)-")
    }

    /// What comes while the new generation is built.
    enum Request: CaseIterable { case interrupt, terminate, cancel }

    @Test(
      "a commit cannot be cancelled: an operation requested meanwhile finds it done",
      arguments: Request.allCases)
    func inCommit(request: Request) throws {
      let device = try sample.device(at: 2)
      let apply = try device.start(
        ["--json", "apply"],
        before: [
          "strace", "-D", "-o", "/dev/null", "-e", "trace=linkat", "-e", "inject=linkat:delay_enter=150000",
        ])
      _ = try #require(apply.waitForLine(with: "\"event\":\"applying\""))
      switch request {
      case .interrupt: apply.signal(SIGINT)
      case .terminate: apply.signal(SIGTERM)
      case .cancel:
        let cancel = try device.json("cancel")
        #expect(try cancel.number("result", "ended") == 1, "\(cancel.output)")
      }
      let run = try device.finish(apply)
      #expect(run.exit == 0, "\(run)")
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.queue() == [] && device.staged == [])
    }

    @Test(
      "a waiting command ends at a signal although the working process hangs",
      arguments: [SIGTERM, SIGHUP, SIGINT])
    func hanging(signal: Int32) throws {
      let server = try slowServer()
      let device = try sample.device(at: 2, of: server.url)
      let apply = try device.startInOverlay("apply")
      apply.signal(SIGSTOP)
      let install = try device.start(["install", "world/rivers"])
      _ = try #require(install.waitForLine(with: "is queued; process \(apply.id) is at work"))
      install.signal(signal)
      let outcome = install.wait(timeout: 20)
      #expect(outcome.status == 26 && !outcome.isTimedOut, "\(outcome)")
      // A stop is not a cancellation.
      let isCancelled = try names("\(device.root)/queue").contains { $0.hasSuffix(".cancel") }
      #expect(isCancelled == (signal == SIGINT))
      apply.signal(SIGKILL)
    }

    @Test("a command that waits for a process that only holds the store says so")
    func held() throws {
      let device = try sample.device(at: 4)
      let holder = try Directory(opening: device.root)
      try holder.lock(.exclusive)
      let child = try device.start(["uninstall", "europe/malta"])
      _ = try #require(child.waitForLine(with: "is queued; another process holds the store"))
      child.signal(SIGTERM)
      let run = try device.finish(child)
      #expect(run.exit == 26 && run.error.contains("stopped; the operation waits in the queue"), "\(run)")
      #expect(try device.queue() == ["uninstall id europe/malta"])
    }
  }
}
