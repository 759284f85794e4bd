import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// `status --format prometheus`.
  @Suite("Metrics")
  struct PrometheusTests {
    private let sample: Sample

    init() throws { sample = try Sample.shared.get() }

    /// The values by name and labels.
    private func metrics(_ device: Device, expecting status: Int32 = 0) throws -> [String: Int] {
      let run = try device.run("status", "--format", "prometheus")
      #expect(run.exit == status && run.error.isEmpty, "\(run)")
      try check(run.output)
      var values: [String: Int] = [:]
      for line in run.output.split(separator: "\n") where !line.hasPrefix("#") {
        let end = try #require(line.lastIndex(of: " "))
        let name = String(line[..<end])
        #expect(values[name] == nil, "\(name) is there twice")
        let value: Int = try #require(Int(line[line.index(after: end)...]), "\(line)")
        values[name] = value
      }
      return values
    }

    /// Every metric has one help, one type and a name as the format wants it; promtool agrees where it is installed.
    private func check(_ text: String) throws {
      #expect(text.hasSuffix("\n"))
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      let line =
        /tinyupdater_[a-z_]+(\{[a-z]+="([^"\\\n]|\\[\\"n])*"(,[a-z]+="([^"\\\n]|\\[\\"n])*")*\})? [0-9]+/
      var current = ""
      for text in lines {
        if text.hasPrefix("# HELP ") {
          current = String(text.split(separator: " ")[2])
        } else if text.hasPrefix("# TYPE ") {
          #expect(text == "# TYPE \(current) gauge")
        } else {
          #expect(text.wholeMatch(of: line) != nil && text.hasPrefix(current), "\(text)")
        }
      }
      let tool = try ChildProcess.run("sh", ["-c", "command -v promtool"])
      guard tool.status == 0 else { return }
      let scratch = try Scratch("promtool")
      try scratch.write("metrics", text)
      let checked = try ChildProcess.run("sh", ["-c", "promtool check metrics <\(scratch.path)/metrics"])
      #expect(checked.status == 0, "\(checked) \(text)")
    }

    @Test("a device has release, contact, signatures, space and the last run")
    func values() throws {
      let device = try sample.device(at: 2)
      #expect(try device.run("check").exit == 10)
      let values = try metrics(device)
      #expect(values["tinyupdater_release_number"] == 2 && values["tinyupdater_newest_release_number"] == 4)
      #expect(values["tinyupdater_standby_release_number"] == 0 && values["tinyupdater_trial"] == 0)
      #expect(values["tinyupdater_damaged_components"] == 0 && values["tinyupdater_queued_operations"] == 0)
      #expect(values["tinyupdater_free_bytes"] ?? 0 > 0 && values["tinyupdater_expired"] == 0)
      let now = Int(Clock.now)
      #expect((now - 600...now).contains(values["tinyupdater_contact_timestamp_seconds"] ?? 0))
      for role in ["root", "targets", "snapshot", "timestamp"] {
        #expect(values["tinyupdater_signature_expiry_timestamp_seconds{role=\"\(role)\"}"] ?? 0 > now)
      }
      #expect(values["tinyupdater_last_run_exit_code{command=\"install\",result=\"Success\"}"] == 0)
      #expect(values["tinyupdater_failure_exit_code"] == 0)
      #expect(
        values.keys.contains {
          $0.hasPrefix("tinyupdater_release_info{installed=\"2024-02\",newest=\"2024-04\",")
        })
    }

    @Test("a release that stands by, damage, and operations that wait are counted")
    func state() throws {
      let device = try sample.device(at: 2)
      #expect(try device.run("apply", "--stage").exit == 0)
      try Damage.flip("\(device.root)/current/maps/europe/iceland/base.bin")
      #expect(try device.run("verify").exit == 24)
      let values = try metrics(device)
      #expect(values["tinyupdater_standby_release_number"] == 4)
      #expect(values["tinyupdater_damaged_components"] == 1)
    }

    @Test("a failure that matters has its cause, and no other")
    func failure() throws {
      let device = try sample.device(at: 2, of: "http://127.0.0.1:1", settings: "retries = 0")
      #expect(try device.run("apply").exit == 20)
      let values = try metrics(device)
      let name = try #require(values.keys.first { $0.hasPrefix("tinyupdater_failure_exit_code") })
      #expect(
        name.contains("command=\"apply\",result=\"ConnectionFailed\",cause=\"http://127.0.0.1:1/metadata/"))
      #expect(values[name] == 20 && values["tinyupdater_failure_timestamp_seconds"] ?? 0 > 0)
      #expect(values["tinyupdater_queued_operations"] == 1)
      #expect(try device.run("--repository", sample.repository.url, "apply").exit == 0)
      #expect(try metrics(device)["tinyupdater_failure_exit_code"] == 0)
    }

    @Test("a device without a store has metrics, too")
    func empty() throws {
      let values = try metrics(try Device(sample.repository.url))
      #expect(values["tinyupdater_release_number"] == 0 && values["tinyupdater_free_bytes"] == nil)
    }

    @Test("another format, or JSON at the same time, is a wrong usage")
    func usage() throws {
      let device = try Device(sample.repository.url)
      for words in [["--format", "xml"], ["--format"], ["--json", "--format", "prometheus"]] {
        #expect(try device.run(["status"] + words).exit == 64, "\(words)")
      }
      #expect(try device.run("check", "--format", "prometheus").exit == 64)
    }
  }
}
