package import DeltaApply
package import DeltaCreate

/// Why a payload cannot be published.
package enum PayloadError: Error, Equatable {
  /// No patch to this component could be made.
  case notMade(path: String, DeltaCreateError)
  /// A patch does not make the file that it was made for.
  case notApplied(path: String, DeltaError)

  /// What happened, to which file, and what to do next.
  package var sentence: String {
    switch self {
    case .notMade(let path, let error): "\(path) \(error.sentence). Nothing was published; report this."
    case .notApplied(let path, let error): "\(path) \(error.sentence). Nothing was published; report this."
    }
  }
}
