/// What a verification has read and found, in components.
package struct VerificationReport: Equatable {
  /// Components in the generation.
  package internal(set) var total = 0
  /// Components read in this run.
  package internal(set) var checked = 0
  /// Components that an earlier run had read before it stopped.
  package let before: Int
  /// Components known to be damaged.
  package internal(set) var damaged = 0
  /// The last component was reached.
  package internal(set) var isComplete = true

  init(before: Int) { self.before = before }
}
