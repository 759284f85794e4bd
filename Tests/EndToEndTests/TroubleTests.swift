import Foundation
import Glibc
import Platform
import TestSupport
import Testing
import TrustTestSupport

extension EndToEnd {
  /// Ordinary trouble costs time, and nothing that was downloaded.
  @Suite("Trouble")
  struct TroubleTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("trouble")
    }

    /// What stands between a device and its publisher, and passes by itself.
    enum Trouble: CaseIterable {
      /// A login page, with status 200, in the place of everything; or a redirection to itself.
      case portal, redirection
      /// The same for what has a size alone: a page, one without a length, or a redirection to one.
      case mapPage, chunkedMapPage, mapRedirection, catalogPage
      case forbidden, gone, noCatalog, noMap
      /// The publisher is late to sign.
      case expired
      /// The server's certificate is of an authority that this device does not know.
      case untrusted
      /// The stick with the repository is pulled out.
      case noStick
      case offline

      /// Longer than a small map.
      static let page =
        "default_type text/html; return 200 '<html>Please log in\(String(repeating: " ", count: 2000))</html>';"

      var exit: Int32 {
        switch self {
        case .portal, .expired: 21
        // A map that is nowhere says nothing of the others.
        case .noMap: 15
        default: 20
        }
      }
    }

    /// A device in the middle of its update, with a complete component and the beginning of one.
    // Made once, and only copied from.
    nonisolated(unsafe) private static let interrupted = Result {
      let sample = try Sample.shared.get()
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 2, of: server.url)
      let apply = try device.startInOverlay("apply")
      apply.signal(SIGKILL)
      _ = apply.wait()
      return device
    }

    /// Its copy, which looks for its maps elsewhere.
    private func interruptedDevice(_ url: String, _ settings: String = "") throws -> Device {
      let device = try Device(url, settings: settings)
      try device.copyStore(of: try TroubleTests.interrupted.get())
      return device
    }

    /// Serves `trouble`; the URL, settings, and what has to live as long.
    private func serve(_ trouble: Trouble) throws -> (url: String, settings: String, owner: AnyObject?) {
      func server(_ directives: String, _ repository: PublishedRepository? = nil) throws -> (
        String, String, AnyObject?
      ) {
        let server = try WebServer((repository ?? sample.repository).path, directives: directives)
        return (server.url, "", server)
      }
      switch trouble {
      case .portal: return try server("location / { return 200 '<html>Please log in</html>'; }")
      case .redirection: return try server("location / { return 302 $request_uri; }")
      case .mapPage: return try server("location ~ ^/(components|payloads)/ { \(Trouble.page) }")
      case .chunkedMapPage:
        return try server(
          "gzip on; gzip_min_length 1; location ~ ^/(components|payloads)/ { \(Trouble.page) }")
      case .mapRedirection:
        return try server(
          "location ~ ^/(components|payloads)/ { return 302 /login; } location /login { \(Trouble.page) }")
      case .catalogPage: return try server("location /catalogs/ { \(Trouble.page) }")
      case .forbidden: return try server("location /metadata/ { return 403; }")
      case .gone: return try server("location / { return 404; }")
      case .noCatalog: return try server("location /catalogs/ { return 404; }")
      case .noMap: return try server("location /components/ { return 404; }")
      case .expired:
        let copy = try sample.repository.copy(to: "\(scratch.path)/expired")
        try copy.signTimestamp { $0["expires"] = "2026-01-02T00:00:00Z" }
        return try server("", copy)
      case .untrusted:
        let authority = try CertificateAuthority()
        let server = try WebServer(sample.repository.path, authority: authority)
        return (server.url, "", server)
      case .noStick: return ("file://\(scratch.path)/stick", "", nil)
      case .offline: return ("https://maps.example.org", "offline = yes", nil)
      }
    }

    @Test(
      "a temporary failure keeps everything that is staged, and the operation, for the next run",
      arguments: Trouble.allCases)
    func kept(trouble: Trouble) throws {
      let served = try serve(trouble)
      let device = try interruptedDevice(served.url, served.settings)
      // A catalog is asked for only by a device that does not have it.
      if trouble == .noCatalog || trouble == .catalogPage {
        try Programs.run("sh", "-c", "rm '\(device.root)'/catalogs/*")
      }
      let (before, staged) = (try device.state(), try digests("\(device.root)/staging"))
      #expect(staged.count > 1)
      for _ in 0..<2 {
        let run = try device.run("apply")
        #expect(run.exit == trouble.exit, "\(run)")
      }
      #expect(try device.state() == before)
      let left = try digests("\(device.root)/staging")
      // What one map keeps waiting is there, too.
      #expect(left == staged || trouble == .noMap && staged.allSatisfy { left[$0.key] == $0.value })
      #expect(try device.queue() == ["apply"])

      let server = try WebServer(sample.repository.path)
      let later = try Device(server.url)
      try later.copyStore(of: device)
      let again = try later.run("apply")
      #expect(again.exit == 0, "\(again)")
      #expect(try later.installed() == sample.expected[4])
      #expect(try later.staged == [] && later.queue() == [])
      // The first thing that is asked for is the rest of what was begun.
      #expect(try server.finish().payloads.first?.status == 206)
    }

    @Test("a stick that is pulled out is reported as missing, not its files one by one")
    func stick() throws {
      let stick = try sample.repository.copy(to: "\(scratch.path)/stick")
      let device = try sample.device(at: 2, of: stick.url)
      let malta = "\(device.root)/\(try #require(try device.current))/maps/europe/malta/base.bin"
      let apply = try device.start(
        ["apply"],
        before: [
          "strace", "-D", "-o", "/dev/null", "-P", malta, "-e", "trace=pread64", "-e",
          "inject=pread64:delay_enter=100000",
        ])
      // Latvia is there, and what the patch of Malta starts from is being read.
      try wait { try device.staged.filter { !$0.contains(".") }.count > 1 }
      try Programs.run("mv", stick.path, "\(stick.path).out")
      let run = try device.finish(apply)
      #expect(run.exit == 20, "\(run)")
      #expect(run.error.contains("attach that and run the command again, which resumes"), "\(run.error)")
      #expect(!run.error.contains("another way"), "\(run.error)")
      let complete = try device.staged.filter { !$0.contains(".") }
      #expect(complete.count > 1)
      #expect(try device.queue() == ["apply"])
      try Programs.run("mv", "\(stick.path).out", stick.path)
      #expect(try device.run("apply").exit == 0)
      #expect(try device.installed() == sample.expected[4])
    }

    @Test("a local file shorter than its partial download is read from the start, and rejected at once")
    func truncatedFile() throws {
      let stick = try sample.repository.copy(to: "\(scratch.path)/stick")
      let digest = try #require(sample.expected[4]?["europe/latvia/overlay.bin"])
      let name =
        "components/\(try #require(try names("\(stick.path)/components").first { $0.contains(digest) }))"
      let whole = try contents("\(stick.path)/\(name)")
      try stick.replace(name, Array(whole.prefix(1000)))
      // Ten attempts with pauses would take a minute.
      let device = try sample.device(at: 2, of: stick.url, settings: "retries = 10", "retry_delay = 10000")
      try Programs.run("cp", "\(sample.repository.path)/\(name)", "\(device.root)/staging/\(digest).part")
      try Programs.run("truncate", "-s", "-1000", "\(device.root)/staging/\(digest).part")
      let run = try device.run("apply")
      #expect(run.exit == 21, "\(run)")
      #expect(
        run.error.contains("\(name) has 1000 bytes where the catalog says \(whole.count)"), "\(run.error)")
      #expect(try device.staged.allSatisfy { !$0.contains(".") })
    }

    @Test("rejected content is removed, verified content stays, and the operation leaves the queue")
    func rejected() throws {
      let copy = try sample.repository.copy(to: "\(scratch.path)/repository")
      let server = try WebServer(copy.path)
      #expect(try sample.device(at: 2, of: server.url).run("apply").exit == 0)
      let bad = try server.finish().payloads[3].path
      try copy.edit(bad) { $0[$0.count - 1] ^= 1 }
      let device = try sample.device(at: 2, of: copy.url, settings: "at_boot = nothing")
      let run = try device.run("apply")
      #expect(run.exit == 21 && run.error.contains(bad), "\(run)")
      let staged = try device.staged
      #expect(staged.count > 2 && staged.allSatisfy { !$0.contains(".") }, "\(staged)")
      #expect(try device.queue() == [])
      // The start of the device takes nothing away either.
      #expect(try device.run("boot").exit == 0)
      #expect(try device.staged == staged)
      let mended = try WebServer(sample.repository.path)
      #expect(try device.run("--repository", mended.url, "apply").exit == 0)
      #expect(try device.installed() == sample.expected[4])
      // Only what was rejected is fetched again.
      let asked = try mended.finish().payloads
      #expect(asked.first?.path == bad && asked.count == 2, "\(asked)")
      #expect(try device.staged == [])
    }

    @Test("a plan removes from staging exactly what it does not need")
    func swept() throws {
      let device = try interruptedDevice(sample.repository.url)
      let wanted = try device.staged
      let zeros = String(repeating: "0", count: 64)
      let ones = String(repeating: "f", count: 64)
      let unwanted = [
        zeros, "\(zeros).part", "\(ones).restart", "\(ones).index.log", "\(ones).unusable", "stray",
        "stray.part",
      ]
      for name in unwanted { try File(opening: "\(device.root)/staging/\(name)", to: .replace).write("x") }
      let server = try WebServer(sample.repository.path, directives: "location /components/ { return 404; }")
      #expect(try device.run("--repository", server.url, "apply").exit == 15)
      #expect(try Set(device.staged).isSuperset(of: wanted))
      #expect(try Set(device.staged).isDisjoint(with: unwanted))
      // An operation that waits may want what another one does not.
      for name in unwanted { try File(opening: "\(device.root)/staging/\(name)", to: .replace).write("x") }
      // The update that waits asks for the timestamp before its plan, for seconds.
      let slow = try WebServer(
        sample.repository.path,
        directives: """
          location /components/ { return 404; }
          location = /metadata/timestamp.json { limit_rate 400; }
          """)
      let install = try device.start(["--repository", slow.url, "--json", "install", "world/rivers"])
      _ = install.waitForLine(with: "\"state\":\"done\",\"command\":\"install\"")
      #expect(Set(try device.staged).isSuperset(of: wanted + unwanted))
      #expect(try device.finish(install).exit == 0)
      #expect(try device.run("--repository", sample.repository.url, "apply").exit == 0)
      #expect(try device.staged == [])
    }
  }
}

extension Device {
  /// The operations in the queue, in their order, such as "install id world/rivers".
  ///
  /// A file without its last line is none: a process was killed before it had asked.
  func queue() throws -> [String] {
    try names("\(root)/queue").compactMap { UInt64($0) }.sorted().compactMap { number in
      let text = String(decoding: try contents("\(root)/queue/\(number)"), as: UTF8.self)
      guard text.hasSuffix("\nend\n") else { return nil }
      return text.split(separator: "\n")[1...].dropLast().joined(separator: " ")
    }
  }
}
