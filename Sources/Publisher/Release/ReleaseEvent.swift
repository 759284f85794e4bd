package import Catalog
package import MapModel

/// How far a release has come.
package enum ReleaseEvent: Sendable {
  /// What lies in the input and is not published.
  case ignored([IgnoredFile])
  /// Components of the release before that are not in the input.
  case gone([ComponentName])
  /// All is made, and another process has the metadata.
  case waiting
  /// A data file was read; sizes in bytes.
  case read(ComponentName, done: UInt64, total: UInt64)
  /// A component has its payloads; the figures say how much of the work that is.
  case made(ComponentReport, done: UInt64, total: UInt64)
}
