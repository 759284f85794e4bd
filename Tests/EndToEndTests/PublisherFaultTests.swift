import Glibc
import Platform
import TestSupport
import Testing

extension EndToEnd {
  /// Whenever the publisher's machine fails, devices see the old state or the new one, whole.
  ///
  /// `make faults` tries everything; otherwise it is a sample of `TINYUPDATER_SAMPLES`, from `TINYUPDATER_SEED`,
  /// if they are set.
  @Suite("Faults of the publisher", .enabled(if: Tracer.isPossible, Tracer.requirement))
  struct PublisherFaultTests {
    private let scratch: Scratch
    private let seed: UInt64

    init() throws {
      scratch = try Scratch("publisher-faults")
      seed = SystemCalls.seed
    }

    /// All of them if every call is tried; otherwise three, chosen by the seed.
    private static let kinds: [PublisherChange.Kind] = {
      let kinds = SystemCalls.chosen(PublisherChange.Kind.self)
      guard !SystemCalls.areAllTried else { return kinds }
      var generator = SeededGenerator(SystemCalls.seed)
      return Array(kinds.shuffled(using: &generator).prefix(3))
    }()

    private func sampled<Element>(_ elements: [Element], _ count: Int) -> [Element] {
      guard !SystemCalls.areAllTried else { return elements }
      var generator = SeededGenerator(seed)
      let samples = environment("TINYUPDATER_SAMPLES").flatMap { Int($0) } ?? count
      return Array(elements.shuffled(using: &generator).prefix(samples))
    }

    private func report(_ kind: PublisherChange.Kind, _ what: String, calls: Int, tried: Int, failed: Int) {
      Terminal.writeLine(
        "faults: tinypublish \(kind.rawValue): \(calls) calls, \(tried) \(what) from seed \(seed), \(failed) failures",
        to: .error)
    }

    @Test(
      "killed at any system call that changes the disk, tinypublish leaves the old state or the new one, and can be repeated",
      arguments: kinds)
    func kills(kind: PublisherChange.Kind) throws {
      let change = try PublisherChange(kind, in: scratch)
      let calls = try change.count()
      let numbers = sampled(Array(1...calls), 2)
      var failed = 0
      for number in numbers {
        try change.restore()
        let run = try change.run(before: try Tracer.words(["--quiet-reads", "kill=\(number)"]))
        var complaints = try change.complaints(exit: run.status, isNewExpected: nil)
        if run.signal != SIGKILL { complaints.append("was not reached") }
        for complaint in complaints { Issue.record("\(kind), seed \(seed), call \(number): \(complaint)") }
        if !complaints.isEmpty { failed += 1 }
      }
      report(kind, "kills", calls: calls, tried: numbers.count, failed: failed)
    }

    @Test(
      "an error from any system call that changes the disk ends tinypublish with the right exit code, or does not matter",
      arguments: kinds)
    func errors(kind: PublisherChange.Kind) throws {
      let change = try PublisherChange(kind, in: scratch)
      let calls = try change.count()
      let errors: [(name: String, exit: Int32)] = [
        ("EIO", 24), ("ENOSPC", 22), ("EDQUOT", 22), ("EROFS", 24), ("ENOMEM", 23), ("EINTR", 0),
      ]
      let faults = sampled((1...calls).flatMap { number in errors.map { (number, $0) } }, 2)
      var failed = 0
      for (number, error) in faults {
        try change.restore()
        let run = try change.run(before: try Tracer.words(["--quiet-reads", "\(error.name)=\(number)"]))
        let isUncertain =
          run.status == 24 && run.error.contains("a power loss now may bring the old state back")
        var complaints: [String] = []
        if run.status != 0 && run.status != error.exit && !isUncertain {
          complaints.append("exit \(run.status ?? -1) instead of \(error.exit): \(run.error)")
        }
        // Files that prune cannot remove are left for the next run, when the releases are withdrawn already, and
        // patches that recall cannot make.
        let isNewExpected: Bool? =
          if kind.isOfJobs { false } else if run.status == 0 { true } else {
            kind == .prune || kind == .recall ? nil : isUncertain
          }
        complaints += try change.complaints(
          exit: run.status, isNewExpected: isNewExpected)
        for complaint in complaints {
          Issue.record("\(kind), seed \(seed), \(error.name) from call \(number): \(complaint)")
        }
        if !complaints.isEmpty { failed += 1 }
      }
      report(kind, "faults", calls: calls, tried: faults.count, failed: failed)
    }
  }
}
