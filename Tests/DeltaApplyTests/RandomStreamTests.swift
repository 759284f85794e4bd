import Codec
import DeltaApply
import DeltaTestSupport
import PatchFormat
import TestSupport
import Testing

/// Random streams between other bytes, made by the applier and by a model that holds both files in memory.
@Suite("Random streams")
struct RandomStreamTests {
  @Test(
    "the applier makes what the model makes, from the beginning and from checkpoints",
    arguments: 1...20 as ClosedRange<UInt64>)
  func random(seed: UInt64) throws {
    // Small ones meet every order of extents, large ones every end of a buffer.
    var model = try StreamModel(seed: seed, largest: [300, 5000, 90_000][Int(seed % 3)])
    for _ in 0..<[200, 60, 30][Int(seed % 3)] { try model.addStep() }
    model.endSection()
    var crafted = CraftedPatch(
      oldSize: UInt64(model.old.count), newSize: UInt64(model.new.count), sections: model.sections)
    crafted.shape = .init(
      dictionarySize: 1 << 20, maximumPayload: 64 << 10, maximumBlock: 4 << 20,
      maximumContent: UInt32(model.largestContent))
    crafted.payloadSize = 5000
    crafted.checked = model.new
    let patch = try crafted.build()
    var applier = MemoryApplier(old: model.old)
    applier.piece = 3000
    let made = try applier.apply(patch.bytes, expectedHead: patch.head)
    #expect(made == model.new, "seed \(seed)")
    let reference = try ReferenceApplier.apply(patch.bytes, to: model.old, head: patch.head)
    #expect(reference == model.new, "the reference applier, seed \(seed)")
    #expect(applier.largestWrite <= 64 << 10)
    #expect(applier.points.count == model.sections.count - 1)
    #expect(model.mostReserved > 2 && model.isOverBlocks, "seed \(seed) shows too little")
    for point in applier.points.shuffled(using: &model.random).prefix(3) {
      var again = MemoryApplier(old: model.old)
      let partial = Array(model.new[..<Int(point.completed)])
      let result = try again.apply(patch.bytes, expectedHead: patch.head, from: point, partial: partial)
      #expect(result == model.new, "seed \(seed), from \(point.completed)")
    }
  }
}

/// Makes what streams make, without buffers or the cursors of a block.
private struct StreamModel {
  private(set) var old: [UInt8] = []
  private(set) var new: [UInt8] = []
  private(set) var sections: [CraftedPatch.Section] = []
  private(set) var largestContent = 1
  /// The most extents that were reserved at a time.
  private(set) var mostReserved = 0
  /// A stream continued in a second block.
  private(set) var isOverBlocks = false

  fileprivate var random: SeededGenerator
  private let largest: Int
  private var oldStreams: [(content: [UInt8], extents: [Range<Int>], wrapper: DeflateParameters.Wrapper)] = []

  /// Where the next byte goes that is in no stream, and the extents after it that are filled.
  private var position = 0
  private var reserved: [Range<Int>] = []
  private var sectionStart = 0
  private var blocks: [UInt8] = []
  private var cursors = Cursors()
  private var sourceEnd = 0
  private var block = Block()

  /// Where operations have ended.
  private struct Cursors {
    var old = 0
    var earlierOld = 0
    var new = 0
  }

  /// The streams of the block that is being written.
  private struct Block {
    var operations: [UInt8] = []
    var copies: [UInt64] = []
    var runs: [UInt64] = []
    var differences: [UInt8] = []
    var targets: [UInt8] = []
    var literals: [UInt8] = []
    /// Literals since the last operation, equal bytes since the last difference, bytes since the last stream.
    var literalCount = 0
    var equal = 0
    var gap = 0
  }

  /// What makes a part of a content.
  private enum Operation {
    case literals([UInt8])
    case copy(start: Int, length: Int, changed: [Int: UInt8])
    case reversed(start: Int, count: Int, unit: Int, changed: [Int: UInt8])
  }

