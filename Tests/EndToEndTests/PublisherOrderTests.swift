import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// What the publisher makes visible is durable before it, in the order in which the kernel was asked.
  @Suite("Order of the publisher", .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"))
  struct PublisherOrderTests {
    private let scratch: Scratch
    private let repository: PublishedRepository
    private var root: String { "\(scratch.path)/publisher" }

    init() throws {
      scratch = try Scratch("publisher-order")
      try scratch.makeDirectory("publisher")
      repository = PublishedRepository(path: "\(scratch.path)/publisher/repository")
      try Programs.run("mkdir", "\(repository.path).states")
      try scratch.write("publisher/repository.keys.passphrase", "correct horse\n")
      try Programs.run("chmod", "600", repository.passphraseFile)
    }

    /// Runs a command; nothing is visible before it is durable, and no flush could be left out.
    ///
    /// - Returns: how many flushes were tried to be left out.
    @discardableResult
    private func check(_ arguments: String..., exit: Int32 = 0) throws -> Int {
      let log = "\(scratch.path)/trace"
      let before = "\(scratch.path)/before"
      try Programs.run("rm", "-rf", before)
      try Programs.run("cp", "-a", root, before)
      let keys = ["--keys", repository.keys, "--passphrase-file", repository.passphraseFile]
      let words = SystemCallTrace.words(log: log) + [try Programs.tinypublish()] + arguments + keys
      let run = try ChildProcess.run(
        words[0], Array(words[1...]), environment: ["LIBDISPATCH_COOPERATIVE_POOL_STRICT": "1"])
      #expect(run.status == exit, "\(run)")
      let calls = try SystemCallTrace(String(decoding: try contents(log), as: UTF8.self)).calls
      let model = { try DiskModel(reading: before, as: root) }
      let violations = try PublisherOrder.violations(calls, on: model())
      #expect(violations == [], "\(arguments)")
      let needed = try PublisherOrder.flushes(calls, on: model())
      for place in needed {
        var others = calls
        others.remove(at: place)
        #expect(
          try PublisherOrder.violations(others, on: model()) != [],
          "\(arguments): \(calls[place]) is not needed")
      }
      Terminal.writeLine(
        "order: tinypublish \(arguments[0]): \(needed.count) flushes, each needed", to: .error)
      return needed.count
    }

    private func write(_ release: Int) throws {
      for (name, seed) in [("malta", release), ("latvia", 100 + release)] {
        var generator = SeededGenerator(UInt64(seed))
        let map = (0..<9000).map { _ in UInt8.random(in: 0..<16, using: &generator) }
        try scratch.write("maps/europe/\(name)/base.gpkg", map)
      }
    }

    @Test(
      "a release, its withdrawal and changes of keys are durable before devices see them, and when the command ends"
    )
    func commands() throws {
      #expect(try check("init", repository.path) >= 10)
      for release in 1...3 {
        try write(release)
        let made = try check(
          "release", repository.path, "\(scratch.path)/maps", "--label", "\(release)", "--quiet", "--jobs",
          "1")
        #expect(made >= 7)
      }
      #expect(try check("prune", repository.path, "--keep", "1") >= 9)
      #expect(try check("key", "rotate", repository.path, "targets") >= 8)
      #expect(try check("key", "add", repository.path, "timestamp") >= 6)
      let key = try names(repository.keys).first { $0.hasPrefix("timestamp-") } ?? ""
      let digits = key.dropFirst("timestamp-".count).prefix { $0 != "." }
      #expect(try check("key", "revoke", repository.path, "timestamp", String(digits)) >= 5)
    }

    @Test("a change that waits for signatures is durable when the command ends")
    func pending() throws {
      #expect(try check("init", repository.path) >= 10)
      let name = try #require(try names(repository.keys).first { $0.hasPrefix("root-") })
      try Programs.run("mv", "\(repository.keys)/\(name)", "\(scratch.path)/away.pem")
      #expect(try check("key", "add", repository.path, "snapshot", exit: 10) >= 4)
    }
  }
}

/// What has to be durable before a name makes it visible, and before a command ends (docs/power-loss.md).
private struct PublisherOrder {
  private let model: DiskModel
  private var violations: [String] = []

  /// Goes through the calls of a command that began with the tree `model`, and ended well.
  static func violations(_ calls: [DiskCall], on model: DiskModel) throws -> [String] {
    var order = PublisherOrder(model: model)
    for call in calls {
      if case .rename(let from, let to) = call, let from = model.local(from), let to = model.local(to) {
        order.examine(from, to)
      }
      if case .remove(let path) = call, let path = model.local(path), PublisherOrder.isVisible(path) {
        // What devices see no longer names it, whatever happens.
        order.require("repository/metadata", before: "\(path) is removed")
      }
      model.apply(call)
    }
    order.require("", before: "the end")
    return order.violations
  }

  /// The places of the flushes that flush something.
  static func flushes(_ calls: [DiskCall], on model: DiskModel) throws -> [Int] {
    var places: [Int] = []
    for (place, call) in calls.enumerated() {
      if case .flush(let path, let flush) = call, let local = model.local(path), let node = model.node(local)
      {
        // A file that is discarded after it was flushed is not missed.
        let isKept = !isWork(local) || calls[place...].contains { $0.isRename(of: path) }
        let isOfAll = flush == .fileSystem && !missing(below: local, of: model).isEmpty
        if isOfAll || isKept && (node.isUnsynced || node.pending.contains { !isWork($0) }) {
          places.append(place)
        }
      }
      model.apply(call)
    }
    return places
  }

  private init(model: DiskModel) { self.model = model }

  /// The folders that a web server serves.
  private static func isVisible(_ path: String) -> Bool {
    ["catalogs", "components", "payloads", "metadata"].contains { path.hasPrefix("repository/\($0)/") }
  }

  /// Unfinished, or a cache that is checked before it is used, or of locks, which end with the processes.
  private static func isWork(_ path: String) -> Bool {
    [".work", ".made", ".figures", ".locks"].contains(where: path.contains) || path.hasSuffix(".new")
  }

  private mutating func examine(_ from: String, _ to: String) {
    // Nothing names what a release makes before its metadata, so all of it is flushed at once.
    let isContent = PublisherOrder.isVisible(to) && !to.hasPrefix("repository/metadata/")
    if !isContent, !PublisherOrder.isWork(to), let node = model.node(from), node.isUnsynced {
      violations.append("not durable: the content of \(from) before it becomes \(to)")
    }
    // Each metadata file comes after the ones that it names, and with the keys that it needs.
    if to.hasPrefix("repository/metadata/") { require("", before: "\(from) becomes \(to)") }
    if to.hasPrefix("repository.keys/") { require("repository.keys", before: "\(from) becomes \(to)") }
  }

  /// Everything below `path` is durable, whatever is only being made aside.
  private mutating func require(_ path: String, before what: String) {
    violations += PublisherOrder.missing(below: path, of: model).map { "not durable: \($0), before \(what)" }
  }

  /// What below `path` is not durable.
  private static func missing(below path: String, of model: DiskModel) -> [String] {
    var missing: [String] = []
    model.node(path)?.forEach(path.isEmpty ? "" : "/\(path)") { path, node in
      if node.isDirty && !isWork(path) { missing.append("the content of \(path)") }
      missing += node.pending.filter { !isWork("\(path)/\($0)") }.map { "the name \(path)/\($0)" }
    }
    return missing
  }
}

extension DiskCall {
  fileprivate func isRename(of path: String) -> Bool {
    if case .rename(path, _) = self { true } else { false }
  }
}
