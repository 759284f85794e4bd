import PatchFormat
import Testing

@Suite("NumberHistory")
struct NumberHistoryTests {
  private static let seeds = 1...30 as ClosedRange<UInt64>

  /// The last three numbers, the last one first.
  private static func numbers(_ history: NumberHistory) -> [Int64] { (1...3).map { history[$0] } }

  private static func history(_ numbers: Int64...) -> NumberHistory {
    var history = NumberHistory()
    for number in numbers { history.append(number) }
    return history
  }

  @Test("the history has the last three numbers")
  func last() {
    #expect(Self.numbers(NumberHistory()) == [0, 0, 0])
    #expect(Self.numbers(Self.history(1, 2, 3, 4, 5, 6)) == [6, 5, 4])
  }

  @Test("the base history leaves the numbers as they are", arguments: 1...3)
  func unchanged(stride: Int) {
    var history = Self.history(1, 2, 3)
    history.begin(NumberCoding(decimals: 2, stride: stride, base: .history), output: [0.5, 0.25, 0.75])
    #expect(Self.numbers(history) == [3, 2, 1])
  }

  @Test(
    "the base output appends the last stride doubles as integers, oldest first",
    arguments: [(1, [50, 3, 2]), (2, [50, 25, 3]), (3, [50, 25, 75])] as [(Int, [Int64])])
  func output(stride: Int, numbers: [Int64]) {
    var history = Self.history(1, 2, 3)
    history.begin(NumberCoding(decimals: 2, stride: stride, base: .output), output: [0.5, 0.25, 0.75])
    #expect(Self.numbers(history) == numbers)
  }

  @Test(
    "the base skipped appends the number that is stride back once more",
    arguments: [(1, [3, 3, 2]), (2, [2, 3, 2]), (3, [1, 3, 2])] as [(Int, [Int64])])
  func skipped(stride: Int, numbers: [Int64]) {
    var history = Self.history(1, 2, 3)
    history.begin(NumberCoding(decimals: 2, stride: stride, base: .skipped), output: [0.5, 0.25, 0.75])
    #expect(Self.numbers(history) == numbers)
  }

  @Test("numbers of a run come back, whatever they are coded relative to", arguments: seeds)
  func runs(seed: UInt64) {
    var random = RandomValues(seed: seed)
    var (writer, reader) = (NumberHistory(), NumberHistory())
    for _ in 0..<20 {
      let coding = random.coding()
      let output: [3 of Double] = [
        Double(random.signed(bits: 40)) / 8, Double(random.signed(bits: 40)), .nan,
      ]
      writer.begin(coding, output: output)
      reader.begin(coding, output: output)
      for _ in 0..<random.int(1...9) {
        let integer = random.signed(bits: 53)
        let number = writer.encode(integer, stride: coding.stride)
        let decoded = reader.decode(number, stride: coding.stride)
        #expect(decoded == integer, "seed \(seed)")
      }
      #expect(Self.numbers(writer) == Self.numbers(reader), "seed \(seed)")
    }
  }

  @Test("a number that no double holds exactly is refused, and changes nothing")
  func largeNumber() {
    var history = NumberHistory()
    history.append(1 << 53)
    for number in [Varint.zigzag(1), 1 << 63 - 1] as [UInt64] {
      let decoded = history.decode(number, stride: 1)
      #expect(decoded == nil)
    }
    #expect(history[1] == 1 << 53 && history[2] == 0)
  }

  @Test("a column of numbers comes back, and no prefix of one does", arguments: seeds)
  func column(seed: UInt64) {
    var random = RandomValues(seed: seed)
    let stride = random.int(1...3)
    let integers = (0..<10).map { _ in random.signed(bits: 53) }
    var (writer, reader, bytes) = (NumberHistory(), NumberHistory(), [UInt8]())
    for integer in integers { writer.encode(integer, stride: stride, to: &bytes) }
    var cursor = ByteCursor(offset: 0, end: bytes.count)
    for integer in integers {
      let before = reader
      let begin = cursor.offset
      let decoded = reader.decode(&cursor, in: bytes.span, stride: stride)
      #expect(decoded == integer, "seed \(seed)")
      for end in begin..<cursor.offset {
        var (history, prefix) = (before, ByteCursor(offset: begin, end: end))
        let decoded = history.decode(&prefix, in: bytes.span, stride: stride)
        #expect(decoded == nil && prefix.offset == begin, "seed \(seed)")
      }
    }
    #expect(cursor.remaining == 0 && Self.numbers(writer) == Self.numbers(reader))
  }
}
