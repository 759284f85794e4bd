/// What a verification has read and found, in components.
package struct VerificationReport: Equatable {
  /// That are verified when all are.
  package internal(set) var total = 0
  /// That were read.
  package internal(set) var checked = 0
  /// That an earlier run had read before it stopped.
  package let before: Int
  /// That are damaged, as far as is known.
  package internal(set) var damaged = 0
  /// It came to the last one.
  package internal(set) var isComplete = true

  init(before: Int) { self.before = before }
}
