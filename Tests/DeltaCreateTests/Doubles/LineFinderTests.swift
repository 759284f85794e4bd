import PatchFormat
import TestSupport
import Testing

@testable import DeltaCreate

@Suite("Lines of doubles")
struct LineFinderTests {
  /// Coordinates with all of their bits, as a transformation makes them, in units of some numbers each.
  private static func numbers(_ count: Int, seed: UInt64) -> [Double] {
    var random = SeededGenerator(seed)
    return (0..<count).map { _ in Double.random(in: 2...64, using: &random) }
  }

  private static func bytes(_ numbers: [Double]) -> [UInt8] {
    numbers.flatMap { number in (0..<8).map { UInt8(number.bitPattern >> (8 * $0) & 0xff) } }
  }

  /// Units in reverse order.
  private static func reversed(_ numbers: [Double], unit: Int) -> [Double] {
    stride(from: numbers.count - unit, through: 0, by: -unit).flatMap { numbers[$0..<$0 + unit] }
  }

  /// Each number 1 to 3 units in the last place off.
  private static func moved(_ numbers: [Double]) -> [Double] {
    numbers.enumerated().map { Double(bitPattern: $1.bitPattern + UInt64($0 % 3 + 1)) }
  }

  /// The lines that are longer than two points, which are found by themselves, too.
  private static func lines(old: [UInt8], new: [UInt8]) -> [AlignedRange] {
    old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in
        LineFinder.lines(SearchRange(old: old, new: new)).filter { $0.range.count > 32 }
      }
    }
  }

  @Test(
    "a line that was turned round is found whole, at any offset, and although its last bits differ",
    arguments: 2...4)
  func turnedRound(unit: Int) throws {
    let numbers = Self.numbers(40 * unit, seed: UInt64(unit))
    let old = [1, 2, 3] + Self.bytes(numbers)
    for line in [numbers, Self.moved(numbers)] {
      let new = [9, 8, 7, 6, 5] + Self.bytes(Self.reversed(line, unit: unit)) + [4]
      let found = Self.lines(old: old, new: new)
      #expect(found.map(\.range) == [5..<5 + 320 * unit])
      #expect(
        found.first?.alignment
          == .reversed(.old, unit: 8 * unit, at: 5, from: 3 + 320 * unit - 8 * unit))
    }
  }

  @Test("a ring that begins at another point is two lines")
  func rotated() {
    let points = (0..<20).map { Self.numbers(2, seed: $0) }
    let old = Self.bytes(points.flatMap { $0 })
    let new = Self.bytes((points[7...] + points[..<7]).flatMap { $0 })
    let found = Self.lines(old: old, new: new)
    #expect(found.map(\.range) == [0..<208, 208..<320])
    #expect(found.map(\.alignment) == [.forward(.old, shift: 112), .forward(.old, shift: -208)])
  }

  @Test("a border that the new file repeats in the other direction comes from its first copy")
  func repeated() throws {
    let numbers = Self.numbers(60, seed: 3)
    let new = Self.bytes(numbers) + [1, 2, 3] + Self.bytes(Self.reversed(numbers, unit: 2))
    let found = Self.lines(old: [0], new: new)
    let line = try #require(found.first)
    // One byte off, the numbers look alike, too.
    #expect(line.range == 483..<963 && found.dropFirst().allSatisfy { $0.range.count < line.range.count })
    #expect(line.alignment == .reversed(.new, unit: 16, at: 483, from: 464))
  }

  @Test("a palindrome takes nothing that is not made yet")
  func palindrome() throws {
    let numbers = Self.numbers(20, seed: 4)
    let new = Self.bytes(numbers + Self.reversed(numbers, unit: 2))
    for line in Self.lines(old: [0], new: new) {
      for offset in stride(from: line.range.lowerBound, to: line.range.upperBound, by: 16) {
        #expect(line.alignment.sourceOffset(of: offset) + 16 <= line.range.lowerBound)
      }
    }
  }

  @Test("zeros, equal numbers and text are no lines")
  func others() {
    for bytes in [
      [UInt8](repeating: 0, count: 1000), Self.bytes([Double](repeating: 17.25, count: 100)),
      Array(String(repeating: "Lines of text, as in any table of names. ", count: 30).utf8),
    ] {
      #expect(Self.lines(old: bytes, new: bytes).isEmpty)
    }
  }
}
