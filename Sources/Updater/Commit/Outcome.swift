package import MapModel

/// What came of an operation.
package enum Outcome: Equatable {
  /// The store has a new generation.
  case changed(from: Release?, to: Release)
  /// It is as it was asked for already; nil if nothing is installed.
  case nothingToDo(at: Release?)
}
