import PatchFormat
import Testing

/// Whatever is encoded is parsed again, and no prefix of it is; each argument is a seed.
@Suite("Parts of a block")
struct BlockFormatTests {
  private static let seeds = 1...30 as ClosedRange<UInt64>

  /// What parsing gives, and how many bytes it leaves.
  private struct Parsed<Value: Equatable>: Equatable {
    let value: Value
    let rest: Int
  }

  private static func parse<Value>(
    _ bytes: [UInt8], _ body: (inout ByteCursor, Span<UInt8>) -> Value?
  ) -> Parsed<Value>? {
    var cursor = ByteCursor(offset: 0, end: bytes.count)
    return body(&cursor, bytes.span).map { Parsed(value: $0, rest: cursor.remaining) }
  }

  private static func number(_ bytes: [UInt8]) -> Parsed<UInt64>? {
    parse(bytes) { cursor, block in cursor.number(in: block) }
  }

  private static func record(_ bytes: [UInt8], of operation: PatchOperation) -> Parsed<CopyRecord>? {
    parse(bytes) { cursor, block in CopyRecord(parsing: &cursor, in: block, of: operation) }
  }

  private static func run(_ bytes: [UInt8]) -> Parsed<DifferenceRun>? {
    parse(bytes) { cursor, block in DifferenceRun(parsing: &cursor, in: block) }
  }

  @Test("numbers, signed and unsigned", arguments: seeds)
  func numbers(seed: UInt64) {
    var random = RandomValues(seed: seed)
    for _ in 0..<200 {
      let (number, signed) = (random.number(), random.signed())
      var bytes: [UInt8] = []
      Varint.append(number, to: &bytes)
      #expect(bytes.count == Varint.size(of: number), "seed \(seed)")
      #expect(Self.number(bytes) == Parsed(value: number, rest: 0), "seed \(seed)")
      for count in 0..<bytes.count {
        #expect(Self.number(Array(bytes[..<count])) == nil, "seed \(seed)")
      }
      #expect(Varint.unzigzag(Varint.zigzag(signed)) == signed, "seed \(seed)")
    }
  }

  @Test("operations and their records", arguments: seeds)
  func records(seed: UInt64) {
    var random = RandomValues(seed: seed)
    for _ in 0..<100 {
      let operation = random.operation()
      #expect(PatchOperation(operation.byte) == operation)
      let record = CopyRecord(
        literalCount: random.number(), delta: operation.source == nil ? nil : random.signed(),
        count: max(1, random.number()))
      var bytes: [UInt8] = []
      record.append(to: &bytes)
      #expect(Self.record(bytes, of: operation) == Parsed(value: record, rest: 0), "seed \(seed)")
      for count in 0..<bytes.count {
        #expect(Self.record(Array(bytes[..<count]), of: operation) == nil, "seed \(seed)")
      }
    }
  }

  @Test("a record that makes nothing is refused")
  func emptyRecord() {
    for operation in [PatchOperation.copyOld, .numbers(.init(decimals: 1, stride: 1, base: .history))] {
      var bytes: [UInt8] = []
      CopyRecord(literalCount: 1, delta: operation.source == nil ? nil : 2, count: 0).append(to: &bytes)
      #expect(Self.record(bytes, of: operation) == nil)
    }
  }

  @Test("runs of differences", arguments: seeds)
  func runs(seed: UInt64) {
    var random = RandomValues(seed: seed)
    let run = DifferenceRun(equal: random.number(), different: random.number())
    var bytes: [UInt8] = []
    run.append(to: &bytes)
    #expect(Self.run(bytes) == Parsed(value: run, rest: 0), "seed \(seed)")
    for count in 0..<bytes.count {
      #expect(Self.run(Array(bytes[..<count])) == nil, "seed \(seed)")
    }
  }

  @Test("the cursors of copies lead a reader to where the writer copied from", arguments: seeds)
  func cursors(seed: UInt64) {
    var random = RandomValues(seed: seed)
    var (writer, reader) = (CopyCursors(), CopyCursors())
    for _ in 0..<100 {
      let operation = random.operation()
      guard operation.source != nil else { continue }
      let start = random.number(bits: 48)
      let count = UInt64(random.int(1...Int(start / UInt64(operation.unitSize)) + 1))
      let delta = writer.delta(to: start, for: operation)
      #expect(reader.start(delta, for: operation) == start, "seed \(seed)")
      writer.finish(operation, from: start, count: count)
      reader.finish(operation, from: start, count: count)
      #expect(writer == reader)
    }
  }

  @Test("a copy cannot start before a file or beyond every file")
  func cursorBounds() {
    var cursors = CopyCursors()
    cursors.finish(.copyOld, from: 0, count: 1 << 48)
    #expect(cursors.start(-(1 << 48), for: .copyOld) == 0)
    #expect(cursors.start(-(1 << 48) - 1, for: .copyOld) == nil)
    #expect(cursors.start(.max, for: .copyOld) == nil && cursors.start(.min, for: .copyOld) == nil)
    #expect(cursors.start(-1, for: .resumeOld) == nil && cursors.start(0, for: .copyNew) == 0)
  }

