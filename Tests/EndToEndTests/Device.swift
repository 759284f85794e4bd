import Foundation
import Platform
import TestSupport
import Testing

/// A device: a store, its configuration, and the static program.
final class Device {
  let root: String
  let configuration: String
  private let program: String
  private let scratch: Scratch

  /// Makes a device with its store at `root`, or in a directory of its own, and further lines of configuration.
  ///
  /// It trusts the publisher of the sample maps, or another one. `program`: another one than the static one.
  init(
    _ repository: String, root: String? = nil, trusting publisher: PublishedRepository? = nil,
    program: String? = nil, settings: String...
  ) throws {
    self.program = try program ?? Programs.tinyupdater()
    scratch = try Scratch("device")
    self.root = root ?? "\(scratch.path)/store"
    configuration = "\(scratch.path)/tinyupdater.conf"
    let defaults = ["retry_delay = 1", "retries = 2", "space_reserve = 0", "root = \(self.root)"]
    let trusted = try publisher ?? Sample.shared.get().repository
    let lines = defaults + ["repository = \(repository)", "trusted_root = \(trusted.root)"] + settings
    try scratch.write("tinyupdater.conf", lines.joined(separator: "\n") + "\n")
  }

  /// What a run came to.
  struct Run {
    let exit: Int32?
    let output: String
    let error: String
    /// The events of a run with `--json`.
    let events: [[String: Any]]

    func events(_ name: String) -> [[String: Any]] { events.filter { $0["event"] as? String == name } }

    func event(_ name: String) throws -> [String: Any] {
      try #require(events(name).first, "\(output) \(error)")
    }

    /// A number of the last event with this name.
    func number(_ name: String, _ key: String) throws -> Int {
      try #require(events(name).last?[key] as? Int, "\(name).\(key) in \(output)")
    }
  }

  func run(_ arguments: String...) throws -> Run { try run(arguments) }

  func run(_ arguments: [String]) throws -> Run { try finish(start(arguments)) }

  /// The same with JSON, of which every line is parsed and the last is the result with the exit code.
  func json(_ arguments: String...) throws -> Run {
    let run = try finish(start(["--json"] + arguments))
    let last = try #require(run.events.last, "\(run.error)")
    #expect(last["event"] as? String == "result")
    #expect(last["exit"] as? Int == run.exit.map(Int.init))
    #expect(run.events("result").count == 1)
    return run
  }

  /// Starts the program and leaves it running; `before` are words in front of it, such as `strace …`.
  func start(_ arguments: [String], before: [String] = []) throws(Failure) -> ChildProcess {
    let words = before + [program, "--config", configuration] + arguments
    return try ChildProcess(words[0], Array(words[1...]))
  }

  /// Starts a command and returns in the middle of the overlay of Latvia, which is the largest on the wire.
  func startInOverlay(_ arguments: String..., before: [String] = []) throws -> ChildProcess {
    let words = ["--json"] + arguments.flatMap { $0.split(separator: " ").map(String.init) }
    let child = try start(words, before: before)
    // The first of these events can come before the first byte.
    for _ in 0..<2 {
      _ = try #require(
        child.waitForLine(with: "\"path\":\"europe/latvia/overlay.bin\",\"state\":\"downloading\",\"done\""))
    }
    return child
  }

  func finish(_ child: ChildProcess) throws -> Run { try Device.finish(child) }

  static func finish(_ child: ChildProcess) throws -> Run {
    let outcome = child.wait(timeout: 300)
    #expect(!outcome.isTimedOut, "\(outcome)")
    let lines = outcome.output.split(separator: "\n")
    let events = lines.allSatisfy({ $0.hasPrefix("{") }) ? try lines.map(Device.parse) : []
    return Run(exit: outcome.status, output: outcome.output, error: outcome.error, events: events)
  }

  private static func parse(_ line: Substring) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
    return try #require(value as? [String: Any], "\(line)")
  }

  // MARK: - The store

  /// What `current` holds; nil if nothing is installed.
  var current: String? {
    get throws { try Directory(opening: root).readSymbolicLink("current") }
  }

  /// The digests of the installed components by their names below `maps`.
  func installed() throws -> [String: String] { try digests("\(root)/current/maps") }

  /// The digests of everything in the store that counts, to find it unchanged.
  func state() throws -> [String: String] {
    var state = try digests("\(root)/generations")
    state["current"] = try current ?? ""
    return state
  }

  var staged: [String] {
    get throws { try names("\(root)/staging") }
  }

  /// The number of the installed release, out of the manifest.
  func release() throws -> Int {
    let manifest = String(decoding: try contents("\(root)/current/manifest"), as: UTF8.self)
    let words = manifest.split(separator: "\n")[1].split(separator: " ")
    return try #require(Int(words[1]))
  }

  /// Bytes that the store takes, as du(1) counts them, which looks at each file once.
  func used() throws -> Int {
    let words = try ChildProcess.run("du", ["-s", "-B1", root]).output.split(separator: "\t")
    return try #require(words.first.flatMap { Int($0) })
  }

  /// Puts the store of `other` in the place of this one's, hard links as they are.
  func copyStore(of other: Device) throws {
    try Programs.run("rm", "-rf", root)
    try Programs.run("cp", "-a", other.root, root)
  }
}
