import Foundation
import Platform
import TestSupport
import Testing
import TrustTestSupport

extension EndToEnd {
  /// Each failure has its exit code and a sentence that names the file, and leaves the device as it was.
  @Suite("Failures")
  struct FailureTests {
    private let sample: Sample
    private let scratch: Scratch
    private let repository: PublishedRepository

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("failure")
      repository = try sample.repository.copy(to: "\(scratch.path)/repository")
    }

    /// What an update from release 2 fetches, in its order.
    private static let fetched = Result {
      let sample = try Sample.shared.get()
      let server = try WebServer(sample.repository.path)
      #expect(try sample.device(at: 2, of: server.url).run("apply").exit == 0)
      return try server.finish().map(\.path)
    }

    private func fetched(from folder: String) throws -> String {
      try #require(try FailureTests.fetched.get().first { $0.hasPrefix(folder) })
    }

    /// Runs `apply`, which fails, and expects that nothing is left of it but complete files, for the next run.
    private func expectFailure(_ device: Device, _ exit: Int32, _ text: String, _ command: String...) throws {
      let before = try device.state()
      let run = try device.finish(device.start(command.isEmpty ? ["apply"] : command))
      #expect(run.exit == exit, "\(run)")
      #expect(run.error.contains(text), "\(run.error)")
      #expect(try device.state() == before)
      #expect(try device.staged.allSatisfy { exit == 20 || !$0.contains(".") })
    }

    /// What can happen to a file on its way through the world.
    enum Damage: CaseIterable {
      case firstByte, middleByte, lastByte, cut, longer, empty

      func apply(to bytes: inout [UInt8]) {
        switch self {
        case .firstByte: bytes[0] ^= 1
        case .middleByte: bytes[bytes.count / 2] ^= 0x80
        case .lastByte: bytes[bytes.count - 1] ^= 0xff
        case .cut: bytes.removeLast(bytes.count / 3)
        case .longer: bytes.append(0)
        case .empty: bytes = []
        }
      }
    }

    @Test(
      "a file that was changed on the server is rejected by name; one that is shorter may still be on its way to it",
      arguments: ["catalogs/", "payloads/", "components/"], Damage.allCases)
    func damaged(folder: String, damage: Damage) throws {
      let name = try fetched(from: folder)
      try repository.edit(name) { damage.apply(to: &$0) }
      let server = try WebServer(repository.path)
      let device = try sample.device(at: 2, of: server.url)
      switch damage {
      case .cut, .empty:
        try expectFailure(device, 20, name)
        #expect(try device.queue() == ["apply"])
      case _ where folder == "payloads/" && damage != .longer:
        // There is another payload.
        let run = try device.run("apply")
        #expect(run.exit == 0 && run.error.contains("\(name) arrives damaged each time"), "\(run)")
        #expect(try device.installed() == sample.expected[4])
      case .firstByte, .middleByte, .lastByte, .longer: try expectFailure(device, 21, name)
      }
    }

    @Test(
      "a page with status 200 in the place of a file is named by its URL, and passes",
      arguments: ["catalogs/", "payloads/"])
    func portal(folder: String) throws {
      let name = try fetched(from: folder)
      try repository.replace("portal.html", Array("<html>Please log in</html>".utf8))
      try Directory(opening: repository.path).remove(name)
      let server = try WebServer(
        repository.path, directives: "location /\(folder) { error_page 404 =200 /portal.html; }")
      let device = try sample.device(at: 2, of: server.url)
      let cause = "(a web page in place of the file)"
      try expectFailure(device, 20, "\(server.url)/\(name) was not reached in 3 attempts \(cause)")
      #expect(try device.queue() == ["apply"])
    }

    @Test(
      "P15: a captive portal's page in the place of signed metadata is rejected with its URL",
      arguments: ["2.root.json", "timestamp.json"])
    func portalForMetadata(file: String) throws {
      try repository.replace("metadata/\(file)", Array("<html>\n<p>Please log in</html>".utf8))
      let server = try WebServer(repository.path)
      let device = try sample.device(at: 2, of: server.url)
      let trusted = try digests("\(device.root)/trust")
      try expectFailure(device, 21, "\(server.url)/metadata/\(file) is malformed: it is not JSON")
      #expect(try device.run("check").exit == 21)
      #expect(try digests("\(device.root)/trust") == trusted)
    }

    @Test(
      "a missing file is a failed connection, or a package that does not come",
      arguments: ["metadata/timestamp.json", "catalogs/", "components/"])
    func gone(folder: String) throws {
      let name = try fetched(from: folder)
      try Directory(opening: repository.path).remove(name)
      let server = try WebServer(repository.path)
      let isMap = folder == "components/"
      let text = isMap ? "the server answers 404" : "the server answered 404 for \(server.url)/\(name)"
      try expectFailure(try sample.device(at: 2, of: server.url), isMap ? 15 : 20, text)
    }

