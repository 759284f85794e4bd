import DeltaApply
import DeltaTestSupport
import PatchFormat
import Testing

/// Operations that contradict themselves or what is around them.
@Suite("Contradictory operations")
struct OperationContradictionTests {
  /// A block that is refused, and how.
  struct Bad: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let block: [UInt8]
    let error: DeltaError

    init(_ name: String, _ block: [UInt8], _ error: DeltaError = .badBlock(at: 0)) {
      testDescription = name
      self.block = block
      self.error = error
    }
  }

  private static func refuses(_ bad: Bad, newSize: Int = 100) {
    #expect(throws: bad.error, "\(bad.testDescription)") {
      _ = try CraftedPatch.one(bad.block, newSize: newSize).apply()
    }
  }

  private static let new = PatchOperation.copyNew.byte
  private static let oldReversed = PatchOperation.copyOldReversed(unit: 2).byte
  private static let newReversed = PatchOperation.copyNewReversed(unit: 2).byte
  private static let one = PatchOperation.numbers(1).byte
  private static let ten = [UInt8](repeating: 1, count: 10)
  private static let forty = [UInt8](repeating: 1, count: 40)

  @Test(
    "a block that contradicts itself",
    arguments: [
      Bad(
        "a cover that makes more than the new file", craftBlock(covers: [0, 0, 100, 0, step(-100), 1]),
        .badBlock(at: 100)),
      Bad("extras that make more", craftBlock(extras: [UInt8](repeating: 1, count: 101))),
      Bad("a cover of nothing", craftBlock(covers: [0, 0, 0, 0, 0, 10])),
      Bad("nothing at all", craftBlock(covers: [0, 0])), Bad("no number", craftBlock(extras: [])),
      Bad("an extra byte that is not there", craftBlock(covers: [1, 0, 10])),
      Bad("more extras than there are", craftBlock(covers: [4, 0, 10], extras: [1, 2, 3])),
      Bad("a cover without its length", craftBlock(covers: [0, 0])),
      Bad("one without its step", craftBlock(covers: [0])),
      Bad("a number too many", craftBlock(covers: [0, 0, 10, 0]), .badBlock(at: 10)),
      Bad("half a pair of runs", craftBlock(covers: [0, 0, 10], runs: [3])),
      Bad("a difference that is not there", craftBlock(covers: [0, 0, 10], runs: [3, 1])),
      Bad("one that nothing uses", craftBlock(covers: [0, 0, 10], differences: [1])),
      Bad("a run longer than the covers", craftBlock(covers: [0, 0, 10], runs: [11, 0])),
      Bad("one that ends behind them", craftBlock(covers: [0, 0, 10], runs: [9, 2], differences: [1, 1])),
      Bad("a difference behind them", craftBlock(covers: [0, 0, 10], runs: [10, 1], differences: [1])),
      Bad(
        "a difference left over",
        craftBlock(covers: [0, 0, 10], runs: [3, 2, 5, 1], differences: [1, 1, 1])),
      Bad("runs without an end", craftBlock(covers: [0, 0, 10], runs: [1 << 62, 1 << 62])),
      Bad("runs without a cover", craftBlock(runs: [1, 1], differences: [1], extras: [1])),
      Bad(
        "runs for what takes no differences",
        craftBlock(kinds: [oldReversed], covers: [0, 0, 1], runs: [1, 1], differences: [1])),
      Bad(
        "no kind for the second cover", craftBlock(kinds: [new], covers: [1, 0, 1, 0, 0, 1], extras: [1]),
        .badBlock(at: 2)),
      Bad("a kind too many", craftBlock(kinds: [0, 0], covers: [0, 0, 1])),
      Bad("a kind alone", craftBlock(kinds: [0], extras: [1])),
    ])
  func block(bad: Bad) {
    // Where the operations were run before the contradiction shows, the error names the block's begin or the place.
    do {
      _ = try CraftedPatch.one(bad.block, newSize: 100).apply()
      Issue.record("\(bad.testDescription) was not refused")
    } catch let error as DeltaError {
      guard case .badBlock(let offset) = error, offset <= 100 else {
        Issue.record("\(bad.testDescription): \(error)")
        return
      }
    } catch { Issue.record("\(bad.testDescription): \(error)") }
  }

  @Test("an unknown kind")
  func unknownKind() {
    for byte in (0...255 as ClosedRange<UInt8>) where PatchOperation(byte) == nil {
      Self.refuses(Bad("\(byte)", craftBlock(kinds: [byte], covers: [0, 0, 1])))
    }
  }

  @Test(
    "old bytes that are not there",
    arguments: [
      [0, 182, 10], [0, 1, 10], [0, 200, 10], [0, 200, 1], [0, 1 << 62, 10], [0, (1 << 63) - 1, 10],
      [0, (1 << 63) - 2, 10], [0, 0, 101],
    ] as [[UInt64]])
  func outsideOld(covers: [UInt64]) {
    Self.refuses(Bad("\(covers)", craftBlock(covers: covers), .outsideSource(at: 0)), newSize: 101)
  }

  @Test("old bytes that are not there, behind a cover that is")
  func outsideOldLater() {
    let block = craftBlock(covers: [0, 184, 8, 0, 1, 1, 0, step(1), 1])
    Self.refuses(Bad("behind the end", block, .outsideSource(at: 9)))
  }

  @Test("a packed component has no old file", arguments: [0, oldReversed])
  func packed(kind: UInt8) {
    var crafted = CraftedPatch.one(craftBlock(kinds: [kind], covers: [0, 0, 1]), newSize: 16)
    crafted.oldSize = 0
    #expect(throws: DeltaError.outsideSource(at: 0)) { _ = try crafted.apply() }
  }

  @Test(
    "new bytes that are not written yet",
    arguments: [
      (0, 0, 1), (10, step(10), 1), (10, step(0), 11), (10, step(9), 2), (10, step(-1), 1), (10, 1 << 62, 5),
      (10, (1 << 63) - 1, 5), (10, step(5), 6),
    ] as [(UInt64, UInt64, UInt64)])
  func notWritten(extra: UInt64, step: UInt64, length: UInt64) {
    let block = craftBlock(kinds: [Self.new], covers: [extra, step, length], extras: Self.ten)
    Self.refuses(Bad("\(step)", block, .outsideSource(at: extra)))
  }

  @Test(
    "old units that are not there",
    arguments: [
      [step(85), 1], [step(100), 1], [step(-1), 1], [step(15), 2], [step(84), 7], [1 << 62, 1],
    ] as [[UInt64]])
  func outsideOldUnits(numbers: [UInt64]) {
    let block = craftBlock(kinds: [Self.oldReversed], covers: [0] + numbers)
    Self.refuses(Bad("\(numbers)", block, .outsideSource(at: 0)), newSize: 1000)
  }

  @Test(
    "new units that are not written yet",
    arguments: [[step(25), 1], [step(15), 2], [step(40), 1]] as [[UInt64]])
  func notWrittenUnits(numbers: [UInt64]) {
    let block = craftBlock(kinds: [Self.newReversed], covers: [40] + numbers, extras: Self.forty)
    Self.refuses(Bad("\(numbers)", block, .outsideSource(at: 40)), newSize: 1000)
  }

  @Test(
    "units that make more than the new file",
    arguments: [[step(84), 7], [0, 1 << 60], [0, (1 << 63) - 1]] as [[UInt64]])
  func tooManyUnits(numbers: [UInt64]) {
    Self.refuses(Bad("\(numbers)", craftBlock(kinds: [Self.oldReversed], covers: [0] + numbers)))
    Self.refuses(Bad("none", craftBlock(kinds: [Self.oldReversed], covers: [0, 0, 0])))
  }

  private static func numbers(
    _ kind: PatchOperation, _ covers: [UInt64], _ numbers: [UInt64], behind extras: [UInt8] = []
  ) -> [UInt8] {
    craftBlock(kinds: [kind.byte], covers: [UInt64(extras.count)] + covers, numbers: numbers, extras: extras)
  }

  @Test(
    "numbers that cannot be",
    arguments: [
      Bad("none", numbers(.numbers(1), [0], [])),
      Bad("without a count", craftBlock(kinds: [one], covers: [0], numbers: [1])),
      Bad("not there", numbers(.numbers(1), [2], [1]), .badBlock(at: 8)),
      Bad("none of them there", numbers(.numbers(1), [1], [])),
      Bad("left over", numbers(.numbers(1), [1], [1, 1])),
      Bad(
        "more than the new file", numbers(.numbers(1), [13], [UInt64](repeating: 0, count: 13)),
        .badBlock(at: 96)),
      Bad("more than any file", numbers(.numbers(1), [(1 << 63) - 1], [1]), .badBlock(at: 8)),
      Bad("above 2^53", numbers(.numbers(1), [1], [step(1 << 53 + 1)])),
      Bad("below -2^53", numbers(.numbers(1), [1], [step(-(1 << 53) - 1)])),
      Bad("far above", numbers(.numbers(0), [1], [1 << 63 - 2])),
      Bad("far below", numbers(.numbers(0), [1], [1 << 63 - 1])),
      Bad("above by steps", numbers(.numbers(9), [2], [step(1 << 53), step(1)]), .badBlock(at: 8)),
      Bad(
        "above against a double",
        numbers(.numbers(0, .output), [1], [step(2)], behind: bytes(of: [9_007_199_254_740_991])),
        .badBlock(at: 8)),
      Bad("without a cover", craftBlock(numbers: [1], extras: [1])),
    ])
  func badNumbers(bad: Bad) { Self.refuses(bad) }

  @Test("a number not in its one form")
  func longNumber() {
    // kinds and covers have sizes 1 and 2; the numbers are the last stream.
    Self.refuses(Bad("0 in two bytes", [8, 0b10011, 1, 2, Self.one, 0, 1, 0x80, 0]))
    Self.refuses(Bad("a step in two bytes", [7, 0b10, 0, 0x80, 0, 4, 0, 0, 4]))
  }
}
