import PatchFormat
import TestSupport

/// Random values of the format's types; the same seed gives the same values.
struct RandomValues {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed) }

  mutating func int(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

  /// A number of at most `bits` bits, as often short as long.
  mutating func number(bits: Int = 63) -> UInt64 { random.next() >> UInt64(64 - int(0...bits)) }

  mutating func signed(bits: Int = 61) -> Int64 {
    let value = Int64(number(bits: bits))
    return int(0...1) == 0 ? value : -value
  }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(int(0...255)) } }

  mutating func operation() -> PatchOperation {
    switch int(0...5) {
    case 0: .copyOld
    case 1: .copyNew
    case 2: .copyOldReversed(unit: int(1...4), hasDifferences: int(0...1) == 0)
    case 3: .copyNewReversed(unit: int(1...4), hasDifferences: int(0...1) == 0)
    case 4: .resumeOld
    default: .numbers(coding())
    }
  }

  mutating func coding() -> NumberCoding {
    NumberCoding(
      decimals: int(0...9), stride: int(1...3),
      base: [.history, .output, .skipped][int(0...2)])
  }

  /// Extents of a file with `size` bytes, in any order; they may overlap.
  mutating func extents(_ count: Int, from start: UInt64 = 0, to end: UInt64) -> [Extent] {
    (0..<count).map { _ in
      let from = UInt64.random(in: start..<end, using: &random)
      return Extent(start: from, size: UInt64.random(in: 1...min(end - from, 1 << 40), using: &random))
    }
  }

  /// Extents that share no byte, in the order of the file, with gaps between some of them.
  mutating func apart(_ count: Int, from start: UInt64) -> [Extent] {
    var end = start
    return (0..<count).map { _ in
      let extent = Extent(start: end + UInt64(int(0...3)), size: UInt64(int(1...5)))
      end = extent.end
      return extent
    }
  }
}
