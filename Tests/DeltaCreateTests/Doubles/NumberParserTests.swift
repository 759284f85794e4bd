import PatchFormat
import TestSupport
import Testing

@testable import DeltaCreate

@Suite("NumberParser")
struct NumberParserTests {
  private static func bytes(_ numbers: [Double]) -> [UInt8] {
    numbers.flatMap { number in (0..<8).map { UInt8(number.bitPattern >> (8 * $0) & 0xff) } }
  }

  private static func parser(
    _ old: UnsafeBufferPointer<UInt8>, _ new: UnsafeBufferPointer<UInt8>,
    unchanged: UnchangedRanges = UnchangedRanges()
  ) -> NumberParser? {
    FoundDoubles(SearchRange(old: old, new: new), unchanged: unchanged).numbers
  }

  @Test("lines are copied from the old file and from the new one, in both directions")
  func lines() throws {
    var random = SeededGenerator(3)
    func points(_ count: Int) -> [Double] {
      (0..<2 * count).map { _ in Double(Int.random(in: 10_000_000...20_000_000, using: &random)) / 100_000 }
    }
    func reversed(_ points: [Double]) -> [Double] {
      stride(from: points.count - 2, through: 0, by: -2).flatMap { points[$0...$0 + 1] }
    }
    let (known, added) = (points(30), points(20))
    let old = Self.bytes(points(10) + known)
    // The last two come from earlier in the new file.
    let new = Self.bytes(points(5) + known + reversed(known) + added + reversed(added) + added)
    let kinds = try old.withUnsafeBufferPointer { old in
      try new.withUnsafeBufferPointer { new in
        let parser = try #require(Self.parser(old, new))
        return parser.operations([]).map {
          "\($0.operation) \($0.new / 16) \($0.source / 16) \($0.length / 16)"
        }
      }
    }
    #expect(kinds.count == 6)
    #expect(kinds[1].hasPrefix("copyOld 5 10 30") && kinds[2].hasPrefix("copyOldReversed"))
    #expect(kinds[2].hasSuffix(" 35 39 30") && kinds[3].hasPrefix("numbers"))
    #expect(kinds[4].hasPrefix("copyNewReversed") && kinds[4].hasSuffix(" 85 84 20"))
    // It is also what was turned round, turned round once more.
    #expect(kinds[5] == "copyNew 105 65 20" || kinds[5].hasSuffix("105 104 20"))
  }

  @Test("an unchanged file is one copy, although no lines were searched for in it")
  func unchanged() throws {
    var random = SeededGenerator(4)
    let numbers = (0..<4000).map { _ in
      Double(Int.random(in: 10_000_000...20_000_000, using: &random)) / 100_000
    }
    let file = Self.bytes(numbers)
    try file.withUnsafeBufferPointer { file in
      let copy = Copy(new: 0, old: 0, length: file.count)
      let unchanged = UnchangedRanges([copy], old: file, new: file)
      let parser = try #require(Self.parser(file, file, unchanged: unchanged))
      let whole = ScriptOperation(operation: .copyOld, new: 0, source: 0, length: file.count)
      #expect(parser.operations([whole]) == [whole])
    }
  }

  /// Raw arrays of decimal fractions; each pair comes from elsewhere.
  @Test("a run of numbers with a copy for every two of them is parsed in one pass")
  func manyCopies() throws {
    let count = 50_021  // a prime number
    func bytes(_ pairs: [Int]) -> [UInt8] {
      let numbers = pairs.flatMap { [Double($0 + 1000) / 1000, Double($0 + 500_000) / 1000] }
      return numbers.flatMap { number in (0..<8).map { UInt8(number.bitPattern >> (8 * $0) & 0xff) } }
    }
    let order = (0..<count).map { $0 * 38_501 % count }
    let old = bytes(Array(0..<count))
    let new = bytes(order)
    let copies = order.enumerated().map {
      ScriptOperation(operation: .copyOld, new: 16 * $0, source: 16 * $1, length: 16)
    }
    try old.withUnsafeBufferPointer { old in
      try new.withUnsafeBufferPointer { new in
        let parser = try #require(Self.parser(old, new))
        let seconds = processorSeconds {
          #expect(parser.operations(copies).reduce(0) { $0 + $1.length } == new.count)
        }
        #expect(seconds < 2)
      }
    }
  }
}
