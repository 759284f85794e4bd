import DeltaApply
import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

/// Random operations, made by the applier and by a model that holds both files in memory.
@Suite("Random operations")
struct RandomOperationTests {
  @Test(
    "the applier makes what the model makes, from the beginning and from checkpoints",
    arguments: 1...12 as ClosedRange<UInt64>)
  func random(seed: UInt64) throws {
    // Small ones meet every contradiction of sizes, large ones every end of a buffer.
    var model = OperationModel(seed: seed, largest: seed % 3 == 0 ? 70_000 : seed % 3 == 1 ? 20_000 : 300)
    for _ in 0..<(seed % 3 == 0 ? 12 : seed % 3 == 1 ? 40 : 300) { model.addOperation() }
    model.endSection()
    var crafted = CraftedPatch(
      oldSize: UInt64(model.old.count), newSize: UInt64(model.new.count), sections: model.sections)
    crafted.allowLargeBlocks()
    crafted.payloadSize = 5000
    crafted.checked = model.new
    let patch = try crafted.build()
    var applier = MemoryApplier(old: model.old)
    applier.piece = 3000
    #expect(try applier.apply(patch.bytes, expectedHead: patch.head) == model.new, "seed \(seed)")
    let reference = try ReferenceApplier.apply(patch.bytes, to: model.old, head: patch.head)
    #expect(reference == model.new, "the reference applier, seed \(seed)")
    #expect(applier.largestWrite <= 64 << 10)
    #expect(applier.points.count == model.sections.count - 1)
    for point in applier.points.shuffled(using: &model.random).prefix(3) {
      var again = MemoryApplier(old: model.old)
      let partial = Array(model.new[..<Int(point.completed)])
      let result = try again.apply(patch.bytes, expectedHead: patch.head, from: point, partial: partial)
      #expect(result == model.new, "seed \(seed), from \(point.completed)")
    }
  }
}

/// Makes what operations make, without buffers, windows or streams.
private struct OperationModel {
  let old: [UInt8]
  private(set) var new: [UInt8] = []
  private(set) var sections: [CraftedPatch.Section] = []

  fileprivate var random: SeededGenerator
  private let largest: Int
  private var sectionStart = 0
  private var blocks: [UInt8] = []
  private var oldOffset = 0
  private var earlierOldOffset = 0
  private var newOffset = 0
  private var history = [0, 0, 0, 0]

  // The streams of the block that is being written.
  private var operations: [UInt8] = []
  private var copies: [UInt64] = []
  private var runs: [UInt64] = []
  private var differences: [UInt8] = []
  private var numbers: [UInt64] = []
  private var literals: [UInt8] = []
  private var equal: UInt64 = 0

  /// - `largest`: bytes of an operation.
  init(seed: UInt64, largest: Int) {
    random = SeededGenerator(seed)
    self.largest = largest
    old = random.bytes(200_000)
  }

