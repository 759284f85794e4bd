import DeltaApply
import DeltaTestSupport
import PatchFormat
import Testing

/// Operations that contradict themselves or their surroundings.
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
  private static let differing = PatchOperation.copyOldReversed(unit: 2, hasDifferences: true).byte
  private static let newReversed = PatchOperation.copyNewReversed(unit: 2).byte
  private static let one = PatchOperation.numbers(1).byte
  private static let ten = [UInt8](repeating: 1, count: 10)
  private static let forty = [UInt8](repeating: 1, count: 40)

  @Test(
    "a block that contradicts itself",
    arguments: [
      Bad(
        "a copy that makes more than the new file", craftBlock(copies: [0, 0, 100, 0, step(-100), 1]),
        .badBlock(at: 100)),
      Bad("literals that make more", craftBlock(literals: [UInt8](repeating: 1, count: 101))),
      Bad("a copy of nothing", craftBlock(copies: [0, 0, 0, 0, 0, 10])),
      Bad("nothing at all", craftBlock(copies: [0, 0])), Bad("no number", craftBlock(literals: [])),
      Bad("a missing literal", craftBlock(copies: [1, 0, 10])),
      Bad("more literals than the column has", craftBlock(copies: [4, 0, 10], literals: [1, 2, 3])),
      Bad("a copy without its length", craftBlock(copies: [0, 0])),
      Bad("a copy without its delta", craftBlock(copies: [0])),
      Bad("a number too many", craftBlock(copies: [0, 0, 10, 0]), .badBlock(at: 10)),
      Bad("half a run", craftBlock(copies: [0, 0, 10], runs: [3])),
      Bad("a missing difference", craftBlock(copies: [0, 0, 10], runs: [3, 1])),
      Bad("an unused difference", craftBlock(copies: [0, 0, 10], differences: [1])),
      Bad("a run longer than the copies", craftBlock(copies: [0, 0, 10], runs: [11, 0])),
      Bad(
        "a run that ends after the copies",
        craftBlock(copies: [0, 0, 10], runs: [9, 2], differences: [1, 1])),
      Bad("a difference after the copies", craftBlock(copies: [0, 0, 10], runs: [10, 1], differences: [1])),
      Bad(
        "a difference left over",
        craftBlock(copies: [0, 0, 10], runs: [3, 2, 5, 1], differences: [1, 1, 1])),
      Bad("runs without an end", craftBlock(copies: [0, 0, 10], runs: [1 << 62, 1 << 62])),
      Bad("runs without a copy", craftBlock(runs: [1, 1], differences: [1], literals: [1])),
      Bad(
        "runs for what takes no differences",
        craftBlock(operations: [oldReversed], copies: [0, 0, 1], runs: [1, 1], differences: [1])),
      Bad(
        "a difference after reversed units",
        craftBlock(operations: [differing], copies: [0, 0, 1], runs: [16, 1], differences: [1])),
      Bad(
        "a missing difference of reversed units",
        craftBlock(operations: [differing], copies: [0, 0, 1], runs: [3, 1])),
      Bad(
        "no operation for the second copy",
        craftBlock(operations: [new], copies: [1, 0, 1, 0, 0, 1], literals: [1]),
        .badBlock(at: 2)),
      Bad("an operation too many", craftBlock(operations: [0, 0], copies: [0, 0, 1])),
      Bad("an operation without a copy", craftBlock(operations: [0], literals: [1])),
    ])
  func block(bad: Bad) {
    // If operations ran before the contradiction was found, the error names the start of the block or the position.
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

  @Test("an unknown operation")
  func unknownKind() {
    for byte in (0...255 as ClosedRange<UInt8>) where PatchOperation(byte) == nil {
      Self.refuses(Bad("\(byte)", craftBlock(operations: [byte], copies: [0, 0, 1])))
    }
  }

  @Test(
    "old bytes that are not there",
    arguments: [
      [0, 182, 10], [0, 1, 10], [0, 200, 10], [0, 200, 1], [0, 1 << 62, 10], [0, (1 << 63) - 1, 10],
      [0, (1 << 63) - 2, 10], [0, 0, 101],
    ] as [[UInt64]])
  func outsideOld(copies: [UInt64]) {
    Self.refuses(Bad("\(copies)", craftBlock(copies: copies), .outsideSource(at: 0)), newSize: 101)
  }

  @Test("old bytes after the end of the file, after a copy within it")
  func outsideOldLater() {
    let block = craftBlock(copies: [0, 184, 8, 0, 1, 1, 0, step(1), 1])
    Self.refuses(Bad("after the end", block, .outsideSource(at: 9)))
  }

  @Test("a packed component has no old file", arguments: [0, oldReversed])
  func packed(operation: UInt8) {
    var crafted = CraftedPatch.one(craftBlock(operations: [operation], copies: [0, 0, 1]), newSize: 16)
    crafted.oldSize = 0
    #expect(throws: DeltaError.outsideSource(at: 0)) { _ = try crafted.apply() }
  }

  @Test(
    "new bytes that are not written yet",
    arguments: [
      (0, 0, 1), (10, step(10), 1), (10, step(0), 11), (10, step(9), 2), (10, step(-1), 1), (10, 1 << 62, 5),
      (10, (1 << 63) - 1, 5), (10, step(5), 6),
    ] as [(UInt64, UInt64, UInt64)])
  func notWritten(literal: UInt64, step: UInt64, length: UInt64) {
    let block = craftBlock(operations: [Self.new], copies: [literal, step, length], literals: Self.ten)
    Self.refuses(Bad("\(step)", block, .outsideSource(at: literal)))
  }

  @Test(
    "old units that are not there",
    arguments: [
      [step(85), 1], [step(100), 1], [step(-1), 1], [step(15), 2], [step(84), 7], [1 << 62, 1],
    ] as [[UInt64]])
  func outsideOldUnits(numbers: [UInt64]) {
    let block = craftBlock(operations: [Self.oldReversed], copies: [0] + numbers)
    Self.refuses(Bad("\(numbers)", block, .outsideSource(at: 0)), newSize: 1000)
  }

  @Test(
    "new units that are not written yet",
    arguments: [[step(25), 1], [step(15), 2], [step(40), 1]] as [[UInt64]])
  func notWrittenUnits(numbers: [UInt64]) {
    let block = craftBlock(operations: [Self.newReversed], copies: [40] + numbers, literals: Self.forty)
    Self.refuses(Bad("\(numbers)", block, .outsideSource(at: 40)), newSize: 1000)
  }

  @Test(
    "units that make more than the new file",
    arguments: [[step(84), 7], [0, 1 << 60], [0, (1 << 63) - 1]] as [[UInt64]])
  func tooManyUnits(numbers: [UInt64]) {
    Self.refuses(Bad("\(numbers)", craftBlock(operations: [Self.oldReversed], copies: [0] + numbers)))
    Self.refuses(Bad("none", craftBlock(operations: [Self.oldReversed], copies: [0, 0, 0])))
  }

  private static func numbers(
    _ operation: PatchOperation, copies: [UInt64], numbers: [UInt64], after literals: [UInt8] = []
  ) -> [UInt8] {
    craftBlock(
      operations: [operation.byte], copies: [UInt64(literals.count)] + copies, numbers: numbers,
      literals: literals
    )
  }

  @Test(
    "numbers that cannot be",
    arguments: [
      Bad("none", numbers(.numbers(1), copies: [0], numbers: [])),
      Bad("without a count", craftBlock(operations: [one], copies: [0], numbers: [1])),
      Bad("not there", numbers(.numbers(1), copies: [2], numbers: [1]), .badBlock(at: 8)),
      Bad("none of them there", numbers(.numbers(1), copies: [1], numbers: [])),
      Bad("left over", numbers(.numbers(1), copies: [1], numbers: [1, 1])),
      Bad(
        "more than the new file",
        numbers(.numbers(1), copies: [13], numbers: [UInt64](repeating: 0, count: 13)),
        .badBlock(at: 96)),
      Bad(
        "more than any file", numbers(.numbers(1), copies: [(1 << 63) - 1], numbers: [1]), .badBlock(at: 8)),
      Bad("above 2^53", numbers(.numbers(1), copies: [1], numbers: [step(1 << 53 + 1)])),
      Bad("below -2^53", numbers(.numbers(1), copies: [1], numbers: [step(-(1 << 53) - 1)])),
      Bad("far above", numbers(.numbers(0), copies: [1], numbers: [1 << 63 - 2])),
      Bad("far below", numbers(.numbers(0), copies: [1], numbers: [1 << 63 - 1])),
      Bad(
        "above by steps", numbers(.numbers(9), copies: [2], numbers: [step(1 << 53), step(1)]),
        .badBlock(at: 8)),
      Bad(
        "above against a double",
        numbers(
          .numbers(0, base: .output), copies: [1], numbers: [step(2)],
          after: bytes(of: [9_007_199_254_740_991])),
        .badBlock(at: 8)),
      Bad("without a copy", craftBlock(numbers: [1], literals: [1])),
    ])
  func badNumbers(bad: Bad) { Self.refuses(bad) }

  @Test("a number not in its one form")
  func longNumber() {
    // Operations and copies have sizes 1 and 2; numbers are the last column.
    Self.refuses(Bad("0 in two bytes", [8, 0b10011, 1, 2, Self.one, 0, 1, 0x80, 0]))
    Self.refuses(Bad("a step in two bytes", [7, 0b10, 0, 0x80, 0, 4, 0, 0, 4]))
  }
}
