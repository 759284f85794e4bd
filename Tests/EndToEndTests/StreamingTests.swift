import Foundation
import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Containers are applied while they come, and go on where they were.
  @Suite("Streaming")
  struct StreamingTests {
    private let repository: PublishedRepository
    private let scratch: Scratch
    /// The container's name and size, and the digest of the component.
    private let container: String
    private let size: Int
    private let component: String

    init() throws {
      let sample = try LargeMap.shared.get().repository
      scratch = try Scratch("streamed")
      repository = try sample.copy(to: "\(scratch.path)/repository")
      container = "payloads/\(try #require(try names("\(sample.path)/payloads").first))"
      size = try contents("\(sample.path)/\(container)").count
      component = String(try #require(try names("\(sample.path)/components").first).prefix(64))
    }

    /// What `install` leaves when the program or its connection ends during the download, after the end of a section.
    private func interrupt(_ device: Device, _ end: (ChildProcess) throws -> Void) throws -> RestartNote {
      let child = try device.start(["--json", "install", "europe/malta"])
      try wait { try restartNote(of: device) != nil }
      try end(child)
      _ = child.wait(timeout: 60)
      #expect(try device.staged == ["\(component).part", "\(component).restart"])
      let note = try #require(try restartNote(of: device))
      #expect(note.container > 1 << 20 && note.container < size)
      #expect(note.completed >= 4 << 20)
      return note
    }

    /// Where the download can resume; nil before the first note is in its file.
    private func restartNote(of device: Device) throws -> RestartNote? {
      guard try device.exists("\(component).restart") else { return nil }
      return RestartNote(try contents("\(device.root)/staging/\(component).restart"))
    }

    private func finish(_ device: Device, _ server: WebServer) throws -> [WebServer.Entry] {
      let run = try device.json("--repository", server.url, "install", "europe/malta")
      #expect(run.exit == 0, "\(run.error)")
      #expect(try device.installed() == ["europe/malta/base.bin": component])
      #expect(try device.staged == [])
      #expect(run.events("notice").isEmpty)
      return try server.finish().payloads
    }

    private func slow() throws -> WebServer { try WebServer(repository.path, directives: "limit_rate 4m;") }

    /// How a run can end before its time.
    enum End: CaseIterable { case cut, stopped, killed }

    @Test(
      "after a broken connection, a shutdown or a kill the first request starts at a checkpoint",
      arguments: End.allCases)
    func resumed(end: End) throws {
      let server = try slow()
      let device = try Device(server.url, trusting: repository)
      let note = try interrupt(device) { child in
        switch end {
        case .cut: server.kill()
        case .stopped: child.signal(SIGTERM)
        case .killed: child.signal(SIGKILL)
        }
      }
      let plan = try device.json("--repository", repository.url, "plan", "europe/malta")
      #expect(try plan.number("plan", "download") == size - note.container)
      let asked = try finish(device, try WebServer(repository.path))
      #expect(asked.map(\.path) == [container] && asked.map(\.range) == ["bytes=\(note.container)-"])
      #expect(asked.map(\.status) == [206] && asked.sent == size - note.container)
    }

    @Test("an update from a stick resumes at a checkpoint, as from a server")
    func stick() throws {
      let slow = try slow()
      let device = try Device(slow.url, trusting: repository)
      let note = try interrupt(device) { $0.signal(SIGKILL) }
      slow.kill()
      let log = "\(scratch.path)/trace"
      let run = try device.finish(
        device.start(
          ["--repository", repository.url, "install", "europe/malta"],
          before: ["strace", "-f", "-o", log, "-e", "trace=lseek"]))
      #expect(run.exit == 0, "\(run.error)")
      #expect(String(decoding: try contents(log), as: UTF8.self).contains(" \(note.container), SEEK_SET"))
      #expect(try device.installed() == ["europe/malta/base.bin": component])
    }

    @Test("a broken connection resumes at the exact byte")
    func broken() throws {
      let server = try slow()
      let device = try Device(server.url, trusting: repository, settings: "retries = 20", "retry_delay = 1")
      let child = try device.start(["--json", "install", "europe/malta"])
      _ = try #require(child.waitForLine(with: "\"event\":\"progress\""))
      Clock.sleep(milliseconds: 500)
      server.kill()
      let again = try WebServer(repository.path, port: server.port)
      let run = try device.finish(child)
      #expect(run.exit == 0, "\(run.error)")
      #expect(run.events("connection-lost").count >= 1)
      let asked = try again.finish().payloads
      let offset = try #require(Int(asked[0].range.replacing("bytes=", with: "").replacing("-", with: "")))
      #expect(asked.map(\.status) == [206] && offset > 0 && asked.sent == size - offset)
      let history = try device.json("history").events("history").last?["happened"] as? [String: Any]
      #expect(history?["download"] as? Int == size, "no byte came twice")
      #expect(try device.installed() == ["europe/malta/base.bin": component])
    }

    @Test("a server without ranges sends everything again, and what was applied is skipped")
    func withoutRanges() throws {
      let slow = try slow()
      let device = try Device(slow.url, trusting: repository)
      let note = try interrupt(device) { $0.signal(SIGKILL) }
      slow.kill()
      let log = "\(scratch.path)/trace"
      let server = try WebServer(repository.path, directives: "max_ranges 0;")
      let tracing = ["strace", "-f", "-o", log, "-e", "trace=pwrite64"]
      let run = try device.finish(
        device.start(["--repository", server.url, "install", "europe/malta"], before: tracing))
      #expect(run.exit == 0, "\(run.error)")
      #expect(try device.installed() == ["europe/malta/base.bin": component])
      let asked = try server.finish().payloads
      #expect(asked.map(\.range) == ["bytes=\(note.container)-"] && asked.map(\.status) == [200])
      #expect(asked.sent == size)
      // Nothing that was there is written again.
      let offsets = String(decoding: try contents(log), as: UTF8.self).split(separator: "\n").compactMap {
        line in
        line.contains("pwrite64")
          ? line.split(separator: ")").first?.split(separator: " ").last.flatMap { Int($0) } : nil
      }
      #expect(offsets.contains(note.completed))
      #expect(offsets.allSatisfy { $0 >= note.completed || $0 <= 4096 })
    }

    @Test("a damaged frame ends the transfer at once, twice; then the whole file comes")
    func damaged() throws {
      try repository.edit(container) { $0[$0.count / 8] ^= 1 }
      // All of it takes 20 seconds.
      let server = try WebServer(
        repository.path, directives: "location = /\(container) { limit_rate \(size / 20); }")
      let device = try Device(server.url, trusting: repository)
      let run = try device.json("install", "europe/malta")
      #expect(run.exit == 0, "\(run.error)")
      #expect(try device.installed() == ["europe/malta/base.bin": component])
      let messages = run.events("notice").compactMap { $0["message"] as? String }
      #expect(messages.first == "\(container) arrived damaged; downloading it again", "\(messages)")
      #expect(messages.last?.hasPrefix("\(container) arrives damaged each time") ?? false, "\(messages)")
      #expect(try device.staged == [])
      let asked = try server.finish().payloads.filter { $0.path == container }
      #expect(asked.count == 2 && asked.sent < size)
      // Where there is no way that could be at fault, the sentence says what is wrong.
      let local = try Device(repository.url, trusting: repository)
      let refused = try local.run("install", "europe/malta")
      #expect(refused.exit == 21, "\(refused)")
      #expect(refused.error.contains("/\(container) was changed: the frame at byte "), "\(refused.error)")
      #expect(refused.error.contains(" has the wrong digest"), "\(refused.error)")
    }

    /// What power loss, or anything else, may do to what is staged.
    enum Damage: CaseIterable { case bytes, length, note, noteOfAnother }

    @Test("whatever happens to staged files, the maps are correct in the end", arguments: Damage.allCases)
    func torn(damage: Damage) throws {
      let slow = try slow()
      let device = try Device(slow.url, trusting: repository)
      let note = try interrupt(device) { $0.signal(SIGKILL) }
      slow.kill()
      let staging = try Directory(opening: "\(device.root)/staging")
      let (part, restart) = ("\(component).part", "\(component).restart")
      switch damage {
      case .bytes:
        try staging.open(part, to: .update).write([UInt8](repeating: 0, count: 9).span.bytes, at: 999_999)
      case .length: try staging.open(part, to: .update).truncate(to: UInt64(note.completed) - 1)
      case .note: try staging.open(restart, to: .replace).write("torn")
      case .noteOfAnother:
        let bytes = try contents("\(device.root)/staging/\(restart)")
        try staging.remove(restart)
        try staging.open(String(repeating: "a", count: 64) + ".restart", to: .make).write(bytes.span.bytes)
      }
      let server = try WebServer(repository.path)
      let run = try device.json("--repository", server.url, "install", "europe/malta")
      #expect(run.exit == 0, "\(run.error)")
      #expect(try device.installed() == ["europe/malta/base.bin": component])
      #expect(try device.staged == [])
      let asked = try server.finish().payloads
      let messages = run.events("notice").compactMap { $0["message"] as? String }
      if damage == .bytes {
        #expect(asked.map(\.range) == ["bytes=\(note.container)-", "-"])
        #expect(messages == ["the partial download of \(container) is damaged; downloading it again"])
      } else {
        #expect(asked.map(\.range) == ["-"] && messages.isEmpty)
      }
    }

    @Test(
      "space is reserved at once, flushes are some MiB apart, and no copy of the container is written"
    )
    func calls() throws {
      let device = try Device(repository.url, trusting: repository)
      let log = "\(scratch.path)/trace"
      let names = "trace=fallocate,fdatasync,fsync,pwrite64,openat"
      let run = try device.finish(
        device.start(
          ["--json", "install", "europe/malta"], before: ["strace", "-f", "-o", log, "-e", names]))
      #expect(run.exit == 0, "\(run.error)")
      let lines = String(decoding: try contents(log), as: UTF8.self).split(separator: "\n")
      func count(_ call: String) -> Int { lines.count { $0.contains(" \(call)(") } }
      #expect(lines.contains { $0.contains(" fallocate(") && $0.contains("KEEP_SIZE, 0, 125") })
      // Two for each note: of the file, and of the note.
      #expect((2...4).contains(count("fdatasync")))
      #expect(count("pwrite64") <= 12 << 20 / (64 << 10) + 20)
      #expect(
        !lines.contains { $0.contains(String(container.dropFirst(9).prefix(64))) && $0.contains("staging") })
      let peak = try run.number("plan", "peakDisk")
      #expect(peak > 12 << 20 && peak < 13 << 20)
      #expect(try run.number("result", "peakResident") < 8 << 20)
    }

    @Test(
      "a container is applied in the smallest budget that it fits in, over https too; in less, the whole file is downloaded"
    )
    func memory() throws {
      let authority = try CertificateAuthority()
      let plan = try Device(repository.url, trusting: repository).json("plan", "europe/malta")
      let needed = try plan.number("plan", "memory")
      for (budget, folder) in [(needed, "payloads/"), (needed - 1, "components/")] {
        let server = try WebServer(repository.path, authority: authority)
        let device = try Device(
          server.url, trusting: repository,
          settings: "memory_budget = \(budget)", "certificate_authorities = \(authority.certificate)")
        let run = try device.json("install", "europe/malta")
        #expect(run.exit == 0, "\(run.error)")
        #expect(try run.number("result", "peakResident") < 8 << 20)
        #expect(try server.finish().payloads.allSatisfy { $0.path.hasPrefix(folder) })
      }
    }
  }
}

