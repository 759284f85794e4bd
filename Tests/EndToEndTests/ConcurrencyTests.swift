import Foundation
import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What processes do to each other, and what a killed one leaves to the next.
  @Suite("Concurrency")
  struct ConcurrencyTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("concurrency")
    }

    /// Puts a file into the store at once, as another process would.
    private func put(_ text: String, _ device: Device, _ name: String) throws {
      try scratch.write("file", text)
      try Programs.run("mv", "\(scratch.path)/file", "\(device.root)/\(name)")
    }

    @Test("an update does not step aside for an install that has already failed and waits for the next run")
    func failedInstall() throws {
      let server = try WebServer(sample.repository.path)
      server.kill()
      let device = try sample.device(at: 2, of: server.url, settings: "retry_delay = 1000", "retries = 1")
      #expect(try device.run("install", "world/rivers").exit == 20)
      #expect(try device.queue() == ["install id world/rivers"])
      let apply = try device.start(["--json", "apply"]).wait(timeout: 30)
      #expect(!apply.isTimedOut && apply.status == 20, "\(apply)")
      let running = apply.output.split(separator: "\n").filter { $0.contains("\"state\":\"running\"") }
      #expect(running.count == 2)
      #expect(try device.queue() == ["install id world/rivers", "apply"])
    }

    @Test(
      "SIGINT to a process that carries out another one's operation cancels only its own; SIGTERM cancels neither",
      arguments: [SIGINT, SIGTERM])
    func signalBeforeOwn(signal: Int32) throws {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 4, of: server.url)
      #expect(try device.run("uninstall", "europe/latvia").exit == 0)
      let killed = try device.startInOverlay("install", "europe/latvia")
      killed.signal(SIGKILL)
      _ = killed.wait()
      let own = try device.startInOverlay("install", "world/rivers")
      own.signal(signal)
      let run = try device.finish(own)
      #expect(run.exit == 26, "\(run.error)")
      let rest = signal == SIGINT ? [] : ["install id world/rivers"]
      #expect(try device.queue() == ["install id europe/latvia"] + rest)
      // What was fetched of the other one is kept for it.
      #expect(try device.staged != [])
      #expect(try device.run("cancel").exit == 0)
      #expect(try device.staged == [])
    }

    @Test(
      "a check or a plan that finds an even newer release does not disturb the update in progress",
      arguments: [("check", 10), ("plan", 0)] as [(String, Int32)])
    func askMeanwhile(command: String, exit: Int32) throws {
      let served = try sample.repository.copy(to: "\(scratch.path)/repository", upTo: 3)
      let server = try WebServer(served.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 2, of: server.url)
      let apply = try device.startInOverlay("apply")
      try served.replace(
        "metadata/timestamp.json", try contents("\(sample.repository.path)/metadata/timestamp.json"))
      let question = try device.json(command)
      #expect(question.exit == exit, "\(question.error)")
      let update = try device.finish(apply)
      #expect(update.exit == 0, "\(update.error)")
      #expect(try device.release() == 3)
      #expect(try device.run("apply").exit == 0)
      #expect(try device.release() == 4)
    }

    @Test(
      "cancelling a waiting operation removes what it has staged, while another one is carried out"
    )
    func stagedOfCancelled() throws {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 4, of: server.url)
      #expect(try device.run("uninstall", "europe/latvia").exit == 0)
      // The update of a killed process, with what it had fetched.
      try put("tinyupdater-operation 1\napply\nend\n", device, "queue/1")
      try put("a partial download", device, "staging/\(String(repeating: "0", count: 64)).part")
      let other = try device.startInOverlay("install", "europe/latvia")
      try put("tinyupdater-cancel 1\nend\n", device, "queue/1.cancel")
      let run = try device.finish(other)
      #expect(run.exit == 0, "\(run.error)")
      #expect(try device.staged == [])
      #expect(try device.queue() == [])
    }

    @Test("a shutdown during the background update of a start loses nothing: the next start resumes it")
    func shutdownBehindBoot() throws {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 2, of: server.url, settings: "at_boot = apply")
      let boot = try device.run("boot")
      #expect(boot.exit == 0)
      try wait { try device.staged.contains { $0.hasSuffix(".part") } }
      let active = String(decoding: try contents("\(device.root)/queue/active"), as: UTF8.self)
      let process = try #require(
        active.split(separator: "\n")[1].split(separator: " ").last.flatMap { Int32($0) })
      #expect(kill(process, SIGTERM) == 0)
      try wait { kill(process, 0) != 0 }
      #expect(try device.queue() == ["apply automatic"])
      #expect(try device.staged != [])
      #expect(try device.run("boot").exit == 0)
      try wait { try device.release() == 4 && device.staged == [] }
      #expect(try device.queue() == [])
    }

    @Test("--no-wait does not leave an operation to a process that does not work on the queue")
    func noWait() throws {
      let device = try sample.device(at: 4)
      do {
        // As "plan" or "groups" holds it.
        let holder = try Directory(opening: device.root)
        try holder.lock(.exclusive)
        let run = try device.run("uninstall", "--no-wait", "europe/malta")
        #expect(run.exit == 25 && run.error.contains("the next command that changes maps"), "\(run)")
      }
      let holder = try Directory(opening: device.root)
      try holder.lock(.exclusive)
      let child = try device.start(["uninstall", "--no-wait", "europe/latvia"])
      try device.waitForEvent("\"ids\":[\"europe/latvia\"]")
      _ = consume holder
      let run = try device.finish(child)
      #expect(run.exit == 0, "\(run)")
      #expect(try !device.installed().keys.contains { $0.hasPrefix("europe/malta") })
    }

    @Test("cancelling an operation that has just been recorded as done says so")
    func cancelTooLate() throws {
      let device = try sample.device(at: 4)
      // The operation of a killed process, whose rename was its last deed.
      try put("tinyupdater-operation 1\nuninstall\nid world/airports\nend\n", device, "queue/1")
      let holder = try Directory(opening: device.root)
      try holder.lock(.exclusive)
      let child = try device.start(["--json", "cancel"])
      try wait { try names("\(device.root)/queue").contains("1.cancel") }
      // It ends as a commit does that has passed the last look at the queue.
      try put("0 done\nto be cancelled\n", device, "queue/1.done")
      try Programs.run("rm", "\(device.root)/queue/1", "\(device.root)/queue/1.cancel")
      let run = try device.finish(child)
      _ = consume holder
      #expect(run.exit == 0)
      #expect(try run.number("result", "cancelled") == 0)
      #expect(try run.number("result", "ended") == 1)
    }

    @Test("files left by a process that was killed after its operation are removed by the next one")
    func leftOver() throws {
      let device = try sample.device(at: 4, settings: "at_boot = nothing")
      try put("a partial download", device, "staging/\(String(repeating: "0", count: 64)).part")
      #expect(try device.run("boot").exit == 0)
      #expect(try device.run("apply").output.contains("nothing to do"))
      #expect(try device.staged == [])
    }

    @Test(
      "an operation with invalid ids is refused once, and removed",
      arguments: ["install", "uninstall", "apply"])
    func strangeIDs(command: String) throws {
      let device = try sample.device(at: 4)
      let text = "tinyupdater-operation 1\n\(command)\nid ../../etc/\u{1b}[2Jpasswd\nexcept /\nend\n"
      try put(text, device, "queue/1")
      let run = try device.run("apply")
      #expect(run.exit == 0, "\(run)")
      #expect(!run.error.contains("\u{1b}"))
      #expect(try device.queue() == [])
      #expect(try device.installed() == sample.expected[4])
    }
  }
}
