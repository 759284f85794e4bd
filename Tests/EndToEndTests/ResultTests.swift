import Foundation
import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// How commands end.
  @Suite("Results")
  struct ResultTests {
    private let sample: Sample
    private let tree: TreeSample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      tree = try TreeSample.shared.get()
      scratch = try Scratch("results")
    }

    /// The names of the results by their exit codes, as `docs/exit-codes.md` has them.
    private static let documented = Result {
      let text = String(decoding: try contents("\(Checkout.root)/docs/exit-codes.md"), as: UTF8.self)
      let section = try #require(
        text.components(separatedBy: "\n## ").first { $0.hasPrefix("tinyupdater\n") })
      var names: [Int32: String] = [:]
      for line in section.split(separator: "\n") where line.hasPrefix("| ") {
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        guard let code = Int32(cells[0]) else { continue }
        #expect(cells.count >= 3 && names[code] == nil, "\(line)")
        names[code] = cells[1].replacing("`", with: "")
      }
      return names
    }

    private func device(_ settings: String..., url: String? = nil) throws -> Device {
      try Device(
        url ?? tree.repository.url, trusting: tree.repository, settings: settings.joined(separator: "\n"))
    }

    /// A run that ends with `code`; nil if none is known.
    private func run(endingWith code: Int32) throws -> Device.Run? {
      switch code {
      case 0: try tree.device(installing: "signs").json("verify")
      case 10: try tree.device(at: 1, installing: "signs").json("check")
      case 11: try applicationTooOld()
      case 12: try incomplete()
      case 13: try withheld()
      case 14: try expired()
      case 15: try refused()
      case 20: try device("retries = 0", url: "http://127.0.0.1:1").json("install", ["signs"])
      case 21: try rejected()
      case 22: try device("space_reserve = 900000G").json("install", ["signs"])
      case 23: try overBudget()
      case 24: try damaged()
      case 25: try busy()
      case 26: try cancelled()
      case 64: try device().json("install", ["../signs"])
      case 78: try device("colour = red").json("status")
      default: nil
      }
    }

    private func applicationTooOld() throws -> Device.Run {
      let repository = PublishedRepository(path: "\(scratch.path)/demanding")
      try scratch.write("maps/signs/map.xml", "<map minimum-reader=\"9\"/>")
      try scratch.write("maps/signs/base.bin", "a map")
      try repository.publish("\(scratch.path)/maps", label: "one")
      let device = try Device(repository.url, trusting: repository, settings: "application_version = 8")
      return try device.json("install", ["signs"])
    }

    private func withheld() throws -> Device.Run {
      let repository = PublishedRepository(path: "\(scratch.path)/withdrawing")
      try scratch.write("two-maps/signs/base.bin", "a map")
      try scratch.write("two-maps/roads/base.bin", "another map")
      try repository.publish("\(scratch.path)/two-maps", label: "one")
      let device = try Device(repository.url, trusting: repository, settings: "withdrawn = hold")
      #expect(try device.run("install", "signs", "roads").exit == 0)
      try Programs.run("rm", "-r", "\(scratch.path)/two-maps/roads")
      try repository.publish("\(scratch.path)/two-maps", label: "two", allowingRemoved: 1)
      return try device.json("apply")
    }

    private func expired() throws -> Device.Run {
      let repository = PublishedRepository(path: "\(scratch.path)/expiring")
      try scratch.write("maps/signs/base.bin", "a map")
      try repository.publish(
        "\(scratch.path)/maps", label: "one", words: ["--expires", "2001-01-01T00:00:00Z"])
      let device = try Device(repository.url, trusting: repository)
      #expect(try device.run("install", "signs").exit == 0)
      return try device.json("status")
    }

    private func refused() throws -> Device.Run {
      let server = try WebServer(
        tree.repository.path,
        directives: "location /components/ { return 403; } location /payloads/ { return 403; }")
      return try device(url: server.url).json("install", ["signs"])
    }

    private func incomplete() throws -> Device.Run {
      let device = try tree.device(installing: "signs", settings: "at_boot = nothing")
      let owed = "tinyupdater-operation 1\ninstall\nid europe/malta\nowed\nend\n"
      try Programs.run("sh", "-c", "printf '%s' '\(owed)' >'\(device.root)/queue/90'")
      return try device.json("boot")
    }

    private func rejected() throws -> Device.Run {
      let repository = try tree.repository.copy(to: "\(scratch.path)/repository")
      try repository.edit("metadata/timestamp.json") { $0[$0.count / 2] ^= 1 }
      return try device(url: repository.url).json("install", ["signs"])
    }

    private func overBudget() throws -> Device.Run {
      let limit = ["sh", "-c", "ulimit -d 2000 && exec \"$0\" \"$@\""]
      let device = try device()
      return try device.finish(device.start(["--json", "install", "signs"], before: limit))
    }

    private func damaged() throws -> Device.Run {
      let device = try tree.device(installing: "signs")
      let file = try File(opening: "\(device.root)/current/maps/signs/poi.bin", to: .update)
      try file.write("X")
      try file.close()
      return try device.json("verify")
    }

    private func busy() throws -> Device.Run {
      let device = try tree.device(installing: "signs")
      let store = try Directory(opening: device.root)
      try store.lock(.exclusive)
      let run = try device.json("rollback")
      _ = consume store
      return run
    }

    private func cancelled() throws -> Device.Run {
      let device = try tree.device(installing: "signs")
      let store = try Directory(opening: device.root)
      try store.lock(.exclusive)
      let install = try device.start(["--json", "install", "pacific"])
      _ = try #require(install.waitForLine(with: "\"state\":\"queued\""))
      install.signal(SIGTERM)
      _ = consume store
      return try device.finish(install)
    }

    @Test("B11: every documented result is produced by a run, with its exit code and its name")
    func closedSet() throws {
      let documented = try ResultTests.documented.get()
      #expect(documented.count >= 12 && documented[0] == "Success")
      for (code, name) in documented.sorted(by: { $0.key < $1.key }) {
        let run = try #require(try run(endingWith: code), "nothing is known to end with \(code)")
        #expect(run.exit == code, "\(run.output) \(run.error)")
        let result = try run.event("result")
        #expect(result["result"] as? String == name, "\(run.output)")
        #expect(result["exit"] as? Int == Int(code))
        #expect(run.events("result").count == 1)
        let isFailure = ![0, 10, 14].contains(code)
        #expect((result["message"] as? String)?.isEmpty == (isFailure ? false : nil), "\(run.output)")
      }
      #expect(Set(documented.values).count == documented.count)
    }

    @Test("B11: the manual page lists the same exit codes as the document")
    func manual() throws {
      let page = String(
        decoding: try contents("\(Checkout.root)/docs/man/tinyupdater.8"), as: UTF8.self)
      let section = try #require(page.components(separatedBy: "\n.Sh ").first { $0.hasPrefix("EXIT STATUS") })
      let codes = section.split(separator: "\n").compactMap { line in
        line.hasPrefix(".It ") ? Int32(line.dropFirst(4)) : nil
      }
      #expect(codes == (try ResultTests.documented.get().keys.sorted()))
    }

    @Test(
      "C8: who does not wait leaves with 25 and the operation is done, and going back is refused meanwhile")
    func whileBusy() throws {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let device = try sample.device(at: 2, of: server.url)
      let apply = try device.startInOverlay("apply")
      try server.pause()
      for command in ["rollback", "confirm"] {
        let run = try device.json(command)
        #expect(run.exit == 25)
        #expect(try run.event("result")["result"] as? String == "Busy")
      }
      // What is queued already is not queued again, unless a different operation came after it.
      for command in [["apply"], ["apply", "europe"], ["uninstall", "europe/malta"], ["apply", "europe"]] {
        let run = try device.finish(device.start(["--json", "--no-wait"] + command))
        #expect(run.exit == 25, "\(command): \(run.output)")
        #expect(
          try (run.event("result")["message"] as? String)?.contains("is queued; process ") == true,
          "\(run.output)")
      }
      try server.goOn()
      #expect(try device.finish(apply).exit == 0)
      let done = try device.eventLog().filter { $0["event"] as? String == "operation" }.map { event in
        let ids = (event["ids"] as? [String] ?? []).map { " \($0)" }.joined()
        return "\(event["command"] ?? "")\(ids) \(event["state"] ?? "")"
      }
      .filter { $0.hasSuffix("done") }
      // Those of a user come first, in their order, followed by automatic ones.
      #expect(
        done.suffix(4) == [
          "apply europe done", "uninstall europe/malta done", "apply europe done", "apply done",
        ])
      #expect(try device.release() == 4)
      #expect(try !device.packages().contains("europe/malta"))
      #expect(try device.staged == [])
      #expect(try device.json("rollback").exit == 0)
    }

    @Test("C8: with --no-wait, a process carries its operation out if no other one works")
    func notBusy() throws {
      let device = try tree.device(installing: "signs")
      #expect(try device.json("install", ["--no-wait", "pacific"]).exit == 0)
      #expect(try device.json("uninstall", ["--no-wait", "europe"]).exit == 64)
      #expect(try device.json("apply", ["--no-wait"]).exit == 0)
      #expect(try device.packages() == ["pacific/fiji", "signs"])
    }
  }
}
