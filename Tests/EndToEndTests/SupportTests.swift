import Foundation
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// `support`.
  @Suite("Support")
  struct SupportTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("support")
    }

    /// The files of an archive by their names.
    private func archive(_ device: Device, _ name: String = "a.tar") throws -> [String: String] {
      let path = "\(scratch.path)/\(name)"
      let run = try device.run("support", "-o", path)
      #expect(run.exit == 0 && run.error.isEmpty, "\(run)")
      #expect(try ChildProcess.run("stat", ["-c", "%a", path]).output == "600\n")
      #expect(try contents(path).count < 2 << 20)
      try Programs.run("mkdir", "\(scratch.path)/\(name).d")
      try Programs.run("tar", "-xf", path, "-C", "\(scratch.path)/\(name).d")
      let names = try ChildProcess.run("tar", ["-tf", path]).output.split(separator: "\n").map(String.init)
      return try Dictionary(
        uniqueKeysWithValues: names.map {
          ($0, String(decoding: try contents("\(scratch.path)/\(name).d/\($0)"), as: UTF8.self))
        })
    }

    @Test("it has status, history, log, events, configuration and what the kernel says")
    func content() throws {
      let device = try sample.device(at: 2, settings: "log = \(scratch.path)/log")
      #expect(try device.run("apply").exit == 0)
      let files = try archive(device)
      #expect(files["status.json"]?.contains(#""release":{"number":4,"#) == true, "\(files)")
      #expect(files["history"]?.split(separator: "\n").count == 2)
      #expect(files["log"]?.contains("info: apply: from release 2") == true)
      #expect(files["events"]?.contains(#""event":"changed""#) == true)
      #expect(files["tinyupdater.conf"]?.contains("space_reserve = 0") == true)
      #expect(files["system/mounts"]?.contains(" /proc ") == true && files["system/version"] != nil)
      #expect(files["files"]?.contains(" current\n") == true)
      #expect(files["README"]?.contains("not read") == false, "\(files["README"] ?? "")")
    }

    @Test("secrets of configuration, log, history and events are not in it")
    func secrets() throws {
      let device = try sample.device(
        at: 2, of: "http://127.0.0.1:1/maps?key=hidden-1", settings: "retries = 1", "retry_delay = 1",
        "log = \(scratch.path)/log", "# password = hidden-2", "authorization = \(scratch.path)/secrets")
      try scratch.write("secrets", "maps.example bearer hidden-3\n")
      try Programs.run("chmod", "600", "\(scratch.path)/secrets")
      #expect(try device.run("apply").exit == 20)
      try scratch.write(
        "log",
        try scratch.read("log")
          + Array("GET http://me:hidden-4@a.example/ Authorization: Basic hidden-5\n".utf8))
      let files = try archive(device)
      for (name, text) in files { #expect(!text.contains("hidden-"), "\(name): \(text)") }
      #expect(files["history"]?.contains("http://127.0.0.1:1/maps?…") == true, "\(files)")
      #expect(files["events"]?.contains("http://127.0.0.1:1/maps?…") == true, "\(files)")
      #expect(files["tinyupdater.conf"]?.contains("authorization = \(scratch.path)/secrets") == true)
      #expect(try !String(decoding: contents("\(scratch.path)/a.tar"), as: UTF8.self).contains("hidden-"))
    }

    @Test("the place of the device is not in it")
    func position() throws {
      let device = try sample.device(at: 2, settings: "area_radius = 20K")
      #expect(try device.run("position", "36.0512345", "14.2").exit == 0)
      #expect(try device.json("status").output.contains("36.0"))
      for (name, text) in try archive(device) { #expect(!text.contains("36.05"), "\(name): \(text)") }
    }

    @Test("an existing file is kept, and a file that cannot be made is an error")
    func exists() throws {
      let device = try sample.device(at: 2)
      try scratch.write("a.tar", "mine")
      let run = try device.run("support", "-o", "\(scratch.path)/a.tar")
      #expect(run.exit == 64 && run.error.contains("a.tar exists"), "\(run)")
      #expect(try scratch.read("a.tar") == Array("mine".utf8))
      #expect(try device.run("support", "-o", "\(scratch.path)/no/a.tar").exit == 24)
      #expect(try device.run("support").exit == 64)
    }

    @Test(
      "a store that is damaged, or not there, gives what can be read",
      arguments: [
        ("rm -rf ROOT", "status.json"), ("rm -rf ROOT/generations", "status.json"),
        ("rm -r ROOT/current && mkdir -p ROOT/current/x", "status.json"),
        ("rm -r ROOT/history && mkdir ROOT/history", "history"),
        ("echo x >ROOT/current/manifest", "status.json"),
        ("rm ROOT/events && ln -s /dev/zero ROOT/events", ""), ("rm -rf ROOT && echo >ROOT", "files"),
      ])
    func damaged(command: String, unreadable: String) throws {
      let device = try sample.device(at: 2)
      let copy = device.root
      try Programs.run("sh", "-c", command.replacing("ROOT", with: copy))
      let files = try archive(device)
      #expect(files["README"] != nil && files["system/mounts"] != nil && files["tinyupdater.conf"] != nil)
      if !unreadable.isEmpty {
        let isNamed = files["README"]?.contains("not read: \(unreadable)") == true
        #expect(isNamed || files[unreadable] != nil, "\(files)")
      }
    }

    @Test("of long files it has the end")
    func bound() throws {
      let device = try sample.device(at: 2, settings: "log = \(scratch.path)/log", "log_size = 100M")
      let line = String(repeating: "x", count: 99) + "\n"
      try scratch.write("log", String(repeating: line, count: 50_000) + "the end\n")
      let files = try archive(device)
      #expect(files["log"]?.hasSuffix("\nthe end\n") == true && files["log"]?.utf8.count ?? 0 <= 192 << 10)
    }
  }
}
