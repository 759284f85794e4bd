/// Random numbers that are the same for the same seed (SplitMix64, after Steele, Lea and Flood, 2014).
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }

  /// Bytes with no pattern, drawn from the first `values` values.
  package mutating func bytes(_ count: Int, values: Int = 256) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: Int.random(in: 0..<values, using: &self)) }
  }
}
