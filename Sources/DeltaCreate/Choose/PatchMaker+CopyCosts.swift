extension PatchMaker {
  /// The estimated average sizes of parts of a patch after compression, in eighths of a bit.
  package struct CopyCosts: Equatable, Sendable {
    /// A literal, relative to what it is estimated at, in 64ths.
    var literal: Int
    /// A byte that is encoded as a difference, by its value.
    var differences: DifferenceCosts
    /// A run of differences, without their bytes.
    var run: Int
    /// A copy, without its delta.
    var operation: Int
    /// A byte of a copy's delta.
    let delta: Int
    /// How many equal bytes interrupt differences; fewer cost as differences of 0.
    var shortestPause = 1

    package init(literal: Int, difference: Int, run: Int, operation: Int, delta: Int) {
      self.literal = literal
      differences = DifferenceCosts(difference)
      self.run = run
      self.operation = operation
      self.delta = delta
    }
  }
}
