/// What each value of a difference costs after compression, in eighths of a bit.
///
/// Numbers that change a little have small differences, which are cheap in a column of small ones; a single average would make
/// all differences of such data as expensive as those between bytes that have nothing in common.
struct DifferenceCosts: Equatable {
  private let costs: [Int]

  /// Every value costs the same.
  init(_ cost: Int) { costs = [Int](repeating: cost, count: 256) }

  /// Values cost as their frequencies say, and on average what compression makes of them.
  ///
  /// - `differences`: at least one, and the size to which they are compressed, in bytes.
  init(_ differences: [UInt8], size: Int) {
    // Each value counts one from the start, so that none is impossible.
    var counts = [Int](repeating: 1, count: 256)
    for value in differences { counts[Int(value)] += 1 }
    let all = differences.count + counts.count
    let chances = Chance.costs()
    let bits = counts.map { Int(chances[max($0 * Chance.one / all, 1)]) }
    let sum = zip(counts, bits).reduce(0) { $0 + ($1.0 - 1) * $1.1 }
    costs = bits.map { $0 * size * 64 / max(sum, 1) }
  }

  subscript(value: UInt8) -> Int { costs[Int(value)] }
}
