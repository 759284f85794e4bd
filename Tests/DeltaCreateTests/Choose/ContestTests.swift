import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

@testable import DeltaCreate

@Suite("Contest of scripts")
struct ContestTests {
  private let old: [UInt8]
  private let new: [UInt8]
  private let options = PatchMaker.Options()

  init() {
    var random = SeededGenerator(7)
    old = random.bytes(1_500_000)
    new = old[..<400_000] + random.bytes(700_000) + old[600_000...]
  }

  /// Copies the first part of the old file, of `count` bytes; all others are literals.
  ///
  /// - `size`: of the front of the new file that is made.
  private func withScript<Result>(
    copying count: Int, of size: Int = .max, _ body: (PatchScript) throws -> Result
  ) throws -> Result {
    try old.withUnsafeBufferPointer { old in
      try new.withUnsafeBufferPointer { new in
        let copy = ScriptOperation(operation: .copyOld, new: 0, source: 0, length: count)
        let new = UnsafeBufferPointer(rebasing: new.prefix(size))
        return try body(PatchScript(old: old, output: .file(new), operations: count > 0 ? [copy] : []))
      }
    }
  }

  /// The script as a candidate.
  private func candidate(
    _ script: PatchScript, _ origin: ScriptTrial.Origin = .matched(0, numbers: false)
  ) throws -> Candidate { try Candidate(script, origin, options: options) }

  @Test("the smallest script is kept, and each other one has the reason for which it was rejected")
  func reasons() throws {
    var contest = Contest()
    #expect(try contest.add(withScript(copying: 100_000) { try candidate($0) }))
    #expect(try contest.add(withScript(copying: 400_000) { try candidate($0, .streams) }))
    #expect(try !contest.add(withScript(copying: 300_000) { try candidate($0) }))
    #expect(try !contest.add(withScript(copying: 400_000) { try candidate($0) }))
    #expect(
      contest.trials.map(\.verdict) == [.rejected(.larger), .taken, .rejected(.larger), .rejected(.same)])
    #expect(contest.best?.origin == .streams)
  }

  @Test("what was tried is known by its operations and by its pauses")
  func known() throws {
    var contest = Contest()
    let isKnown = try withScript(copying: 100_000) { script in
      contest.add(try candidate(script))
      var other = script
      other.shortestPause = 16
      return [
        contest.rejectIfKnown(script, .literals), contest.rejectIfKnown(other, .literals),
        try withScript(copying: 90_000) { contest.rejectIfKnown($0, .literals) },
      ]
    }
    #expect(isKnown == [true, false, false])
    #expect(contest.trials.count == 2 && contest.trials[0].size == contest.trials[1].size)
  }

  @Test("a script that is unlike the best one is compressed, too, unless it is far larger")
  func unlike() throws {
    var contest = Contest()
    contest.add(try withScript(copying: 390_000, of: 450_000) { try candidate($0) })
    contest.addUnlike(try withScript(copying: 388_000, of: 450_000) { try candidate($0, .streams) })
    contest.addUnlike(try withScript(copying: 0, of: 450_000) { try candidate($0, .literals) })
    #expect(
      contest.trials.map(\.verdict) == [.taken, .rejected(.largerWhenPacked), .rejected(.farAboveBest)])
    let finalists = contest.finalists()
    #expect(finalists.map(\.candidate.origin) == [.matched(0, numbers: false), .streams])
    contest.take(finalists[0])
    contest.take(finalists[1])
    #expect(
      contest.trials.map(\.verdict) == [.rejected(.largerWhenPacked), .taken, .rejected(.farAboveBest)])
  }

  @Test("all scripts for a file are sampled at the same pieces", arguments: [0, 100_000, 400_000])
  func pieces(copied: Int) throws {
    // Every fourth piece of 16 KiB, which is all of its bytes where nothing is copied.
    var expected: [UInt8] = []
    for start in stride(from: 2 << 14, to: new.count, by: 4 << 14) {
      expected += new[max(start, min(copied, start + (1 << 14)))..<min(start + (1 << 14), new.count)]
    }
    let blocks = try withScript(copying: copied) { try ScriptSample($0, .sample, options: options).blocks }
    #expect(blocks.count >= expected.count && blocks.count < expected.count + 1000)
  }
}