  @Test("resuming is relative to the end of the operation before the last one")
  func resume() {
    var cursors = CopyCursors()
    cursors.finish(.copyOld, from: 15, count: 5)
    cursors.finish(.copyOldReversed(unit: 2), from: 98, count: 4)
    cursors.finish(.copyNew, from: 3, count: 4)
    #expect(cursors.start(1, for: .resumeOld) == 21 && cursors.start(1, for: .copyOld) == 51)
    cursors.finish(.resumeOld, from: 21, count: 9)
    #expect(cursors.start(0, for: .resumeOld) == 50 && cursors.start(0, for: .copyOld) == 30)
    #expect(cursors.start(0, for: .copyNew) == 7)
  }

  @Test("what a stream's copies are coded relative to is its own, and the cursors return after it")
  func streamCursors() {
    var section = SectionState()
    section.copies.finish(.copyOld, from: 0, count: 9)
    section.numbers.append(7)
    let outer = section.copies
    section.beginStream()
    #expect(section.copies == CopyCursors() && section.numbers[1] == 7)
    section.copies.finish(.copyOld, from: 100, count: 50)
    section.numbers.append(8)
    section.endStream()
    #expect(section.copies == outer && section.numbers[1] == 8)
  }

  // MARK: - Layout

  @Test("columns come back, whichever are missing", arguments: seeds)
  func layout(seed: UInt64) throws {
    var random = RandomValues(seed: seed)
    var columns = [7 of [UInt8]](repeating: [])
    for index in 0..<7 where random.int(0...1) == 1 { columns[index] = random.bytes(random.int(1...200)) }
    if columns[6].isEmpty && columns[1].isEmpty { columns[6] = [1] }
    // Operations other than the implied one.
    if !columns[0].isEmpty { columns[0][0] = PatchOperation.copyNew.byte }
    let block = BlockLayout.encode(columns)
    let parsed = BlockLayout(parsing: block.span)
    let layout = try #require(parsed, "seed \(seed)")
    for column in BlockColumn.allCases {
      #expect(Array(block[layout[column]]) == columns[column.rawValue], "seed \(seed), \(column)")
    }
    let header = block.count - (0..<7).reduce(0) { $0 + columns[$1].count }
    #expect(header <= BlockLayout.maximumHeader)
    for count in 0..<header {
      let prefix = Array(block[..<count])
      #expect(BlockLayout(parsing: prefix.span) == nil, "seed \(seed), prefix of \(count)")
    }
    // Wherever a changed header leads, it leads to bytes of the block.
    for index in 0..<header {
      for bit in 0..<8 {
        var changed = block
        changed[index] ^= 1 << UInt8(bit)
        guard let layout = BlockLayout(parsing: changed.span) else { continue }
        var end = layout[.operations].lowerBound
        for column in BlockColumn.allCases {
          #expect(layout[column].lowerBound == end && layout[column].upperBound <= block.count)
          end = layout[column].upperBound
        }
        #expect(end == block.count, "seed \(seed), byte \(index)")
      }
    }
  }

  @Test("a column of implied operations is left out")
  func implied() throws {
    let block = BlockLayout.encode([[0, 0, 0], [9], [], [], [], [], []])
    #expect(block == [2, 9])
    #expect(BlockLayout.encode([[0, 1], [9], [], [], [], [], []]) == [3, 2, 0, 1, 9])
  }

  @Test("the size of a block comes back, byte by byte", arguments: seeds)
  func size(seed: UInt64) throws {
    var random = RandomValues(seed: seed)
    for maximum in [1, 127, 128, 4 << 20] {
      let size = random.int(1...maximum)
      var bytes: [UInt8] = []
      BlockSize.append(size, to: &bytes)
      var parser = BlockSize()
      #expect(parser.isEmpty)
      for byte in bytes.dropLast() {
        let step = parser.take(byte, maximum: maximum)
        #expect(step == .partial && !parser.isEmpty, "seed \(seed)")
      }
      let last = try #require(bytes.last)
      let step = parser.take(last, maximum: maximum)
      #expect(step == .whole(size), "seed \(seed)")
      if size > 1 {
        var parser = BlockSize()
        let steps = bytes.map { parser.take($0, maximum: size - 1) }
        #expect(steps.contains(.invalid) && !steps.contains(.whole(size)), "seed \(seed)")
      }
    }
  }

  @Test(
    "a block cannot have no bytes, nor a size in a longer form",
    arguments: [[0], [0x80, 0], [0x81, 0x80, 0], [0x80, 0x80, 0x80, 0x80]] as [[UInt8]])
  func badSize(bytes: [UInt8]) {
    var parser = BlockSize()
    var last = BlockSize.Step.partial
    for byte in bytes { last = parser.take(byte, maximum: 4 << 20) }
    #expect(last == .invalid)
  }
}
