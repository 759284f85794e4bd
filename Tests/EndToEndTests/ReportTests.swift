import Foundation
import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What a device tells the server of its fleet.
  @Suite("Reports")
  struct ReportTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("reports")
    }

    /// A server that takes reports.
    private final class Collector {
      let port: Int
      private let child: ChildProcess

      init(port: Int? = nil) throws {
        child = try ChildProcess(
          "python3",
          ["\(Checkout.root)/Tests/EndToEndTests/reports/server.py"] + (port.map { ["\($0)"] } ?? []))
        let line = try #require(child.waitForLine(with: "port "))
        self.port = try #require(line.split(separator: " ").last.flatMap { Int($0) })
      }

      deinit { child.signal(SIGKILL) }

      func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

      /// The requests so far, which end the server.
      func finish() -> [Substring] {
        child.signal(SIGTERM)
        return child.wait(timeout: 20).output.split(separator: "\n").map { $0 }
      }

      /// The reports among them.
      func reports() throws -> [[String: Any]] {
        try finish().map { line in
          let body = line.split(separator: " ", maxSplits: 4)[4]
          #expect(body.utf8.count <= 2048)
          return try #require(
            try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any], "\(line)")
        }
      }
    }

    /// A device of a server of maps.
    private func device(_ maps: WebServer, reportingTo url: String, settings: String = "") throws -> Device {
      try sample.device(
        at: 2, of: maps.url, settings: "report_url = \(url)", "log = \(scratch.path)/log", settings)
    }

    private func waiting(_ device: Device) throws -> [String] { try names("\(device.root)/reports/waiting") }

    private func names(_ path: String) throws -> [String] {
      try ChildProcess.run("ls", [path]).output.split(separator: "\n").map(String.init)
    }

    @Test("each run that goes online is reported, after its result; others are not")
    func delivered() throws {
      let (maps, collector) = (try WebServer(sample.repository.path), try Collector())
      let device = try device(maps, reportingTo: collector.url("/fleet"))
      #expect(try device.run("status").exit == 0)
      #expect(try device.run("check").exit == 10)
      #expect(try device.run("apply").exit == 0)
      #expect(try device.run("verify").exit == 0)
      #expect(try waiting(device).isEmpty)
      let requests = collector.finish()
      #expect(
        requests.count == 2 && requests.allSatisfy { $0.hasPrefix("POST /fleet application/json 204 {") })
      #expect(requests.last?.contains(#""release":{"number":4,"label":"2024-04"}"#) == true, "\(requests)")
    }

    @Test("it has the device, its releases, contact, space and the last run")
    func content() throws {
      let (maps, collector) = (try WebServer(sample.repository.path), try Collector())
      let device = try device(maps, reportingTo: collector.url("/"))
      #expect(try device.run("check").exit == 10)
      let report = try #require(try collector.reports().first)
      let machine = (try? String(decoding: contents("/etc/machine-id"), as: UTF8.self))?.prefix(32)
      #expect(report["device"] as? String == machine.map(String.init))
      #expect((report["release"] as? [String: Any])?["number"] as? Int == 2)
      #expect((report["newest"] as? [String: Any])?["number"] as? Int == 4)
      #expect((report["lastRun"] as? [String: Any])?["result"] as? String == "Success")
      #expect(report["contact"] is String && report["signatures"] is String && report["lastFailure"] == nil)
      #expect(report["free"] as? Int ?? 0 > 0 && report["waiting"] as? Int == 0)
    }

    @Test("without the setting, and offline, nothing is kept or sent")
    func off() throws {
      let maps = try WebServer(sample.repository.path)
      let device = try sample.device(at: 2, of: maps.url)
      #expect(try device.run("check").exit == 10)
      #expect(try !names(device.root).contains("reports"))
    }

    @Test("while the server is down they wait, at most eight, and come later in their order")
    func later() throws {
      let maps = try WebServer(sample.repository.path)
      let port = try Collector().port
      let device = try device(maps, reportingTo: "http://127.0.0.1:\(port)/", settings: "log_level = debug")
      for _ in 1...10 { #expect(try device.run("check").exit == 10) }
      #expect(try waiting(device).sorted { $0.count < $1.count || $0 < $1 } == (3...10).map { "\($0)" })
      #expect(try device.run("apply").exit == 0)
      let collector = try Collector(port: port)
      #expect(try device.run("check").exit == 0)
      #expect(try waiting(device).isEmpty)
      let reports = try collector.reports()
      #expect(reports.count == 8)
      let times = reports.compactMap { $0["time"] as? String }
      #expect(times == times.sorted() && times.count == 8)
      let releases = reports.map { ($0["release"] as? [String: Any])?["number"] as? Int }
      #expect(releases == Array(repeating: 2, count: 6) + [4, 4])
    }

    @Test(
      "a report that the server will never take is dropped, another one waits",
      arguments: [
        (400, 0), (404, 0), (413, 0), (401, 1), (403, 1), (408, 1), (429, 1), (500, 1), (503, 1), (302, 1),
        (200, 0),
      ])
    func rejected(status: Int, left: Int) throws {
      let (maps, collector) = (try WebServer(sample.repository.path), try Collector())
      let device = try device(maps, reportingTo: collector.url("/\(status)"))
      let run = try device.run("check")
      #expect(run.exit == 10 && run.error.isEmpty, "\(run)")
      #expect(try waiting(device).count == left)
      #expect(collector.finish().count == 1)
    }

    @Test("a server that does not answer delays the end of the process by seconds, not its result")
    func slow() throws {
      let (maps, collector) = (try WebServer(sample.repository.path), try Collector())
      let device = try device(maps, reportingTo: collector.url("/slow"))
      let begin = Clock.milliseconds
      let check = try device.start(["--json", "check"])
      _ = try #require(check.waitForLine(with: #""event":"result""#))
      let result = Clock.milliseconds - begin
      #expect(try device.finish(check).exit == 10)
      #expect(result < 5000 && Clock.milliseconds - begin < 20_000)
      #expect(try waiting(device).count == 1)
    }

    @Test("a failed run says why, without what is secret in URLs, and keeps its exit status")
    func failure() throws {
      let collector = try Collector()
      let device = try sample.device(
        at: 2, of: "http://127.0.0.1:1/maps?token=secret", settings: "report_url = \(collector.url("/"))",
        "retries = 0")
      #expect(try device.run("apply").exit == 20)
      let report = try #require(try collector.reports().first)
      let failure = try #require(report["lastFailure"] as? [String: Any])
      #expect(failure["exit"] as? Int == 20 && failure["matters"] as? Bool == true)
      let cause = try #require(failure["failure"] as? String)
      #expect(cause.hasPrefix("http://127.0.0.1:1/maps?…") && !cause.contains("secret"), "\(cause)")
    }

    @Test("a report survives a process that is killed while it is sent, and nothing else waits for it")
    func killed() throws {
      let (maps, collector) = (try WebServer(sample.repository.path), try Collector())
      let device = try device(maps, reportingTo: collector.url("/slow"))
      let check = try device.start(["--json", "check"])
      _ = try #require(check.waitForLine(with: #""event":"result""#))
      try wait { try waiting(device) == ["1"] }
      // Another process works meanwhile, and its report waits beside the first one.
      #expect(try device.run("apply").exit == 0)
      check.signal(SIGKILL)
      _ = check.wait(timeout: 20)
      #expect(try waiting(device) == ["1", "2"])
      let other = try Collector()
      let configuration = String(decoding: try contents(device.configuration), as: UTF8.self)
      try configuration.replacing(collector.url("/slow"), with: other.url("/"))
        .write(toFile: device.configuration, atomically: true, encoding: .utf8)
      #expect(try device.run("check").exit == 0)
      #expect(try other.reports().count == 3)
    }

    @Test("a damaged report is removed, and does not keep others from being sent")
    func damaged() throws {
      let maps = try WebServer(sample.repository.path)
      let port = try Collector().port
      let device = try device(maps, reportingTo: "http://127.0.0.1:\(port)/")
      for _ in 1...2 { #expect(try device.run("check").exit == 10) }
      try Damage.flip("\(device.root)/reports/waiting/1")
      let collector = try Collector(port: port)
      #expect(try device.run("check").exit == 10)
      #expect(try collector.reports().count == 2)
      #expect(try waiting(device).isEmpty)
    }

    @Test("a store whose directory of reports is a file or a link gets one")
    func stray() throws {
      let (maps, collector) = (try WebServer(sample.repository.path), try Collector())
      let device = try device(maps, reportingTo: collector.url("/"))
      try Programs.run("ln", "-s", scratch.path, "\(device.root)/reports")
      #expect(try device.run("check").exit == 10)
      #expect(try collector.reports().count == 1)
      #expect(try !names(scratch.path).contains("waiting"))
    }
  }
}
