extension PatchMaker {
  /// The estimated average sizes of parts of a patch after compression, in eighths of a byte.
  package struct CopyCosts: Equatable, Sendable {
    /// A literal byte.
    let literal: Int
    /// A byte that is encoded as a difference.
    let difference: Int
    /// A run of differences, without their bytes.
    let run: Int
    /// A copy, without its delta.
    let operation: Int
    /// A byte of a copy's delta.
    let delta: Int

    package init(literal: Int, difference: Int, run: Int, operation: Int, delta: Int) {
      self.literal = literal
      self.difference = difference
      self.run = run
      self.operation = operation
      self.delta = delta
    }
  }
}
