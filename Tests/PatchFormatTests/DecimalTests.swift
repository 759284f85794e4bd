import TestSupport
import Testing

@testable import PatchFormat

@Suite("Decimal fractions")
struct DecimalTests {
  @Test("a fraction is the double that its digits say", arguments: 0...9)
  func double(decimals: Int) throws {
    var random = SeededGenerator(UInt64(decimals))
    for _ in 0..<200 {
      let integer = Int64.random(in: -18_000_000_000...18_000_000_000, using: &random)
      let double = Decimal.double(integer, decimals: decimals)
      #expect(double == (try #require(Double("\(integer)e-\(decimals)"))))
      #expect(Decimal.integer(double, decimals: decimals) == integer)
    }
    #expect(Decimal.double(0, decimals: decimals).bitPattern == 0)
  }

  @Test(
    "a double that is not a fraction counts as zero",
    arguments: [
      .nan, .signalingNaN, .infinity, -.infinity, 1e300, -1e300, 9_007_199_254_740_992, -0.0, 5e-300,
    ]
      as [Double])
  func nothing(double: Double) {
    for decimals in 0...9 { #expect(Decimal.integer(double, decimals: decimals) == 0) }
  }

  @Test("the largest integers are exact")
  func limit() {
    #expect(Decimal.double(1 << 53, decimals: 0) == 9_007_199_254_740_992)
    #expect(Decimal.integer(4_503_599_627_370_495, decimals: 0) == 1 << 52 - 1)
    #expect(Decimal.integer(-4_503_599_627_370_495, decimals: 0) == -(1 << 52 - 1))
    // Above, the half that is added is rounded to an even number.
    #expect(Decimal.integer(9_007_199_254_740_991, decimals: 0) == 1 << 53)
  }

  @Test("each operation has one byte, and no other byte is valid")
  func operations() {
    let known = (0...255 as ClosedRange<UInt8>).compactMap { byte in
      let operation = PatchOperation(byte)
      #expect(operation == nil || operation?.byte == byte)
      return operation == nil ? nil : byte
    }
    let reversed = (0..<8 as Range<UInt8>).flatMap { [2 | $0 << 3, 3 | $0 << 3] }
    let numbers = (0..<30 as Range<UInt8>).flatMap { [4 | $0 << 3, 5 | $0 << 3, 6 | $0 << 3] }
    #expect(known == ([0, 1, 7] + reversed + numbers).sorted())
    #expect(PatchOperation(4 | 29 << 3) == .numbers(.init(decimals: 9, stride: 3, base: .history)))
    #expect(PatchOperation(5 | 7 << 3) == .numbers(.init(decimals: 2, stride: 2, base: .output)))
    #expect(PatchOperation(3 | 3 << 3) == .copyNewReversed(unit: 4))
    #expect(PatchOperation(2 | 5 << 3) == .copyOldReversed(unit: 2, hasDifferences: true))
  }
}
