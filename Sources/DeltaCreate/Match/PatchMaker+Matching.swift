extension PatchMaker {
  /// How copies are found.
  package struct Matching: Equatable, Sendable {
    /// The bytes by which an exact match must beat the current alignment: fewer do not justify a copy.
    package let gain: Int
    /// What an equal byte is worth, relative to a different one, when a copy is extended.
    package let equal: Int

    package init(gain: Int, equal: Int = 1) {
      self.gain = gain
      self.equal = equal
    }
  }
}
