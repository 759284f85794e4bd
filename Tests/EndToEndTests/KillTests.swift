import Foundation
import Glibc
import Platform
import Synchronization
import TestSupport
import Testing

extension EndToEnd {
  /// Whenever the power goes, readers see one release, whole; and the command can be given again.
  @Suite("Kills")
  struct KillTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("kills")
    }

    /// The system calls that change a disk; reads that share their name do no harm.
    private static let calls = [
      "openat", "write", "writev", "pwrite64", "rename", "renameat", "renameat2", "link", "linkat", "symlink",
      "symlinkat", "unlink", "unlinkat", "rmdir", "mkdir", "mkdirat", "ftruncate", "fsync", "fdatasync",
      "syncfs",
    ]

    /// A command that changes a store from one set of components to another.
    struct Change: CustomTestStringConvertible {
      let arguments: [String]
      /// How many of its system calls are tried in a normal run.
      let samples: Int
      var testDescription: String { arguments.joined(separator: " ") }
    }

    private static let isTraceable = {
      do throws(FileError) {
        return try ChildProcess.run("strace", ["-o", "/dev/null", "true"]).status == 0
      } catch {
        return false
      }
    }()

    /// How often a run of `command` makes each of the calls.
    private func count(_ device: Device, _ command: [String]) throws -> [(call: String, count: Int)] {
      let log = "\(scratch.path)/trace"
      let before = ["strace", "-f", "-o", log, "-e", "trace=\(KillTests.calls.joined(separator: ","))"]
      let run = try device.finish(device.start(command, before: before))
      #expect(run.exit == 0, "\(run.error)")
      var counts: [String: Int] = [:]
      for line in String(decoding: try contents(log), as: UTF8.self).split(separator: "\n") {
        // "PID call(…": lines about signals and exits have no such name.
        let call = line.drop { $0.isNumber || $0 == " " }.prefix { $0 != "(" }
        if KillTests.calls.contains(String(call)) { counts[String(call), default: 0] += 1 }
      }
      return KillTests.calls.compactMap { call in counts[call].map { (call, $0) } }
    }

    @Test(
      "killed at any system call that changes the disk, the device has the old maps or the new ones",
      .enabled(if: KillTests.isTraceable, "strace cannot trace here"),
      arguments: [
        Change(arguments: ["apply"], samples: 40),
        Change(arguments: ["uninstall", "europe/malta"], samples: 8),
        Change(arguments: ["install", "world/rivers"], samples: 8),
        Change(arguments: ["rollback"], samples: 6),
      ])
    func atSystemCalls(change: Change) throws {
      let start = try sample.device(at: 2)
      if change.arguments == ["rollback"] { #expect(try start.run("apply").exit == 0) }
      let device = try Device(sample.repository.url)
      try device.copyStore(of: start)
      let old = try start.installed()
      let counts = try count(device, change.arguments)
      let new = try device.installed()
      #expect(old != new)

      var points = counts.flatMap { entry in (1...entry.count).map { (entry.call, $0) } }
      if environment("TINYUPDATER_CRASH") != "full" {
        var generator = SeededGenerator(42)
        points = Array(points.shuffled(using: &generator).prefix(change.samples))
      }
      #expect(points.count >= change.samples)
      for (call, number) in points {
        try device.copyStore(of: start)
        let tracing = ["strace", "-f", "-o", "/dev/null", "-e", "trace=\(call)"]
        let injection = ["-e", "inject=\(call):signal=SIGKILL:when=\(number)"]
        let killed = try device.finish(device.start(change.arguments, before: tracing + injection))
        #expect(killed.exit == nil, "\(call) \(number) was not reached")
        let isNew = try device.current != start.current
        #expect(try device.installed() == (isNew ? new : old), "\(call) \(number)")
        // These two are done once: the package is gone, and there is nowhere to go back to.
        if !isNew || !["uninstall", "rollback"].contains(change.arguments[0]) {
          let again = try device.run(change.arguments)
          #expect(again.exit == 0, "\(call) \(number): \(again.error)")
        }
        #expect(try device.installed() == new, "\(call) \(number)")
        #expect(try device.staged == [], "\(call) \(number)")
        #expect(try names("\(device.root)/generations").allSatisfy { Int($0) != nil }, "\(call) \(number)")
      }
    }

    @Test("killed twenty times on a slow line, a reader never sees files of two releases")
    func atRandomMoments() throws {
      let server = try WebServer(sample.repository.path, directives: "limit_rate 1m;")
      let device = try sample.device(at: 1, of: server.url)
      let reader = Reader(device.root, states: [sample.expected[1] ?? [:], sample.expected[4] ?? [:]])
      var generator = SeededGenerator(7)
      try reader.during {
        for _ in 0..<20 {
          let child = try device.start(["--quiet", "apply"])
          // The delay is the experiment, not a wait for something.
          Clock.sleep(milliseconds: .random(in: 1...400, using: &generator))
          child.signal(SIGKILL)
          _ = child.wait()
        }
        #expect(try device.run("apply").exit == 0)
      }
      #expect(reader.looks > 20)
      #expect(reader.strays == [])
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.staged == [])
      _ = try server.finish()
    }
  }
}

/// A navigation program: it resolves `current` once and then reads all files of that generation.
private final class Reader: Sendable {
  private let root: String
  private let states: [[String: String]]
  private let state = Mutex((looks: 0, strays: [String](), isStopped: false))

  init(_ root: String, states: [[String: String]]) {
    self.root = root
    self.states = states
  }

  var looks: Int { state.withLock { $0.looks } }
  /// What was seen that is no release.
  var strays: [String] { state.withLock { $0.strays } }

  func during(_ body: () throws -> Void) rethrows {
    let finished = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while !self.state.withLock({ $0.isStopped }) { self.look() }
      finished.signal()
    }
    defer {
      state.withLock { $0.isStopped = true }
      finished.wait()
    }
    try body()
  }

  private func look() {
    var stray: String?
    do {
      let current = try Directory(opening: root).readSymbolicLink("current") ?? "nothing"
      if !states.contains(try digests("\(root)/\(current)/maps")) { stray = "\(current) is no release" }
    } catch { stray = "\(error)" }
    state.withLock { state in
      state.looks += 1
      if let stray { state.strays.append(stray) }
    }
  }
}