  private mutating func chance(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func addOperation() {
    let piece = random.bytes(chance(0...3) == 0 ? chance(0...largest) : chance(0...9))
    literals += piece
    new += piece
    copies.append(UInt64(piece.count))
    switch chance(0...6) {
    case 0, 1: copy(isOld: true)
    case 2, 3: copy(isOld: false)
    case 4: reversed(isOld: chance(0...1) == 0)
    default: addNumbers()
    }
    if chance(0...9) == 0 { endBlock() }
    if chance(0...14) == 0 { endSection() }
  }

  private mutating func copy(isOld: Bool) {
    let source = isOld ? old : new
    guard !source.isEmpty else { return addNumbers() }
    let length = chance(1...min(largest, source.count))
    // Often directly before the end: what is not written yet, or was just written.
    let start = chance(0...2) == 0 ? source.count - length : chance(0...source.count - length)
    let isAgain = isOld && chance(0...2) == 0
    operations.append((isAgain ? PatchOperation.resumeOld : isOld ? .copyOld : .copyNew).byte)
    copies += [step(start - (isAgain ? earlierOldOffset : isOld ? oldOffset : newOffset)), UInt64(length)]
    new += changed(Array(source[start..<start + length]))
    setOffset(isOld, start + length)
  }

  /// Changes bytes in half of the cases, and notes the differences.
  private mutating func changed(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let isDifferent = chance(0...1) == 0
    for index in bytes.indices {
      if isDifferent && chance(0...19) == 0 {
        let difference = UInt8.random(in: 1...255, using: &random)
        bytes[index] &+= difference
        runs += [equal, 1]
        equal = 0
        differences.append(difference)
      } else {
        equal += 1
      }
    }
    return bytes
  }

  private mutating func reversed(isOld: Bool) {
    let unit = chance(1...4)
    let source = isOld ? old : new
    guard source.count >= 8 * unit else { return addNumbers() }
    let count = chance(1...min(max(1, largest / 8 / unit), source.count / 8 / unit))
    let size = 8 * unit * count
    let start = chance(0...2) == 0 ? source.count - size : chance(0...source.count - size)
    let differs = chance(0...1) == 0
    let operation =
      isOld
      ? PatchOperation.copyOldReversed(unit: unit, hasDifferences: differs)
      : .copyNewReversed(unit: unit, hasDifferences: differs)
    operations.append(operation.byte)
    copies += [step(start + size - 8 * unit - (isOld ? oldOffset : newOffset)), UInt64(count)]
    var bytes: [UInt8] = []
    for index in (0..<count).reversed() { bytes += source[(start + 8 * unit * index)...].prefix(8 * unit) }
    new += differs ? changed(bytes) : bytes
    setOffset(isOld, start)
  }

  private mutating func setOffset(_ isOld: Bool, _ offset: Int) {
    if isOld { (earlierOldOffset, oldOffset) = (oldOffset, offset) } else { newOffset = offset }
  }

  private mutating func addNumbers() {
    let base = [NumberCoding.Base.history, .output, .skipped][chance(0...2)]
    let (decimals, stride) = (chance(0...9), chance(1...3))
    let count = chance(1...max(1, largest / 8))
    operations.append(PatchOperation.numbers(decimals, stride: stride, base: base).byte)
    copies.append(UInt64(count))
    switch base {
    case .history: break
    case .output:
      for back in (0..<stride).reversed() { push(integer(endingBefore: 8 * back, decimals: decimals)) }
    case .skipped: push(history[stride - 1])
    }
    for _ in 0..<count {
      // Now and then back to zero, so that the sum does not leave what a double holds.
      let before = history[stride - 1]
      let change = abs(before) > 1 << 50 ? -before : chance(-2_000_000...2_000_000)
      numbers.append(step(change))
      push(before + change)
      var power = 1.0
      for _ in 0..<decimals { power *= 10 }
      new += bytes(of: [Double(before + change) / power])
    }
  }

  private mutating func push(_ number: Int) { history = [number] + history.dropLast() }

  /// The integer of the double that ends that many bytes before the end; bytes before the section count as zeros.
  private func integer(endingBefore distance: Int, decimals: Int) -> Int {
    let section = [UInt8](repeating: 0, count: 32) + new[max(sectionStart, new.count - 32)...]
    let bits = section.dropLast(distance).suffix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    var power = 1.0
    for _ in 0..<decimals { power *= 10 }
    let scaled = Double(bitPattern: bits) * power
    guard scaled.magnitude < 9_007_199_254_740_992 else { return 0 }
    return Int(scaled + (scaled < 0 ? -0.5 : 0.5))
  }

  private mutating func endBlock() {
    if chance(0...1) == 0 {
      let rest = random.bytes(chance(1...9))
      literals += rest
      new += rest
    }
    if !copies.isEmpty || !literals.isEmpty {
      blocks += craftBlock(
        operations: operations, copies: copies, runs: runs, differences: differences, numbers: numbers,
        literals: literals)
    }
    (operations, copies, runs, differences, numbers, literals) = ([], [], [], [], [], [])
    equal = 0
  }

  mutating func endSection() {
    endBlock()
    guard !blocks.isEmpty else { return }
    sections.append(.init(completed: UInt64(sectionStart), blocks: blocks))
    blocks = []
    sectionStart = new.count
    (oldOffset, earlierOldOffset, newOffset) = (0, 0, 0)
    history = [0, 0, 0, 0]
  }
}
