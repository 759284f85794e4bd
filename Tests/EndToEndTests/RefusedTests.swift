import Foundation
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// A server that does not give a package to a device keeps no other from it, and no device has two releases.
  @Suite("Refused packages")
  struct RefusedTests {
    private let sample: Sample

    init() throws { sample = try Sample.shared.get() }

    private func server(denying id: String = "europe/malta", with status: Int = 403) throws -> WebServer {
      try WebServer(sample.repository.path, directives: sample.repository.denying(id, with: status))
    }

    /// What the maps are without a package.
    private func expected(without id: String, at release: Int = 4) -> [String: String] {
      sample.expected[release, default: [:]].filter { !$0.key.hasPrefix("\(id)/") }
    }

    private func refused(_ run: Device.Run) -> [String] { run.events.last?["refused"] as? [String] ?? [] }

    @Test(
      "with hold, all maps stay, everything else is staged, and the package is named",
      arguments: [401, 402, 403, 404, 410])
    func hold(status: Int) throws {
      let bad = try server(with: status)
      let device = try sample.device(at: 2, of: bad.url)
      let before = try device.state()
      let run = try device.json("apply")
      #expect(run.exit == 15 && run.events.last?["result"] as? String == "Refused", "\(run.output)")
      #expect(refused(run) == ["europe/malta"])
      let message = try #require(run.events.last?["message"] as? String)
      #expect(message.contains("europe/malta") && message.contains("\(status)"), "\(message)")
      #expect(try device.state() == before)
      let asked = try bad.finish().payloads
      #expect(asked.contains { $0.path.hasPrefix("payloads/") && $0.status == 200 }, "\(asked)")
      #expect(asked.allSatisfy { $0.status != status || $0.sent < 1000 })

      // The rest needs no download any more.
      let good = try WebServer(sample.repository.path)
      let next = try device.json("--repository", good.url, "apply")
      #expect(next.exit == 0, "\(next.error)")
      #expect(try device.installed() == sample.expected[4])
      let names = try sample.repository.denying("europe/malta")
      for entry in try good.finish().payloads {
        let name = entry.path.split(separator: "/")[1].split(separator: ".")[0]
        #expect(names.contains(name), "\(entry.path) came twice")
      }
    }

    @Test("list, status and status --json show what is refused, until it is there")
    func shown() throws {
      let bad = try server()
      let device = try sample.device(at: 2, of: bad.url)
      #expect(try device.run("apply").exit == 15)
      let list = try device.run("list").output
      let line = try #require(list.split(separator: "\n").first { $0.hasPrefix("europe/malta") })
      #expect(line.contains("refused"), "\(line)")
      let package = try #require(
        try device.run("--json", "list").events("package").first { $0["id"] as? String == "europe/malta" })
      let refusal = try #require(package["refused"] as? [String: Any])
      #expect(refusal["cause"] as? String == "the server answers 403")
      let status = try device.run("status").output
      #expect(status.contains("refused     europe/malta since "), "\(status)")
      let refused = try device.run("--json", "status").event("status")["refused"] as? [[String: Any]]
      #expect(refused?.map { $0["id"] as? String } == ["europe/malta"])

      #expect(try device.run("--repository", sample.repository.url, "apply").exit == 0)
      #expect(try !device.run("list").output.contains("refused"))
      #expect(try !device.run("status").output.contains("refused   "))
      #expect(!Checkout.isFile("\(device.root)/refused"))
    }

    @Test("a damaged note of what is refused says nothing, and keeps nothing from working")
    func damagedNote() throws {
      let bad = try server()
      let device = try sample.device(at: 2, of: bad.url)
      #expect(try device.run("apply").exit == 15)
      for text in ["", "tinyupdater-refused 1\n", String(repeating: "x", count: 100_000)] {
        try File(opening: "\(device.root)/refused", to: .replace).write(text)
        #expect(try device.run("list").exit == 0)
        #expect(try !device.run("status").output.contains("refused   "))
        #expect(try device.run("apply").exit == 15)
        #expect(try device.run("status").output.contains("refused   "))
      }
    }

    @Test("with leave-out, the others are updated without it, and it comes when it is given")
    func leaveOut() throws {
      let bad = try server()
      let device = try sample.device(at: 2, of: bad.url, settings: "refused = leave-out")
      let run = try device.json("apply")
      #expect(run.exit == 12, "\(run.output)")
      #expect(refused(run) == ["europe/malta"])
      #expect(try device.release() == 4)
      #expect(try device.installed() == expected(without: "europe/malta"))
      #expect(try device.queue().contains { $0.contains("europe/malta") })
      let package = try device.run("--json", "list").events("package").first {
        $0["id"] as? String == "europe/malta"
      }
      #expect(
        package?["refused"] != nil && package?["state"] as? String == "notInstalled", "\(package ?? [:])")

      // Each run asks again, and says nothing new.
      #expect(try device.run("apply").exit == 0)
      #expect(try device.queue().count == 1)
      #expect(try device.run("status").output.contains("refused     europe/malta"))

      #expect(try device.run("--repository", sample.repository.url, "apply").exit == 0)
      #expect(try device.installed() == sample.expected[4])
      #expect(try device.queue() == [])
      #expect(try device.staged == [])
      #expect(try !device.run("status").output.contains("refused   "))
    }

    @Test("a map that does not change keeps its package from nothing: it goes with the rest of it")
    func wholePackage() throws {
      // Malta's second map is the same in both releases.
      let bad = try server()
      let device = try sample.device(at: 2, of: bad.url, settings: "refused = leave-out")
      #expect(try device.run("apply").exit == 12)
      #expect(try !device.installed().keys.contains { $0.hasPrefix("europe/malta/") })
    }

    @Test("where every map would go, all maps stay, whatever the setting", arguments: ["hold", "leave-out"])
    func nothingLeft(rule: String) throws {
      let bad = try WebServer(
        sample.repository.path,
        directives: "location /components/ { return 403; } location /payloads/ { return 403; }")
      let scratch = try Scratch("alone")
      let served = try sample.repository.copy(to: "\(scratch.path)/repository", upTo: 2)
      let device = try Device(served.url, settings: "refused = \(rule)")
      #expect(try device.run("install", "europe/malta").exit == 0)
      let before = try device.state()
      let run = try device.json("--repository", bad.url, "apply")
      #expect(run.exit == 15, "\(run.output)")
      #expect(try device.state() == before)
    }

    @Test("what is newly asked for and refused is left out, and the rest is installed")
    func newlyAsked() throws {
      let bad = try server(denying: "europe/latvia")
      let device = try Device(bad.url)
      let run = try device.json("install", "europe", "world/airports")
      #expect(run.exit == 15 && refused(run) == ["europe/latvia"], "\(run.output)")
      #expect(try device.installed() == expected(without: "europe/latvia"))
      // It is not owed: who wants it asks again.
      #expect(try device.queue() == [])
      let again = try device.json("install", "europe/latvia")
      #expect(again.exit == 15)
      #expect(try device.installed() == expected(without: "europe/latvia"))
      #expect(try device.run("--repository", sample.repository.url, "install", "europe/latvia").exit == 0)
      #expect(try device.installed() == sample.expected[4])
      #expect(try !device.run("status").output.contains("refused   "))
    }

    @Test("a release that is only staged waits for all of its packages")
    func staged() throws {
      let bad = try server()
      let device = try sample.device(at: 2, of: bad.url, settings: "refused = leave-out")
      let before = try device.state()
      #expect(try device.run("apply", "--stage").exit == 15)
      #expect(try device.state() == before)
      #expect(try device.run("--repository", sample.repository.url, "apply", "--stage").exit == 0)
      #expect(try device.run("activate").exit == 0)
      #expect(try device.installed() == sample.expected[4])
    }

    @Test("uninstalling what is refused lets the others go on")
    func uninstall() throws {
      let bad = try server()
      let device = try sample.device(at: 2, of: bad.url)
      #expect(try device.run("apply").exit == 15)
      #expect(try device.run("uninstall", "europe/malta").exit == 0)
      #expect(try device.run("apply").exit == 0)
      #expect(try device.installed() == expected(without: "europe/malta"))
      #expect(try !device.run("status").output.contains("refused   "))
      #expect(try device.staged == [])
    }

    @Test("a server without its timestamp refuses nothing: there is no repository")
    func gone() throws {
      let server = try WebServer(
        sample.repository.path,
        directives: """
          location /components/ { return 403; }
          location /payloads/ { return 403; }
          """)
      let device = try sample.device(at: 2, of: server.url)
      #expect(try device.run("check").exit == 10)
      server.kill()
      #expect(try device.run("apply").exit == 20)
      #expect(!Checkout.isFile("\(device.root)/refused"))
    }
  }
}
