/// How a run of decimal fractions is encoded: IEEE 754 doubles, little-endian, each as the delta of an integer.
package struct NumberCoding: Equatable, Sendable {
  /// Digits after the point, 0 to 9.
  package let decimals: Int
  /// How many numbers back the one is that each is coded relative to, 1 to 3.
  package let stride: Int
  package let base: Base

  package init(decimals: Int, stride: Int, base: Base) {
    self.decimals = decimals
    self.stride = stride
    self.base = base
  }

  /// What the first numbers of a run are coded relative to.
  package enum Base: UInt8, Sendable {
    /// The last numbers of the run before.
    case history = 4
    /// The doubles that end right before in the new file.
    case output = 5
    /// The last numbers of the run before, as if one number had been left out.
    case skipped = 6
  }
}
