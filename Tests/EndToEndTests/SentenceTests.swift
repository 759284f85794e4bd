import Foundation
import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What is wrong outside of the maps is named, with the setting that mends it.
  @Suite("Sentences")
  struct SentenceTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("sentences")
    }

    @Test(
      "a file of authorities that cannot be used is named, and is a matter of the configuration",
      arguments: ["missing", "empty", "text", "directory"])
    func authorities(kind: String) throws {
      let authority = try CertificateAuthority()
      let server = try WebServer(sample.repository.path, authority: authority)
      let path = "\(scratch.path)/\(kind)"
      switch kind {
      case "empty": try scratch.write(kind, "")
      case "text": try scratch.write(kind, "no certificate\n")
      case "directory": try scratch.write("\(kind)/file", "x")
      default: break
      }
      let device = try sample.device(at: 2, of: server.url, settings: "certificate_authorities = \(path)")
      let run = try device.run("check")
      #expect(run.exit == 78, "\(run)")
      #expect(run.error.contains("\(path) ") && run.error.contains("certificate_authorities"), "\(run.error)")
      #expect(try server.finish().isEmpty)
    }

    @Test("a server that wants a certificate of the device answers 400, and what to set is said")
    func clientCertificate() throws {
      let authority = try CertificateAuthority()
      let server = try WebServer(
        sample.repository.path, authority: authority,
        directives: "ssl_verify_client on; ssl_client_certificate \(authority.certificate);")
      let device = try sample.device(
        at: 2, of: server.url, settings: "certificate_authorities = \(authority.certificate)")
      let run = try device.run("check")
      #expect(run.exit == 20 && run.error.contains("400"), "\(run)")
      #expect(run.error.contains("set client_certificate"), "\(run.error)")
    }

    @Test(
      "a path in the place of a URL is answered with the URL",
      arguments: [("/srv/maps", "file:///srv/maps"), ("/srv/my maps", "file:///srv/my%20maps")])
    func path(path: String, url: String) throws {
      let device = try Device(sample.repository.url)
      for run in [
        try device.run("check", "--repository", path),
        try Device(path).run("check"),
      ] {
        #expect(run.exit == 64 || run.exit == 78, "\(run)")
        #expect(run.error.contains("\"\(path)\" is a path; write \(url)"), "\(run.error)")
      }
    }

    @Test("a root of another publisher is named as what may be wrong")
    func otherRoot() throws {
      let other = PublishedRepository(path: "\(scratch.path)/other")
      try other.makeWithOwnKeys()
      let device = try Device(sample.repository.url, trusting: other)
      let run = try device.run("check")
      #expect(run.exit == 21, "\(run)")
      #expect(run.error.contains("trusted_root is that of another publisher"), "\(run.error)")
    }

    // MARK: - Limits of the process

    @Test(
      "a small stack is enough, or is refused with a sentence",
      arguments: [16, 32, 48, 64, 80, 96, 112, 128, 192, 256, 8192])
    func stack(kibibytes: Int) throws {
      let words = ["sh", "-c", "ulimit -s \(kibibytes) && exec \"$0\" \"$@\""]
      // Without the right to raise a limit again.
      let powerless = ["setpriv", "--bounding-set=-sys_resource", "--inh-caps=-sys_resource"]
      for before in [words, powerless + words] {
        let device = try sample.device(at: 2)
        for command in ["status", "check", "apply", "verify", "rollback"] {
          let run = try device.finish(device.start([command], before: before))
          // The kernel itself refuses to start a program with a very small one.
          if kibibytes <= 32 && run.exit == 137 { continue }
          let isRefused = run.exit == 23 && run.error.contains("ulimit -s")
          #expect(isRefused || run.exit == 0 || command == "check" && run.exit == 10, "\(command): \(run)")
        }
      }
    }

    @Test("a file that the file system does not take is another matter than a limit of the process")
    func largeFile() throws {
      let device = try sample.device(at: 2)
      let run = try device.finish(
        device.start(
          ["apply"],
          before: ["strace", "-f", "-o", "/dev/null", "-e", "inject=fallocate,pwrite64:error=EFBIG"]))
      #expect(run.exit == 24 && run.error.contains("4 GiB") && !run.error.contains("ulimit"), "\(run)")
      let limited = try device.finish(
        device.start(["apply"], before: ["sh", "-c", "ulimit -f 16 && exec \"$0\" \"$@\""]))
      #expect(limited.exit == 24 && limited.error.contains("ulimit -f"), "\(limited)")
    }

    @Test("without /dev an index is made all the same", .enabled(if: getuid() == 0, "it takes root"))
    func withoutDevices() throws {
      let maps = try IndexedMaps.shared.get()
      let device = try maps.device(try IndexedMaps.Command("cat && echo index >\"$2\""))
      for close in ["", "0<&- 1>&- 2>&-"] {
        let words = [
          "unshare", "--mount", "sh", "-c", "mount -t tmpfs none /dev && exec \"$0\" \"$@\" \(close)",
        ]
        let run = try device.finish(device.start(["install", "sample/one"], before: words))
        #expect(run.exit == 0, "\(run)")
        #expect(try device.run("verify").exit == 0)
        #expect(try device.run("uninstall", "sample/one").exit == 0)
      }
    }

    // MARK: - Signals

    /// What a command waits for.
    enum Wait: CaseIterable { case noWriter, idleWriter, idleInput }

    @Test(
      "a signal ends a command that waits for a pipe within a second", arguments: Wait.allCases,
      [SIGTERM, SIGHUP])
    func pipe(wait: Wait, signal: Int32) throws {
      let fifo = "\(scratch.path)/fifo"
      try #require(mkfifo(fifo, 0o600) == 0)
      for command in ["provision", "apply"] {
        let device = try command == "apply" ? sample.device(at: 2) : Device(sample.repository.url)
        let writer = try wait == .noWriter ? nil : ChildProcess("sh", ["-c", "exec sleep 100 >'\(fifo)'"])
        let arguments =
          [command, "--from", wait == .idleInput ? "-" : fifo] + (command == "provision" ? ["world"] : [])
        let child = try device.start(
          arguments, before: wait == .idleInput ? ["sh", "-c", "exec \"$0\" \"$@\" <'\(fifo)'"] : [])
        usleep(500_000)
        let start = Date()
        child.signal(signal)
        let outcome = child.wait(timeout: 20)
        #expect(Date().timeIntervalSince(start) < 1)
        #expect(outcome.status == 26, "\(command): \(outcome)")
        writer?.signal(SIGKILL)
        _ = writer?.wait()
      }
    }

    @Test("a pipe whose writer comes late is read like any other")
    func lateWriter() throws {
      let fifo = "\(scratch.path)/fifo"
      try #require(mkfifo(fifo, 0o600) == 0)
      try sample.repository.bundle("\(scratch.path)/update.tar", "--from", "2")
      let device = try sample.device(at: 2)
      let apply = try device.start(["apply", "--from", fifo])
      usleep(300_000)
      try Programs.run("sh", "-c", "cat '\(scratch.path)/update.tar' >'\(fifo)'")
      #expect(try device.finish(apply).exit == 0)
      #expect(try device.installed() == sample.expected[4])
    }
  }
}
