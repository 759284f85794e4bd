import Platform
import Synchronization
import TestSupport
import Testing

extension EndToEnd {
  /// The kernel refuses a call: the exit code says why, and the maps are those of one release.
  ///
  /// `make faults` tries every error at every call; otherwise it is a sample of `TINYUPDATER_SAMPLES`, from
  /// `TINYUPDATER_SEED`, if they are set. `TINYUPDATER_KINDS` names the changes that are tried.
  @Suite("Faults")
  struct FaultTests {
    private let sample: Sample
    private let scratch: Scratch

    init() throws {
      sample = try Sample.shared.get()
      scratch = try Scratch("faults")
    }

    /// What the kernel can answer, and the exit code for it.
    private static let errors: [(name: String, exit: Int32)] = [
      ("EIO", 24), ("ENOSPC", 22), ("EDQUOT", 22), ("EROFS", 24), ("EMFILE", 24), ("ENOMEM", 23),
      // The call is made again.
      ("EINTR", 0),
    ]

    private struct Fault: CustomStringConvertible {
      let point: SystemCalls.Point
      let name: String
      let exit: Int32
      var description: String { "\(name) from \(point)" }
    }

    private static let tried = Mutex(0)

    @Test(
      "an error from any system call that changes the disk ends a command with the right exit code and maps of one release, or does not matter",
      .enabled(if: SystemCalls.isTraceable, "strace cannot trace here"),
      arguments: SystemCalls.chosen(StoreChange.Kind.self))
    func errors(kind: StoreChange.Kind) throws {
      let change = try StoreChange(kind, of: sample, in: scratch)
      let points = try change.points()
      var faults: [Fault] = []
      for point in points {
        // Only what makes a descriptor can find that there are too many.
        for error in FaultTests.errors where error.name != "EMFILE" || point.call == "openat" {
          faults.append(Fault(point: point, name: error.name, exit: error.exit))
        }
      }
      let seed = SystemCalls.seed
      if !SystemCalls.areAllTried {
        var generator = SeededGenerator(seed)
        let samples = environment("TINYUPDATER_SAMPLES").flatMap { Int($0) } ?? 12
        faults = Array(faults.shuffled(using: &generator).prefix(samples))
      }
      var failed = 0
      for fault in faults {
        let complaints = try complaints(about: change, after: fault)
        for complaint in complaints { Issue.record("\(kind.rawValue), seed \(seed), \(fault): \(complaint)") }
        if !complaints.isEmpty { failed += 1 }
      }
      let total = FaultTests.tried.withLock { tried in
        tried += faults.count
        return tried
      }
      Terminal.writeLine(
        "faults: \(kind.rawValue): \(points.count) calls, \(faults.count) faults from seed \(seed), \(failed) failures; \(total) so far",
        to: .error)
    }

    private func complaints(about change: StoreChange, after fault: Fault) throws -> [String] {
      let device = change.device
      try device.copyStore(of: change.start)
      let log = "\(scratch.path)/fault"
      let words = SystemCalls.words(injecting: .failure(fault.name), at: fault.point, log: log)
      let run = try device.finish(device.start(change.command, before: words))
      var complaints: [String] = []
      let calls = String(decoding: try contents(log), as: UTF8.self).split(separator: "\n")
      let injected = calls.first { $0.contains("(INJECTED)") }
      if injected == nil { complaints.append("was not reached") }
      let maps = try device.seen()
      if maps != change.old && maps != change.new { complaints.append("the maps are of no release") }
      let isUncertain = run.exit == 24 && run.error.contains("a power loss now may bring the old maps back")
      // A configuration that cannot be read has a code of its own, whatever the reason.
      let isOfConfiguration =
        run.exit == 78 && run.error.contains("the configuration \(device.configuration)")
      if run.exit == change.exit {
        // An update that has nobody left to carry on with says so, and is done.
        let isLeft = run.error.contains("the maps around the device stay as they are")
        if try !isLeft && !(change.isDone?() ?? (maps == change.new)) {
          complaints.append("exit \(change.exit), not done")
        }
      } else if run.exit != fault.exit && !isUncertain && !isOfConfiguration {
        complaints.append("exit \(run.exit ?? -1) instead of \(fault.exit): \(run.error)")
      } else if change.old != change.new && !change.changesAnother && (maps == change.new) != isUncertain {
        complaints.append("exit \(run.exit ?? -1), and the maps are new: \(maps == change.new): \(run.error)")
      }
      let again = try device.run(change.command)
      if !change.exitsAgain.contains(again.exit ?? -1) {
        complaints.append("given again, exit \(again.exit ?? -1): \(again.error)")
      }
      if try device.seen() != change.new { complaints.append("given again, the maps are not new") }
      let debris = try change.debris()
      if debris != [] { complaints.append("left behind: \(debris)") }
      try change.check()
      return complaints.map { "\($0); \(injected ?? "")" }
    }

    @Test(
      "a command whose every write takes only half of the bytes is carried out",
      .enabled(if: Tracer.isPossible, Tracer.requirement),
      arguments: SystemCalls.chosen(StoreChange.Kind.self))
    func shortWrites(kind: StoreChange.Kind) throws {
      let change = try StoreChange(kind, of: sample, in: scratch)
      try change.device.copyStore(of: change.start)
      let report = "\(scratch.path)/shortened"
      let words = try Tracer.words(["--report", report, "shorten"])
      let run = try change.device.finish(change.device.start(change.command, before: words))
      #expect(run.exit == change.exit, "\(run.error)")
      #expect(try change.device.seen() == change.new)
      #expect(try change.debris() == [])
      try change.check()
      let count = try #require(Int(String(decoding: try contents(report), as: UTF8.self)))
      #expect(count > 0)
      Terminal.writeLine("faults: \(kind.rawValue): \(count) short writes", to: .error)
    }
  }
}
