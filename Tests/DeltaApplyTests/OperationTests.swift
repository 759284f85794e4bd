import Crypto
import DeltaApply
import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

/// What each operation makes.
@Suite("Operations")
struct OperationTests {
  private static func apply(_ block: [UInt8], newSize: Int) throws -> [UInt8] {
    try CraftedPatch.one(block, newSize: newSize).apply()
  }

  @Test("old bytes, with differences")
  func old() throws {
    let block = craftBlock(
      copies: [2, 20, 4, 0, 5, 3], runs: [1, 2, 2, 1], differences: [100, 200, 1],
      literals: [50, 51, 52, 53, 54])
    // Literals 50 and 51; old 10 to 13, of which 11 and 12 differ; old 11 to 13, of which 12 differs; the rest.
    #expect(try Self.apply(block, newSize: 12) == [50, 51, 10, 111, 212, 13, 11, 13, 13, 52, 53, 54])
  }

  @Test("new bytes that are written already, with differences")
  func new() throws {
    let operation = PatchOperation.copyNew.byte
    let block = craftBlock(
      operations: [operation, operation], copies: [4, step(0), 4, 1, step(-3), 6], runs: [5, 2],
      differences: [100, 250],
      literals: [1, 2, 3, 4, 9])
    // From 0 on, then from 3 bytes before: 2, 3, 4, 1, of which the second differs, and so on.
    #expect(try Self.apply(block, newSize: 15) == [1, 2, 3, 4, 1, 2, 3, 4, 9, 2, 103, 254, 1, 2, 3])
  }

  @Test("a whole file may come from its own first byte, as far as that is written")
  func doubling() throws {
    var copies: [UInt64] = [1, step(0), 1]
    for power in 1...6 { copies += [0, step(-1 << (power - 1)), 1 << UInt64(power)] }
    let block = craftBlock(operations: [UInt8](repeating: 1, count: 7), copies: copies, literals: [7])
    #expect(try Self.apply(block, newSize: 128) == [UInt8](repeating: 7, count: 128))
  }

  @Test("the cursors of old and new copies are independent")
  func offsets() throws {
    let block = craftBlock(
      operations: [0, 1, 0, 1], copies: [0, step(50), 2, 0, step(0), 1, 0, step(0), 2, 0, step(0), 3])
    #expect(try Self.apply(block, newSize: 8) == [50, 51, 50, 52, 53, 51, 50, 52])
  }