  /// - `largest`: bytes of an operation, and of a content.
  init(seed: UInt64, largest: Int) throws {
    random = SeededGenerator(seed)
    self.largest = largest
    for _ in 0..<8 {
      let parameters = parameters()
      let content = random.bytes(chance(1...largest), values: 30)
      let pieces = cut(try deflated(content, parameters), most: 9)
      // The pieces are in the file in any order, with other bytes between them.
      var extents = pieces.map { _ in 0..<0 }
      for index in pieces.indices.shuffled(using: &random) {
        old += random.bytes(chance(0...20))
        extents[index] = old.count..<old.count + pieces[index].count
        old += pieces[index]
      }
      oldStreams.append((content, extents, parameters.wrapper))
      largestContent = max(largestContent, content.count)
    }
    old += random.bytes(1000)
  }

  private mutating func chance(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func parameters() -> DeflateParameters {
    let parameters = DeflateParameters(
      level: UInt8(chance(1...9)), windowBits: UInt8(chance(9...15)), memLevel: UInt8(chance(1...9)),
      strategy: .allCases[chance(0...4)], wrapper: .allCases[chance(0...2)])
    guard let parameters else { fatalError("all of them are known") }
    return parameters
  }

  private mutating func cut(_ bytes: [UInt8], most: Int) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = bytes[...]
    while rest.count > 1 && pieces.count < most - 1 {
      let count = chance(1...max(1, rest.count / 2))
      pieces.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return pieces + [Array(rest)]
  }

  mutating func addStep() throws {
    switch chance(0...5) {
    case 0, 1: try addStream()
    case 2: addLiterals(random.bytes(chance(1...largest / 4 + 1)))
    case 3, 4: addCopy(isOld: chance(0...2) > 0)
    default: addLiterals(random.bytes(chance(1...9)))
    }
    if chance(0...9) == 0 { endBlock() }
    if chance(0...12) == 0 { endSection() }
  }

  // MARK: - Outside of streams

  private mutating func pass() {
    while let first = reserved.first, first.lowerBound == position {
      position = first.upperBound
      reserved.removeFirst()
    }
  }

  private mutating func put(_ bytes: [UInt8]) {
    for byte in bytes {
      pass()
      grow(to: position + 1)
      new[position] = byte
      position += 1
    }
    block.gap += bytes.count
  }

  private mutating func grow(to size: Int) {
    if new.count < size { new += [UInt8](repeating: 0, count: size - new.count) }
  }

  private mutating func addLiterals(_ bytes: [UInt8]) {
    write(bytes)
    put(bytes)
  }

  private mutating func addCopy(isOld: Bool) {
    pass()
    let end = isOld ? old.count : position
    guard end > 0 else { return }
    let length = chance(1...min(largest, end))
    let start = chance(0...3) == 0 ? end - length : chance(0...end - length)
    var bytes = Array((isOld ? old : new)[start..<start + length])
    write(isOld ? .copyOld : .copyNew, from: start, count: length)
    addDifferences(to: &bytes, changed: changed(length))
    put(bytes)
  }

  // MARK: - Streams

  private mutating func addStream() throws {
    let source = chance(0...3) > 0 ? oldStreams[chance(0...oldStreams.count - 1)] : nil
    let (operations, content) = content(from: source?.content ?? [])
    largestContent = max(largestContent, content.count)
    let parameters = parameters()
    let pieces = cut(try deflated(content, parameters), most: chance(1...12))
    pass()
    let destinations = pieces.map { reserve($0) }
    mostReserved = max(mostReserved, reserved.count)
    block.targets +=
      CraftedTarget(
        gap: block.gap, parameters: parameters.encoded(), contentSize: content.count,
        destinations: CraftedTarget.steps(destinations, from: position),
        wrapper: source?.wrapper.rawValue ?? 0,
        sources: CraftedTarget.steps(source?.extents ?? [], from: sourceEnd)
      ).encoded
    sourceEnd = source?.extents.last?.upperBound ?? sourceEnd
    let outside = cursors
    cursors = Cursors()
    for (index, operation) in operations.enumerated() {
      write(operation)
      guard index < operations.count - 1, chance(0...3) == 0 else { continue }
      endBlock()
      isOverBlocks = true
    }
    cursors = outside
    block.gap = 0
  }

  /// Puts a piece of a stream somewhere after the position, often directly at it.
  private mutating func reserve(_ piece: [UInt8]) -> Range<Int> {
    var start = position + (chance(0...2) == 0 ? 0 : chance(0...2 * largest))
    while let other = reserved.first(where: { $0.lowerBound < start + piece.count && start < $0.upperBound })
    {
      start = other.upperBound + (chance(0...1) == 0 ? 0 : chance(1...50))
    }
    let extent = start..<start + piece.count
    grow(to: extent.upperBound)
    new.replaceSubrange(extent, with: piece)
    reserved.append(extent)
    reserved.sort { $0.lowerBound < $1.lowerBound }
    return extent
  }

  private mutating func content(from source: [UInt8]) -> ([Operation], [UInt8]) {
    var operations: [Operation] = []
    var content: [UInt8] = []
    for _ in 0..<chance(1...8) {
      let unit = 8 * chance(1...4)
      switch chance(0...3) {
      case 0 where !source.isEmpty, 1 where !source.isEmpty:
        let length = chance(1...source.count)
        let start = chance(0...source.count - length)
        let changes = changed(length)
        operations.append(.copy(start: start, length: length, changed: changes))
        for index in 0..<length { content.append(source[start + index] &+ (changes[index] ?? 0)) }
      case 2 where source.count >= unit:
        let count = chance(1...source.count / unit)
        let start = chance(0...source.count - unit * count)
        let changes = changed(unit * count)
        operations.append(.reversed(start: start, count: count, unit: unit, changed: changes))
        for index in 0..<unit * count {
          let unitStart = start + unit * (count - 1 - index / unit)
          content.append(source[unitStart + index % unit] &+ (changes[index] ?? 0))
        }
      default:
        let bytes = random.bytes(chance(1...largest / 8 + 1), values: 20)
        operations.append(.literals(bytes))
        content += bytes
      }
    }
    return (operations, content)
  }

  private mutating func changed(_ length: Int) -> [Int: UInt8] {
    var changed: [Int: UInt8] = [:]
    for _ in 0..<chance(0...5) { changed[chance(0...length - 1)] = UInt8(chance(1...255)) }
    return changed
  }

  // MARK: - The block

  private mutating func write(_ literals: [UInt8]) {
    block.literals += literals
    block.literalCount += literals.count
  }

  private mutating func write(_ operation: Operation) {
    switch operation {
    case .literals(let bytes): write(bytes)
    case .copy(let start, let length, let changed):
      write(.copyOld, from: start, count: length)
      var bytes = [UInt8](repeating: 0, count: length)
      addDifferences(to: &bytes, changed: changed)
    case .reversed(let start, let count, let unit, let changed):
      write(
        .copyOldReversed(unit: unit / 8, hasDifferences: !changed.isEmpty), from: start + unit * (count - 1),
        count: count)
      cursors.old = start
      var bytes = [UInt8](repeating: 0, count: unit * count)
      if !changed.isEmpty { addDifferences(to: &bytes, changed: changed) }
    }
  }

  private mutating func write(_ operation: PatchOperation, from start: Int, count: Int) {
    let isAgain = operation == .copyOld && chance(0...2) == 0
    let base = isAgain ? cursors.earlierOld : (operation.source == .old) ? cursors.old : cursors.new
    block.operations.append((isAgain ? .resumeOld : operation).byte)
    block.copies += [UInt64(block.literalCount), step(start - base), UInt64(count)]
    block.literalCount = 0
    if (operation.source == .old) {
      (cursors.earlierOld, cursors.old) = (cursors.old, start + count)
    } else {
      cursors.new = start + count
    }
  }

  private mutating func addDifferences(to bytes: inout [UInt8], changed: [Int: UInt8]) {
    for index in bytes.indices {
      guard let difference = changed[index] else {
        block.equal += 1
        continue
      }
      bytes[index] &+= difference
      block.runs += [UInt64(block.equal), 1]
      block.differences.append(difference)
      block.equal = 0
    }
  }

  private mutating func endBlock() {
    if !block.copies.isEmpty || !block.literals.isEmpty {
      blocks += craftBlock(
        operations: block.operations, copies: block.copies, runs: block.runs, differences: block.differences,
        targets: block.targets, literals: block.literals)
    }
    block = Block()
  }

  /// Fills what is before reserved extents first.
  mutating func endSection() {
    pass()
    while let first = reserved.first {
      addLiterals(random.bytes(first.lowerBound - position))
      pass()
    }
    endBlock()
    guard !blocks.isEmpty else { return }
    sections.append(.init(completed: UInt64(sectionStart), blocks: blocks))
    blocks = []
    sectionStart = position
    cursors = Cursors()
    sourceEnd = 0
  }
}
