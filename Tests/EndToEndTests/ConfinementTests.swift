import Foundation
import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What a process that reads from outside can still do, and what it cannot.
  @Suite("Confinement", .enabled(if: Confined.isPossible, Confined.requirement))
  struct ConfinementTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("confinement")
    }

    /// What the kernel says of a process.
    private func field(_ name: String, of process: pid_t) throws -> String {
      let lines = try Programs.run("cat", "/proc/\(process)/status").split(separator: "\n")
      let line = try #require(lines.first { $0.hasPrefix("\(name):") })
      return String(line.dropFirst(name.count + 1)).trimmed
    }

    private func children(of process: pid_t) throws -> [pid_t] {
      try Programs.run("cat", "/proc/\(process)/task/\(process)/children").split(separator: " ")
        .compactMap { pid_t($0) }
    }

    private func measures(_ run: Device.Run) throws -> [String] {
      try #require(try run.event("status")["confinement"] as? [String])
    }

    /// A repository of which one file is a link to a place beside it.
    private func linked() throws -> PublishedRepository {
      let copy = try sample.repository.copy(to: "\(scratch.path)/repository")
      try Programs.run("mv", "\(copy.path)/metadata/timestamp.json", "\(scratch.path)/timestamp.json")
      try Programs.run("ln", "-s", "\(scratch.path)/timestamp.json", "\(copy.path)/metadata/timestamp.json")
      return copy
    }

    @Test("status names what confines an update, before and after there is a store")
    func status() throws {
      let device = try Device(sample.repository.url)
      let all = ["no_new_privs", "landlock", "seccomp"]
      #expect(try measures(device.json("status")) == all)
      #expect(try device.run("install", "world").exit == 0)
      #expect(try measures(device.json("status")) == all)
      #expect(try device.run("status").output.contains("\nconfined    no_new_privs, landlock, seccomp\n"))
    }

    @Test(
      "while it downloads, a process can gain no privileges and has a list of system calls",
      arguments: [[], ["index_command = /bin/true"]])
    func running(settings: [String]) throws {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 2, of: server.url, settings: settings.joined())
      let apply = try device.startInOverlay("apply")
      #expect(try field("NoNewPrivs", of: apply.id) == "1")
      #expect(try field("Seccomp", of: apply.id) == "2")
      let starters = try children(of: apply.id)
      #expect(starters.count == settings.count)
      // It holds no lock, no stream and no file of the store.
      for starter in starters {
        #expect(try field("Seccomp", of: starter) == "0")
        for file in try names("/proc/\(starter)/fd") {
          let target = try Directory(opening: "/proc/\(starter)/fd").readSymbolicLink(file) ?? ""
          #expect(target == "/dev/null" || target.hasPrefix("socket:"), "\(target)")
        }
      }
      // Whatever ends the updater, nothing of it stays.
      apply.signal(SIGKILL)
      try wait { starters.allSatisfy { kill($0, 0) != 0 || (try? field("State", of: $0).first) == "Z" } }
      #expect(try device.run("status").exit == 0)
    }

    /// What a process that was taken over has to be able to do all the same, as it is what an update does.
    private static let possible = [
      "getpid", "open what is named", "make a file in the store", "make a directory in the store",
      "rename in the store", "remove a file in the store", "remove a directory in the store", "TCP over IPv4",
      "UDP over IPv4", "TCP over IPv6", "UDP over IPv6", "signal itself", "its own limits",
    ]

    @Test("a process that was taken over changes, signals and reaches nothing outside")
    func inside() throws {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 2, of: server.url)
      let apply = try device.startInOverlay("apply")
      try scratch.write("outside/file", "x\n")
      try Programs.run("chmod", "600", "\(scratch.path)/outside/file")
      let results = try results(ofCallsIn: apply, of: device)
      #expect(results.count > 90)
      let done = results.filter { $0.value == "ok" }.keys
      #expect(Set(done) == Set(Self.possible), "\(results)")
      let refusals: Set = ["EPERM", "EACCES", "ENOSYS", "EAFNOSUPPORT", "EINVAL", "EXDEV"]
      let others = results.filter { $0.value != "ok" && !refusals.contains($0.value) }
      #expect(others.isEmpty, "\(others)")
      #expect(try names("\(scratch.path)/outside") == ["file"])
      let status = try Programs.run("stat", "-c", "%a %s", "\(scratch.path)/outside/file")
      #expect(status == "600 2\n")
    }

    @Test(
      "where only Landlock is left, it keeps signals and Unix sockets within the process too",
      .enabled(if: Confined.hasScopes, "it takes Linux 6.12 or newer"))
    func scopes() throws {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 2, of: server.url)
      let apply = try device.startInOverlay("apply", before: try Confined.words(lacking: "seccomp"))
      try scratch.write("outside/file", "x\n")
      let strangers = ["signal init", "signal another process", "connect to an abstract Unix socket"]
      let results = try results(ofCallsIn: apply, of: device, named: strangers + ["signal itself"])
      #expect(results["signal itself"] == "ok", "\(results)")
      for name in strangers { #expect(results[name] == "EPERM", "\(results)") }
    }

    /// Has a command make the calls of `inside.py`, which ends it: what they came to.
    private func results(
      ofCallsIn command: ChildProcess, of device: Device, named names: [String] = []
    ) throws -> [String: String] {
      let words =
        ["-B", "\(Checkout.root)/Tests/EndToEndTests/confinement/inside.py", "\(command.id)", device.root]
        + ["\(scratch.path)/outside", sample.repository.root] + names
      let run = try ChildProcess.run("python3", words)
      _ = command.wait()
      let value = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
      return try #require(value as? [String: String], "\(run)")
    }

    @Test("a file outside of what the configuration names cannot be read, from a file system or a bundle")
    func reading() throws {
      let copy = try linked()
      let device = try Device("file://\(copy.path)", settings: "retries = 0")
      let check = try device.run("check")
      #expect(check.exit == 20, "\(check)")
      #expect(check.error.contains("timestamp.json"))
      // It is Landlock that has refused it.
      let words = try Confined.words(lacking: "landlock")
      #expect(try device.finish(device.start(["check"], before: words)).exit == 0)
    }

    @Test("a path with percent signs, a relative store and one behind a link are within reach")
    func paths() throws {
      try Programs.run("cp", "-a", sample.repository.path, "\(scratch.path)/a b%")
      try Programs.run("mkdir", "-p", "\(scratch.path)/there")
      try Programs.run("ln", "-s", "\(scratch.path)/there", "\(scratch.path)/link")
      for root in ["\(scratch.path)/link", "relative/store"] {
        let device = try Device("file://\(scratch.path)/a%20b%25")
        let run = try device.finish(
          device.start(
            ["--root", root, "install", "world"],
            before: ["sh", "-c", "cd '\(scratch.path)' && exec \"$0\" \"$@\""]))
        #expect(run.exit == 0, "\(run)")
      }
      #expect(try names("\(scratch.path)/there").contains("current"))
      #expect(try names("\(scratch.path)/relative/store").contains("current"))
    }

    @Test("index and health commands are not confined, have their variables, and are children of the updater")
    func commands() throws {
      let maps = try IndexedMaps.shared.get()
      let command = try IndexedMaps.Command(
        """
        grep -E '^(NoNewPrivs|Seccomp):' /proc/self/status | tr -d '\\t' >>"$notes"
        echo "$(cat '\(scratch.path)/elsewhere') $KEPT $TINYUPDATER_GROUP" >>"$notes"
        echo "parent $(cut -d' ' -f4 /proc/$$/stat) of $(cut -d' ' -f5 /proc/$$/stat) is not $$" >"$notes.parents"
        echo index >"$2"
        """)
      try scratch.write("elsewhere", "read\n")
      let device = try maps.device(command)
      let child = try device.start(
        ["install", "sample/one"], before: ["env", "KEPT=kept", "TINYUPDATER_GROUP=x"])
      let id = child.id
      #expect(try device.finish(child).exit == 0)
      #expect(command.notes == ["NoNewPrivs:0", "Seccomp:0", "read kept base"])
      let parents = String(decoding: try contents("\(command.path).notes.parents"), as: UTF8.self)
      #expect(parents.hasPrefix("parent \(id) of "), "\(parents) \(id)")

      try scratch.write(
        "health",
        "#!/bin/sh\ngrep -E '^(NoNewPrivs|Seccomp):' /proc/self/status >'\(scratch.path)/health.notes'\n")
      try #require(chmod("\(scratch.path)/health", 0o755) == 0)
      let trial = try sample.device(
        at: 2, settings: "trial = yes", "at_boot = nothing", "health_command = \(scratch.path)/health")
      #expect(try trial.run("apply").exit == 0)
      #expect(try trial.run("boot").exit == 0)
      let notes = String(decoding: try scratch.read("health.notes"), as: UTF8.self)
      #expect(notes == "NoNewPrivs:\t0\nSeccomp:\t0\n")
    }

    @Test("the log is made, written and renamed by a confined process")
    func log() throws {
      let log = "\(scratch.path)/logs/maps.log"
      // The next line exceeds its size.
      try scratch.write("logs/maps.log", String(repeating: "-", count: (16 << 10) - 1) + "\n")
      let device = try sample.device(
        at: 2, of: "http://127.0.0.1:1", settings: "log = \(log)", "log_level = debug", "log_size = 16K")
      #expect(try device.run("apply").exit == 20)
      #expect(try names("\(scratch.path)/logs") == ["maps.log", "maps.log.1"])
      let new = String(decoding: try contents(log), as: UTF8.self)
      #expect(new.contains(" debug: apply: confined by no_new_privs, landlock, seccomp\n"), "\(new)")
    }

    @Test(
      "a kernel that lacks some of it is no reason to fail, and status says so",
      arguments: [
        ("landlock", "no_new_privs, seccomp"), ("seccomp", "no_new_privs, landlock"),
        ("landlock,seccomp", "no_new_privs"),
        ("no_new_privs,landlock,seccomp", "no: this build, or this system, has none of it"),
      ])
    func lacking(parts: String, left: String) throws {
      let words = try Confined.words(lacking: parts)
      let device = try sample.device(at: 2)
      #expect(try device.finish(device.start(["apply"], before: words)).exit == 0)
      #expect(try device.installed() == sample.expected[4])
      let status = try device.finish(device.start(["status"], before: words))
      #expect(status.output.hasSuffix("\nconfined    \(left)\n"), "\(status)")
      let maps = try IndexedMaps.shared.get()
      let indexing = try maps.device(try IndexedMaps.Command("echo index >\"$2\""))
      #expect(try indexing.finish(indexing.start(["install", "sample"], before: words)).exit == 0)
    }
  }
}

/// What these tests need.
enum Confined {
  static let requirement: Comment =
    "it takes root, python3, and a Linux for x86-64 with Landlock (CONFIG_SECURITY_LANDLOCK) of 5.19 or newer"

  /// Runs a program as on a kernel without the named parts.
  static func words(lacking parts: String) throws -> [String] {
    ["python3", "\(Checkout.root)/Tests/EndToEndTests/confinement/lacking.py", parts]
  }

  /// Landlock and seccomp are there.
  static let isPossible: Bool = {
    do {
      let words = try words(lacking: "seccomp") + ["python3", "-c", version]
      return try ChildProcess.run(words[0], Array(words[1...])).status == 0
    } catch { return false }
  }()

  /// The second version of Landlock is there, or a later one.
  private static let version = "import ctypes; assert ctypes.CDLL(None).syscall(444, None, 0, 1) >= 2"

  /// Landlock knows of signals and Unix sockets.
  static let hasScopes: Bool = {
    let text = "import ctypes; assert ctypes.CDLL(None).syscall(444, None, 0, 1) >= 6"
    do { return try ChildProcess.run("python3", ["-c", text]).status == 0 } catch { return false }
  }()
}