    @Test(
      "in place of a missing patch the next smallest download is used, and finally the whole file",
      arguments: [404, 410, 403], [false, true])
    func goneContainer(status: Int, all: Bool) throws {
      let name = try fetched(from: "payloads/")
      let location = all ? "/payloads/" : "= /\(name)"
      let server = try WebServer(repository.path, directives: "location \(location) { return \(status); }")
      let device = try sample.device(at: 2, of: server.url)
      let run = try device.json("apply")
      #expect(run.exit == 0, "\(run.error)")
      let notices = run.events("notice").compactMap { $0["message"] as? String }
      let messages = notices.filter { $0.contains("no longer on the server") }
      #expect(messages.contains("\(name) is no longer on the server; using another download"), "\(messages)")
      #expect((messages.count > 1) == all)
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.staged == [])
      let asked = try server.finish().payloads
      #expect(asked.filter { $0.path == name }.map(\.status) == [status])
      #expect(asked.contains { $0.path.hasPrefix("components/") && $0.status == 200 })
    }

    @Test("a repository without releases is rejected")
    func noReleases() throws {
      try repository.signTargets { targets in targets["targets"] = [:] }
      try expectFailure(
        try sample.device(at: 2, of: repository.url), 21, "/metadata/ has no release for this device")
    }

    @Test("metadata that names the catalog of another release is rejected")
    func wrongRelease() throws {
      try repository.signTargets { targets in
        var target = try #require(targets[["targets", "catalogs/4.update.xz"]])
        target[["custom", "release"]] = 5
        targets[["targets", "catalogs/5.update.xz"]] = target
      }
      let catalog = try #require(try names("\(repository.path)/catalogs").first { $0.contains(".4.update") })
      try Programs.run(
        "cp", "\(repository.path)/catalogs/\(catalog)",
        "\(repository.path)/catalogs/\(catalog.replacing(".4.", with: ".5."))")
      let device = try sample.device(at: 2, of: repository.url)
      try expectFailure(device, 21, "is the catalog of another release than announced")
    }

    @Test("devices keep a newest release that the publisher withdraws")
    func older() throws {
      try repository.signTargets { targets in
        for release in 2...4 { targets[["targets", "catalogs/\(release).update.xz"]] = nil }
      }
      let device = try sample.device(at: 2, of: repository.url)
      #expect(try device.run("check").exit == 0)
      #expect(try device.run("apply").output.contains("nothing to do, release 2 (2024-02) is installed"))
      #expect(try device.installed() == sample.expected[2])
    }

    @Test("an unknown package is a usage error that names it", arguments: ["install", "plan", "uninstall"])
    func unknown(command: String) throws {
      let device = try sample.device(at: 2)
      try expectFailure(device, 64, "europe/utopia", command, "europe/utopia", "world")
      try expectFailure(device, 64, "../x", command, "../x")
    }

    @Test(
      "an invalid command line is a usage error",
      arguments: [
        [], ["aply"], ["check", "x"], ["install"], ["--frob", "check"], ["--config"], ["--tree", "apply"],
      ])
    func usage(arguments: [String]) throws {
      let outcome = try ChildProcess.run(try Programs.tinyupdater(), arguments)
      #expect(outcome.status == 64, "\(outcome)")
      #expect(!outcome.error.isEmpty)
    }

    @Test("while one process changes the store, another one finds it busy; questions are answered")
    func busy() throws {
      let device = try sample.device(at: 2)
      let holder = try Directory(opening: device.root)
      try holder.lock(.exclusive)
      try expectFailure(
        device, 25, "is queued; another process holds the store", "apply", "--no-wait")
      try expectFailure(device, 25, device.root, "rollback")
      #expect(try device.run("status").exit == 0)
      #expect(try device.run("verify").exit == 0)
      #expect(try device.run("check").exit == 10)
      #expect(try device.run("plan").exit == 0)
      #expect(try device.run("list").exit == 0)
      _ = consume holder
      #expect(try device.run("apply").exit == 0)
    }

    @Test("a damaged installed file is named, fetched in full, and correct afterwards")
    func damagedBase() throws {
      let device = try sample.device(at: 2)
      let path = "\(device.root)/current/maps/europe/latvia/base.bin"
      var bytes = try contents(path)
      bytes[bytes.count / 2] ^= 1
      // In place, as a failing disk does it: all links see it.
      let file = try File(opening: path, to: .update)
      try file.write(bytes.span.bytes)
      try file.close()
      let verify = try device.run("verify")
      #expect(verify.exit == 24)
      #expect(verify.error.contains("maps/europe/latvia/base.bin is damaged"))
      let count = try device.installed().count
      #expect(verify.output == "\(count) of \(count) components were read; 1 is damaged\n")
      let apply = try device.run("apply")
      #expect(apply.exit == 0)
      #expect(
        apply.error.contains("the installed europe/latvia/base.bin is damaged and is downloaded in full"))
      #expect(try device.installed() == sample.expected[4])
    }

    @Test("a damaged manifest is a storage error that names it")
    func damagedManifest() throws {
      let device = try sample.device(at: 2)
      let path = "\(device.root)/generations/1/manifest"
      let file = try File(opening: path, to: .update)
      try file.write("T")
      try file.close()
      for command in ["status", "verify", "list", "plan"] {
        let run = try device.run(command)
        #expect(
          run.exit == 24 && run.error.contains("generations/1/manifest is damaged (line 1)"),
          "\(command): \(run)")
      }
    }

    @Test(
      "an invalid line of the configuration is named by its number",
      arguments: [
        ("colour = red", "\"colour\" is not a setting"),
        ("memory_budget = 1M", "\"1M\" is not a value for memory_budget"),
        ("[maps]", "there are no sections"), ("root", "this is not a \"key = value\" line"),
      ])
    func configuration(line: String, text: String) throws {
      let device = try sample.device(at: 2, settings: "# a comment", line)
      // Six lines that every device here has, and the comment.
      try expectFailure(device, 78, "\(device.configuration), line 8: \(text)", "check")
    }

    @Test("a missing repository setting or configuration file is reported")
    func unset() throws {
      let program = try Programs.tinyupdater()
      let store = ["--root", "\(scratch.path)/store"]
      let unset = try ChildProcess.run(program, ["-c", "/dev/null", "check"] + store)
      #expect(unset.status == 78 && unset.error.contains("no repository is set"))
      let missing = try ChildProcess.run(program, ["-c", "\(scratch.path)/none.conf", "check"] + store)
      #expect(missing.status == 78 && missing.error.contains("\(scratch.path)/none.conf: No such file"))
    }

    @Test("a container that is not the one that the catalog lists is rejected, and the whole file comes")
    func exchanged() throws {
      try repository.addRelease(9) { lines in
        let packed = try #require(lines.first { $0.contains("<packed ") })
        for index in lines.indices where lines[index].contains("<packed ") { lines[index] = packed }
      }
      let server = try WebServer(repository.path)
      let device = try Device(server.url)
      let install = try device.json("install", "europe", "world")
      #expect(install.exit == 0, "\(install.error)")
      let messages = install.events("notice").compactMap { $0["message"] as? String }
      #expect(
        messages.contains { $0.contains("arrives damaged each time; using another download") }, "\(messages)")
      #expect(try device.run("verify").exit == 0)
      // From a stick it is rejected at once.
      let local = try Device(repository.url)
      let run = try local.run("install", "europe", "world")
      #expect(run.exit == 21 && run.error.contains("is not the patch that the catalog lists"), "\(run)")
      #expect(try local.staged.allSatisfy { !$0.contains(".") })
    }

    @Test("payloads of an unknown format are skipped, and whole files are downloaded")
    func unknownFormat() throws {
      try repository.addRelease(9) { lines in
        lines = lines.map { $0.replacing("format=\"3\"", with: "format=\"4\"") }
      }
      let server = try WebServer(repository.path)
      let device = try sample.device(at: 3, of: server.url)
      let apply = try device.json("apply")
      #expect(apply.exit == 0, "\(apply.error)")
      #expect(try device.installed() == sample.expected[4])
      let payloads = try server.finish().payloads.map(\.path)
      #expect(!payloads.isEmpty && payloads.allSatisfy { $0.hasPrefix("components/") }, "\(payloads)")
      // An older publisher's program does not know what such payloads are for, and leaves them alone.
      let prune = try ChildProcess.run(try Programs.tinypublish(), ["prune", repository.path])
      #expect(prune.status == 78 && prune.error.contains("lists payloads of a newer format"), "\(prune)")
    }

    @Test("a release that only drops a package says so, and the package is gone")
    func withdrawn() throws {
      try repository.addRelease(9) { lines in
        let first = try #require(lines.firstIndex { $0.contains("id=\"world/airports\"") })
        let last = try #require(lines[first...].firstIndex { $0.contains("</component>") })
        lines.removeSubrange(first...last)
      }
      let server = try WebServer(repository.path)
      let device = try sample.device(at: 4, of: server.url)
      let apply = try device.json("apply")
      #expect(apply.exit == 0, "\(apply.error)")
      #expect(apply.events("notice").map { $0["id"] as? String } == ["world/airports"])
      #expect(try device.installed() == sample.expected[4]?.filter { !$0.key.hasPrefix("world/airports/") })
    }

    @Test(
      "a container that does not fit in the memory budget is skipped, and the whole file downloaded",
      arguments: [("8M", "payloads/"), ("4M", "components/")])
    func overBudget(budget: String, folder: String) throws {
      let server = try WebServer(sample.repository.path)
      let device = try Device(server.url, settings: "memory_budget = \(budget)")
      let install = try device.json("install", "europe/malta")
      #expect(install.exit == 0, "\(install.error)")
      #expect(try install.number("plan", "memory") <= (budget == "8M" ? 8 << 20 : 4 << 20))
      #expect(try device.installed() == sample.expected[4]?.filter { $0.key.hasPrefix("europe/malta/") })
      #expect(try server.finish().payloads.first?.path.hasPrefix(folder) == true)
    }
  }
}
