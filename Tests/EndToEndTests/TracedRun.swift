import Platform
import TestSupport
import Testing

/// A run of the device program: its calls, on the tree that it began with.
struct TracedRun {
  private let calls: [DiskCall]
  private let before: String
  private let root: String

  /// Runs `device`, which must end with one of `exits`, or is killed at `point`.
  init(of device: Device, _ arguments: [String], exits: [Int32] = [0], in scratch: Scratch) throws {
    try self.init(below: device.root, in: scratch) { before in
      let run = try device.finish(device.start(arguments, before: before))
      #expect(exits.contains(run.exit ?? -1), "\(run)")
    }
  }

  /// Calls `run` with the words in front of a command that changes files below `root`.
  init(below root: String, in scratch: Scratch, _ run: ([String]) throws -> Void) throws {
    let log = "\(scratch.path)/trace"
    before = "\(scratch.path)/before"
    self.root = root
    try Programs.run("rm", "-rf", before)
    try Programs.run("mkdir", "-p", root)
    try Programs.run("cp", "-a", root, before)
    try run(SystemCallTrace.words(log: log))
    calls = try SystemCallTrace(String(decoding: try contents(log), as: UTF8.self)).calls
  }

  /// Going through the calls changes it.
  private func model() throws -> DiskModel { try DiskModel(reading: before, as: root) }

  /// Nothing is visible, or given up, before it is durable, and no flush could be left out.
  func check(flushes: Int) throws {
    let violations = try OrderRules.violations(calls, on: model())
    #expect(violations == [])
    let places = calls.indices.filter { if case .flush = calls[$0] { true } else { false } }
    #expect(places.count >= flushes, "\(places.count)")
    for place in places {
      var others = calls
      others.remove(at: place)
      #expect(try OrderRules.violations(others, on: model()) != [], "\(calls[place]) is not needed")
    }
  }

  /// The same for a run after one that was killed: nothing that it finds is known to be durable.
  func checkAfterKill() throws {
    let model = try model()
    model.doubtEverything()
    let violations = OrderRules.violations(calls, on: model)
    #expect(violations == [])
  }

  func count(where isCounted: (DiskCall) -> Bool) -> Int { calls.count(where: isCounted) }
}