  @Test("old bytes from where the operation before the last one ended")
  func oldAgain() throws {
    let again = PatchOperation.resumeOld.byte
    let block = craftBlock(
      operations: [0, 0, again, again, 1, PatchOperation.copyOldReversed(unit: 1).byte, again],
      copies: [
        0, step(20), 3, 0, step(30), 2, 0, step(1), 2, 0, step(-1), 1, 0, step(0), 1, 0, step(-2), 1, 0, 0, 1,
      ])
    // 20 to 22, 53 and 54; resumed at 23, one further; resumed at 55, one before; a new byte does not count.
    // Then a unit two before 55, and resumed where the operation before that ended.
    #expect(
      try Self.apply(block, newSize: 18) == [20, 21, 22, 53, 54, 24, 25, 54, 20] + Array(53...60) + [55])
  }

  @Test("resumed copies start at the beginning of the file, and anew in each section")
  func oldAgainAtStart() throws {
    let block = craftBlock(operations: [7, 0, 7], copies: [0, step(5), 2, 0, step(30), 1, 0, step(0), 1])
    let one: [UInt8] = [5, 6, 37, 7]
    #expect(try Self.apply(block, newSize: 4) == one)
    #expect(try CraftedPatch.two(block, block, at: 4, newSize: 8).apply() == one + one)
  }

  @Test("reversed old units, and the delta after them", arguments: 1...4)
  func oldReversed(unit: Int) throws {
    let size = 8 * unit
    let block = craftBlock(
      operations: [PatchOperation.copyOldReversed(unit: unit).byte, 0],
      copies: [0, step(3 + 2 * size), 3, 0, step(-1), 4])
    let units = [2, 1, 0].flatMap { (at: Int) in CraftedPatch.old[(3 + at * size)...].prefix(size) }
    #expect(try Self.apply(block, newSize: 3 * size + 4) == units + [2, 3, 4, 5])
  }

  @Test("differences are added to reversed units in the order in which they are made", arguments: 1...4)
  func reversedWithDifferences(unit: Int) throws {
    let size = 8 * unit
    let block = craftBlock(
      operations: [
        PatchOperation.copyOldReversed(unit: unit, hasDifferences: true).byte,
        PatchOperation.copyOldReversed(unit: unit).byte, 0,
      ],
      copies: [0, step(3 + size), 2, 0, step(-3), 1, 0, step(0), 4],
      runs: [1, 1, UInt64(2 * size - 2), 1], differences: [7, 9])
    var units = [1, 0].flatMap { (at: Int) in CraftedPatch.old[(3 + at * size)...].prefix(size) }
    units += CraftedPatch.old[0..<size]
    units[1] &+= 7
    // The second operation takes no differences, so the last one is of the bytes after it.
    #expect(try Self.apply(block, newSize: 3 * size + 4) == units + [9, 1, 2, 3])
  }

  @Test("reversed new units, and the delta after them", arguments: 1...4)
  func newReversed(unit: Int) throws {
    let size = 8 * unit
    let literals = Array((1...200 as ClosedRange<UInt8>).prefix(3 * size + 2))
    let block = craftBlock(
      operations: [PatchOperation.copyNewReversed(unit: unit).byte, 1],
      copies: [UInt64(literals.count), step(1 + 2 * size), 3, 0, 0, 2],
      literals: literals)
    let units = [2, 1, 0].flatMap { (at: Int) in literals[(1 + at * size)...].prefix(size) }
    #expect(try Self.apply(block, newSize: literals.count + units.count + 2) == literals + units + [2, 3])
  }

  @Test("reversed units right after a copy that has loaded only a part of them")
  func reversedAfterCopy() throws {
    var random = SeededGenerator(12)
    let old = random.bytes(200_000)
    let reversed = PatchOperation.copyOldReversed(unit: 2).byte
    for (offset, count) in [(100_000, 3), (100_000, 600), (108_300, 30), (107_000, 5000), (100_008, 1)] {
      // A short copy reads 8 KiB ahead; a part of what the units need is among those.
      let block = craftBlock(
        operations: [0, reversed], copies: [0, step(100_000), 10, 0, step(offset - 100_010), UInt64(count)])
      var crafted = CraftedPatch(
        oldSize: 200_000, newSize: UInt64(10 + 16 * count), sections: [.init(completed: 0, blocks: block)])
      crafted.allowLargeBlocks()
      let units = (0..<count).flatMap { old[(offset - 16 * $0)...].prefix(16) }
      #expect(try crafted.apply(to: old) == old[100_000..<100_010] + units, "\(count) units from \(offset)")
    }
  }

  // MARK: - Numbers

  private static func numbers(
    _ operation: PatchOperation, numbers: [Int64], after literals: [UInt8] = []
  ) throws -> [UInt8] {
    let block = craftBlock(
      operations: [operation.byte], copies: [UInt64(literals.count), UInt64(numbers.count)],
      numbers: numbers.map(Varint.zigzag),
      literals: literals)
    return try apply(block, newSize: literals.count + 8 * numbers.count)
  }

  @Test("numbers coded relative to the one before, from zero on")
  func history() throws {
    #expect(
      try Self.numbers(.numbers(2), numbers: [150, -1, 0, -160]) == bytes(of: [1.5, 1.49, 1.49, -0.11]))
    #expect(
      try Self.numbers(.numbers(7, stride: 2), numbers: [488_570_000, 23_522_000, 1, -1])
        == bytes(of: [48.857, 2.3522, 48.8570001, 2.3521999]))
    #expect(
      try Self.numbers(.numbers(1, stride: 3), numbers: [10, 20, 30, 1, 2, 3, 1])
        == bytes(of: [1, 2, 3, 1.1, 2.2, 3.3, 1.2]))
  }

  @Test("numbers coded relative to the doubles before them, at any offset")
  func output() throws {
    let before = [9, 9, 9] + bytes(of: [3, 12.345, -7.5])
    #expect(
      try Self.numbers(.numbers(1, base: .output), numbers: [1, 1], after: before) == before
        + bytes(of: [-7.4, -7.3]))
    #expect(
      try Self.numbers(.numbers(3, stride: 2, base: .output), numbers: [1, 1, 1], after: before)
        == before + bytes(of: [12.346, -7.499, 12.347]))
    #expect(
      try Self.numbers(.numbers(0, stride: 3, base: .output), numbers: [1, 0, 0], after: before) == before
        + bytes(of: [4, 12, -8]))
  }

  @Test("with too few bytes before them, numbers are coded relative to zero")
  func outputAtStart() throws {
    #expect(
      try Self.numbers(.numbers(1, stride: 3, base: .output), numbers: [1, 2, 3])
        == bytes(of: [0.1, 0.2, 0.3]))
    let before = bytes(of: [2.5])
    #expect(
      try Self.numbers(.numbers(1, stride: 2, base: .output), numbers: [1, 2], after: before) == before
        + bytes(of: [0.1, 2.7]))
    // The upper half of a double without the lower one is another double.
    #expect(
      try Self.numbers(.numbers(1, base: .output), numbers: [5], after: [0, 0, 4, 64]) == [0, 0, 4, 64]
        + bytes(of: [3]))
  }

  @Test("numbers continue after another operation, with or without one left out")
  func skipped() throws {
    let operations: [PatchOperation] = [
      .numbers(1, stride: 2), .numbers(1, stride: 2), .numbers(1, stride: 2, base: .skipped),
    ]
    let block = craftBlock(
      operations: operations.map(\.byte), copies: [0, 3, 4, 2, 8, 2],
      numbers: [100, 200, 1, 3, 1, 1, 7].map(Varint.zigzag),
      literals: [1, 2, 3, 4] + bytes(of: [20.3]))
    // x, y, x | four bytes | y, x | instead of the next y eight bytes | x, y
    #expect(
      try Self.apply(block, newSize: 68) == bytes(of: [10, 20, 10.1]) + [1, 2, 3, 4]
        + bytes(of: [20.3, 10.2])
        + bytes(of: [20.3]) + bytes(of: [10.3, 21.0]))
  }

  @Test("each count of decimals", arguments: 0...9)
  func decimals(decimals: Int) throws {
    let number = try #require(Double("1234567891e-\(decimals)"))
    let next = try #require(Double("-1e-\(decimals)"))
    #expect(
      try Self.numbers(.numbers(decimals), numbers: [1_234_567_891, -1_234_567_892])
        == bytes(of: [number, next]))
  }

  @Test("the largest and the least integer")
  func largest() throws {
    #expect(
      try Self.numbers(.numbers(0), numbers: [1 << 53, -(1 << 54)])
        == bytes(of: [9_007_199_254_740_992, -9_007_199_254_740_992]))
  }

  // MARK: - Blocks and sections

  @Test("blocks of a section continue where the last one ended, those of the next one start anew")
  func carrying() throws {
    let operations: [UInt8] = [0, 1, PatchOperation.numbers(0).byte]
    let block = craftBlock(
      operations: operations, copies: [0, step(2), 3, 0, step(1), 1, 0, 1], numbers: [6])
    let one = [2, 3, 4, 3] + bytes(of: [3])
    #expect(try Self.apply(block, newSize: 12) == one)
    // Old from 5 + 2, new from 2 + 1, 3 + 3.
    let two = [7, 8, 9, 3] + bytes(of: [6])
    #expect(try Self.apply(block + block, newSize: 24) == one + two)
    let sections = CraftedPatch.two(block, block, at: 12, newSize: 24)
    #expect(try sections.apply() == one + one)
  }

  @Test("numbers do not see the bytes before their section")
  func sectionBarsOutput() throws {
    let first = craftBlock(literals: bytes(of: [5]))
    let second = craftBlock(
      operations: [PatchOperation.numbers(0, base: .output).byte], copies: [0, 1], numbers: [2])
    #expect(try Self.apply(first + second, newSize: 16) == bytes(of: [5, 6]))
    #expect(try CraftedPatch.two(first, second, at: 8, newSize: 16).apply() == bytes(of: [5, 1]))
  }

  @Test("new bytes come from earlier sections as well")
  func newFromSectionBefore() throws {
    let second = craftBlock(operations: [1], copies: [0, step(1), 3])
    #expect(
      try CraftedPatch.two(craftBlock(literals: [1, 2, 3, 4]), second, at: 4, newSize: 7).apply() == [
        1, 2, 3, 4, 2, 3, 4,
      ])
  }

  @Test("stored sections are frames", arguments: [1, 2, 3, 7, 1000])
  func stored(piece: Int) throws {
    let block = craftBlock(copies: [0, step(10), 5], literals: [1, 2])
    var crafted = CraftedPatch.one(block, newSize: 7)
    crafted.shape = .init(dictionarySize: 0, maximumPayload: 50, maximumBlock: 40)
    #expect(try crafted.apply(piece: piece) == [10, 11, 12, 13, 14, 1, 2])
    crafted = CraftedPatch.two(block + block, block, at: 14, newSize: 21)
    crafted.shape = .init(dictionarySize: 0, maximumPayload: 50, maximumBlock: 40)
    #expect(try crafted.apply(piece: piece).suffix(7) == [10, 11, 12, 13, 14, 1, 2])
  }

  @Test("a patch to nothing is its head", arguments: [0, 100] as [UInt64])
  func emptyNew(oldSize: UInt64) throws {
    let crafted = CraftedPatch(oldSize: oldSize, newSize: 0, sections: [])
    let patch = try crafted.build()
    #expect(patch.bytes.count == (oldSize == 0 ? 19 : 24))
    #expect(try crafted.apply() == [])
    #expect(try crafted.apply(piece: 1) == [])
    var applier = MemoryApplier(old: oldSize == 0 ? [] : CraftedPatch.old)
    #expect(throws: DeltaError.wrongHead) { _ = try applier.apply(patch.bytes, expectedHead: Digest()) }
    #expect(throws: DeltaError.trailingBytes(at: UInt64(patch.bytes.count))) {
      _ = try applier.apply(patch.bytes + [0], expectedHead: patch.head)
    }
  }
}
