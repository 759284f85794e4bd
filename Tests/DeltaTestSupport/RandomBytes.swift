package import TestSupport

extension SeededGenerator {
  /// Bytes with no pattern, of the first `values` values.
  package mutating func bytes(_ count: Int, values: Int = 256) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: Int.random(in: 0..<values, using: &self)) }
  }
}
