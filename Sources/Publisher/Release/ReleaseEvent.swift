package import MapModel

/// The progress of a release.
package enum ReleaseEvent: Sendable {
  /// An archive is unpacked; `done` and `total` are bytes of the archive itself.
  case unpacked(String, done: UInt64, total: UInt64)
  /// Files of the input that are not published.
  case ignored([IgnoredFile])
  /// Possible mistakes in the input.
  case warned([ReleaseWarning])
  /// Components of the previous release that are not in the input.
  case gone([ComponentName])
  /// Everything is made, but another process has locked the metadata.
  case waiting
  /// A data file was read; sizes in bytes.
  case read(ComponentName, done: UInt64, total: UInt64)
  /// The payloads of a component are made; `done` and `total` are shares of the whole work.
  case made(ComponentReport, done: UInt64, total: UInt64)
}
