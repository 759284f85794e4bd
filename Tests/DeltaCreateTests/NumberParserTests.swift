import PatchFormat
import TestSupport
import Testing

@testable import DeltaCreate

@Suite("NumberParser")
struct NumberParserTests {
  /// Raw arrays of decimal fractions; each pair comes from elsewhere.
  @Test("a run of numbers with a copy for every two of them is parsed in one pass", .timeLimit(.minutes(1)))
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
        let parser = try #require(NumberParser(old: old, new: new))
        let operations = parser.operations(copies)
        #expect(operations.reduce(0) { $0 + $1.length } == new.count)
      }
    }
  }
}