/// One map that packs to about 8 MB, in three sections; published once.
private final class LargeMap: Sendable {
  let repository: PublishedRepository
  private static let path = "\(Scratch.base)/tinyupdater-large-\(getpid())"

  static let shared = Result { try LargeMap() }

  private init() throws {
    let scratch = try Scratch("large")
    repository = PublishedRepository(path: "\(LargeMap.path)/repository")
    // Nothing that is static is ever freed.
    atexit { _ = try? Programs.run("rm", "-rf", LargeMap.path) }
    var generator = SeededGenerator(21)
    let words = (0..<3 << 19).map { _ in generator.next() & 0x1f1f_1f1f_1f1f_1f1f }
    try scratch.write("maps/europe/malta/base.bin", words.withUnsafeBytes { Array($0) })
    try repository.publish("\(scratch.path)/maps", label: "one")
  }
}

/// The newest note of a `.restart` file, as `docs/format/store.md` has it.
private struct RestartNote {
  var container = 0
  var completed = 0

  init?(_ bytes: [UInt8]) {
    var newest: UInt64 = 0
    for slot in [0, 4096] where bytes.count >= slot + 44 + 32 + 16 {
      func number(_ offset: Int) -> UInt64 {
        bytes[slot + offset..<slot + offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
      }
      guard number(32) > newest else { continue }
      newest = number(32)
      (container, completed) = (Int(number(44 + 32)), Int(number(44 + 40)))
    }
    if newest == 0 { return nil }
  }
}

extension Device {
  fileprivate func exists(_ name: String) throws -> Bool {
    do throws(Failure) { return try Directory(opening: "\(root)/staging").status(of: name) != nil } catch {
      return false
    }
  }
}
