import Foundation
import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Programs that ask instead of starting commands.
  @Suite("serve")
  struct DoorTests {
    private let sample: Sample

    init() throws { sample = try Sample.shared.get() }

    /// A device with a service on a socket of its own.
    private final class Door {
      let device: Device
      let process: ChildProcess
      let path: String

      init(_ sample: Sample, at release: Int = 2, of url: String? = nil, group: String = "2") throws {
        let scratch = try Scratch("door")
        chmod(scratch.path, 0o755)
        path = "\(scratch.path)/socket"
        device = try sample.device(
          at: release, of: url, settings: "socket = \(path)", "socket_group = \(group)")
        process = try device.start(["serve"])
        self.scratch = scratch
      }

      private let scratch: Scratch

      func client() throws -> VarlinkClient { try VarlinkClient(path) }

      /// The process that clients talk to: the first that the service has started.
      var inner: Int32 {
        let path = "/proc/\(process.id)/task/\(process.id)/children"
        let children = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: " ") ?? []
        return children.first.flatMap { Int32($0) } ?? -1
      }

      private var both: [Int32] { [process.id, inner] }

      /// Of both processes.
      var descriptors: Int {
        both.reduce(0) { sum, id in
          sum + ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd").count) ?? -1)
        }
      }

      /// Hundredths of a second, of both.
      var processorTicks: Int {
        both.reduce(0) { sum, id in
          let stat = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)) ?? ""
          let words = stat.split(separator: ")").last.map { $0.split(separator: " ") } ?? []
          return sum + (words.count > 12 ? (Int(words[11]) ?? 0) + (Int(words[12]) ?? 0) : -1)
        }
      }

      /// What a line of `status` in proc(5) says of a process; empty if there is none.
      func status(_ name: String, of id: Int32) -> String {
        let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") } ?? ""
        return line.split(whereSeparator: \.isWhitespace).dropFirst().first.map(String.init) ?? ""
      }

      func isRunning(_ id: Int32) -> Bool { !["", "Z", "X"].contains(status("State", of: id)) }

      /// Kilobytes, of the process that clients talk to.
      var resident: Int { Int(status("VmRSS", of: inner)) ?? -1 }

      func finish() throws {
        process.signal(SIGTERM)
        #expect(try device.finish(process).exit == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
      }
    }

    private func result(_ events: [[String: Any]]) -> String? { events.last?["result"] as? String }

    @Test("G4: what a program asks over the socket is what the command line says")
    func questions() throws {
      let door = try Door(sample)
      let client = try door.client()
      let methods: [(String, [String: Any], [String])] = [
        ("GetStatus", [:], ["status"]), ("List", [:], ["list", "--tree"]),
        ("List", ["composite": true, "language": "de"], ["list", "--tree", "--composite", "--lang=de"]),
        ("GetGroups", [:], ["groups"]),
        ("GetPackageAt", ["latitude": 1.5, "longitude": 2.5], ["at", "1.5", "2.5"]),
        ("GetPolygons", ["ids": ["europe"]], ["polygons", "europe"]),
        (
          "GetPackagesNear", ["latitude": 1.5, "longitude": 2.5, "radius": 5000],
          ["near", "1.5", "2.5", "--radius=5000"]
        ),
      ]
      for (method, parameters, words) in methods {
        let expected = try door.device.run(words + ["--json"]).events
        let found = try client.events(method, parameters)
        let names = { (events: [[String: Any]]) in
          events.map { "\($0["event"] ?? "") \($0["id"] ?? "") \($0["state"] ?? "") \($0["name"] ?? "")" }
        }
        #expect(names(found) == names(expected) && !found.isEmpty, "\(method)")
        // In parts, the same.
        #expect(names(try client.events(method, parameters, more: true)) == names(expected), "\(method)")
      }
      #expect(try client.events("Check").first?["available"] as? Bool == true)
      #expect(try client.events("Plan").contains { $0["event"] as? String == "plan" })
      try door.finish()
    }

    @Test("G4: install, uninstall, update, cancel and groups, with progress to the end")
    func changes() throws {
      let door = try Door(sample)
      let client = try door.client()
      let events = try client.events("Update", more: true)
      #expect(result(events) == "Success")
      #expect(events.contains { $0["event"] as? String == "changed" })
      #expect(try door.device.release() == 4)
      #expect(result(try client.events("Install", ["ids": ["world/rivers"]], more: true)) == "Success")
      #expect(try door.device.installed().keys.contains("world/rivers/base.bin"))
      #expect(result(try client.events("Uninstall", ["ids": ["world/rivers"]], more: true)) == "Success")
      #expect(try !door.device.installed().keys.contains("world/rivers/base.bin"))
      #expect(result(try client.events("Cancel", ["ids": [String]()])) == "Success")
      #expect(result(try client.events("Rollback")) == "Success")
      let failed = try client.replies("Install", ["ids": ["no/such"]], more: true)
      #expect(failed.last?.error == "org.tinyupdater.Maps.Failed")
      #expect(failed.last?.parameters["exit"] as? Int == 64)
      try door.finish()
    }

    @Test("an operation goes on when its client is gone, and a watcher sees it")
    func disconnected() throws {
      let server = try WebServer(sample.repository.path, directives: WebServer.slowComponents)
      let door = try Door(sample, of: server.url)
      let watcher = try door.client()
      try watcher.call("Watch", more: true)
      var client: VarlinkClient? = try door.client()
      let queued = try #require(client).events("Update")
      #expect(queued.first?["state"] as? String == "queued")
      let number = try #require(queued.first?["operation"] as? Int)
      client = nil
      var isDone = false
      while !isDone {
        let reply = try #require(try watcher.next())
        #expect(reply.continues)
        isDone = reply.events.contains {
          $0["operation"] as? Int == number && $0["state"] as? String == "done"
        }
      }
      #expect(try door.device.release() == 4)
      try door.finish()
    }

    @Test("who is not in the group is refused, a member may use the maps, and only the owner may go back")
    func access() throws {
      let door = try Door(sample)
      for (group, method, error) in [
        ("3", "GetStatus", "PermissionDenied"), ("3", "Install", "PermissionDenied"), ("2", "GetStatus", ""),
        ("2", "Update", ""), ("2", "Rollback", "PermissionDenied"), ("2", "Repair", "PermissionDenied"),
      ] {
        let script = """
          import json, socket, sys
          s = socket.socket(socket.AF_UNIX)
          s.settimeout(60)
          s.connect(sys.argv[1])
          s.sendall(json.dumps({"method": "org.tinyupdater.Maps." + sys.argv[2], "parameters": {"ids": []}}).encode() + b"\\0")
          answer = b""
          while not answer.endswith(b"\\0"):
              answer += s.recv(65536)
          print(json.loads(answer[:-1]).get("error", ""))
          """
        let run = try ChildProcess(
          "/usr/bin/setpriv",
          [
            "--reuid=65534", "--regid=65534", "--groups=\(group)", "/usr/bin/python3", "-c", script,
            door.path, method,
          ]
        ).wait()
        let expected = error.isEmpty ? "\n" : "org.varlink.service.\(error)\n"
        #expect(run.output == expected, "\(group) \(method): \(run.error)")
      }
      try door.finish()
    }

    @Test("clients that say nonsense, stop in the middle or take nothing disturb nobody")
    func hostile() throws {
      let door = try Door(sample)
      let good = try door.client()
      for text in [
        "nonsense\0", "{}\0", "\0", String(repeating: "a", count: 40_000),
        #"{"method":"org.tinyupdater.Maps.GetStatus","upgrade":true}\#u{0}"#,
      ] {
        let client = try door.client()
        client.send(text)
        #expect(try client.next() == nil, "\(text.prefix(20))")
      }
      var silent: [VarlinkClient] = []
      for _ in 0..<6 {
        let client = try door.client()
        client.send(#"{"method":"org.tiny"#)
        silent.append(client)
      }
      // Some watch, more than may.
      for number in 0..<9 {
        let client = try door.client()
        try client.call("Watch", more: true)
        let reply = try #require(try client.next())
        #expect(reply.error == (number < 8 ? nil : "org.tinyupdater.Maps.TooBusy"))
        silent.append(client)
      }
      // One that asks and asks, and never reads what it is told.
      let flood = try door.client()
      for _ in 0..<200 { try flood.call("List", more: true) }
      for _ in 0..<3 { #expect(result(try good.events("GetStatus")) == "Success") }
      #expect(try good.replies("Nothing").last?.error == "org.varlink.service.MethodNotFound")
      #expect(try good.replies("Watch").last?.error == "org.varlink.service.ExpectedMore")
      #expect(
        try good.replies("Install", ["ids": "one"]).last?.parameters["parameter"] as? String == "ids")
      #expect(silent.count == 15)
      try door.finish()
    }

    @Test("forty clients come and go during updates, and leave nothing behind")
    func comings() throws {
      let door = try Door(sample)
      let first = try door.client()
      #expect(result(try first.events("GetStatus")) == "Success")
      let (descriptors, resident) = (door.descriptors, door.resident)
      for round in 0..<4 {
        let method = round % 2 == 0 ? "Install" : "Uninstall"
        #expect(result(try first.events(method, ["ids": ["world/rivers"]], more: true)) == "Success")
        for number in 0..<10 {
          let client = try door.client()
          if number % 3 == 0 { try client.call("Watch", more: true) }
          if number % 3 == 1 { #expect(result(try client.events("GetStatus")) == "Success") }
        }
      }
      let end = Clock.milliseconds + 20_000
      while door.descriptors > descriptors && Clock.milliseconds < end { Clock.sleep(milliseconds: 50) }
      #expect(door.descriptors <= descriptors)
      #expect(door.resident < resident + 512, "\(resident) kB, then \(door.resident)")
      try door.finish()
    }

    @Test("a client that leaves with calls unread, or takes nothing, costs no processor time and goes")
    func leaving() throws {
      let door = try Door(sample)
      #expect(result(try door.client().events("GetStatus")) == "Success")
      let descriptors = door.descriptors
      var leaver: VarlinkClient? = try door.client()
      try leaver?.call("Watch", more: true)
      #expect(try leaver?.next()?.continues == true)
      // As many as are taken, and more.
      for _ in 0..<400 { try leaver?.call("GetStatus") }
      let slow = try door.client()
      for _ in 0..<40 { try slow.call("List", more: true) }
      Clock.sleep(milliseconds: 500)
      leaver = nil
      Clock.sleep(milliseconds: 500)
      let before = door.processorTicks
      Clock.sleep(milliseconds: 1500)
      // A hundred a second: one that is busy has used them up.
      #expect(door.processorTicks - before < 75)
      let end = Clock.milliseconds + 20_000
      while door.descriptors > descriptors + 4 && Clock.milliseconds < end { Clock.sleep(milliseconds: 50) }
      #expect(door.descriptors <= descriptors + 4)
      #expect(result(try door.client().events("GetStatus")) == "Success")
      _ = slow
      try door.finish()
    }

    @Test("the interface that is served is the file in config/varlink")
    func interface() throws {
      let door = try Door(sample)
      let client = try door.client()
      client.send(
        #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"org.tinyupdater.Maps"}}"#
          + "\0")
      let served = try #require(try client.next()?.parameters["description"] as? String)
      let file = try String(
        contentsOfFile: "\(Checkout.root)/config/varlink/org.tinyupdater.Maps.varlink", encoding: .utf8)
      #expect(served == file)
      try door.finish()
    }

    @Test("the process that clients talk to is confined, and what it has started is not held back by that")
    func confined() throws {
      let door = try Door(sample)
      #expect(result(try door.client().events("Update", more: true)) == "Success")
      #expect(door.status("NoNewPrivs", of: door.inner) == "1")
      #expect(door.status("Seccomp", of: door.inner) == "2")
      #expect(door.status("Seccomp", of: door.process.id) == "0")
      try door.finish()
    }

    @Test("each half of the service ends with the other one", arguments: [true, false])
    func halves(innerFirst: Bool) throws {
      let door = try Door(sample)
      let client = try door.client()
      let inner = door.inner
      kill(innerFirst ? inner : door.process.id, SIGKILL)
      #expect(try client.next() == nil)
      let run = try door.device.finish(door.process)
      if innerFirst {
        #expect(run.exit == 78, "\(run.exit): \(run.error)")
        #expect(run.error.contains("ended unexpectedly"), "\(run.error)")
        #expect(!FileManager.default.fileExists(atPath: door.path))
      }
      let end = Clock.milliseconds + 20_000
      while door.isRunning(inner) && Clock.milliseconds < end { Clock.sleep(milliseconds: 20) }
      #expect(!door.isRunning(inner))
    }

    @Test("a second service on the same socket is refused, and one that was killed leaves no obstacle")
    func again() throws {
      let door = try Door(sample)
      _ = try door.client()
      let second = try door.device.run("serve")
      #expect(second.exit == 24 && second.error.contains("Address"), "\(second.error)")
      door.process.signal(SIGKILL)
      _ = try? door.device.finish(door.process)
      let third = try door.device.start(["serve"])
      #expect(result(try VarlinkClient(door.path).events("GetStatus")) == "Success")
      third.signal(SIGTERM)
      #expect(try door.device.finish(third).exit == 0)
    }
  }
}
