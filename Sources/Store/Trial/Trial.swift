/// A generation that was not confirmed yet.
package struct Trial: Equatable {
  /// The generation that it is about; where another one is current, it means nothing.
  package let generation: UInt64
  /// The generation that was confirmed last: where the device goes back to.
  package let wayBack: UInt64
  /// How often the device has started with it.
  package var starts: UInt64

  package init(of generation: UInt64, wayBack: UInt64, starts: UInt64 = 0) {
    self.generation = generation
    self.wayBack = wayBack
    self.starts = starts
  }
}
