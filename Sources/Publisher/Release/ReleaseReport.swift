package import Catalog
internal import Crypto
package import Trust

/// What a release came to.
package struct ReleaseReport: Sendable {
  package let release: Release
  package let catalog: ReleaseTarget
  /// Devices see it, or it waits for signatures.
  package let outcome: ChangeOutcome
  /// The metadata that is served now.
  package let served: ServedMetadata
  /// The release that was the newest before; nil for the first.
  package let previous: Release?
  /// In order of their names.
  package let components: [ComponentReport]
  /// Components of the previous release that are not in this one.
  package let gone: [ComponentName]
  /// How long all of it took.
  package let milliseconds: UInt64
}

/// What one component came to.
package struct ComponentReport: Sendable {
  package let entry: CatalogEntry
  /// The same name in the previous release.
  package let previous: CatalogEntry?
  /// An old file was too large for the memory: only matches of whole blocks were found.
  package let isByBlocks: Bool
  /// Bytes of its files that were not looked into for deflate streams: there were too many.
  package let unsearched: Int
  /// How long it took to make.
  package let milliseconds: UInt64

  package var isUnchanged: Bool { previous?.digest == entry.digest }

  /// The patch from the previous release.
  package var patch: Container? { previous.flatMap { entry.patch(from: $0.digest)?.container } }

  /// The bytes that a device of the previous release downloads; nil if it has no such component.
  package var update: UInt64? {
    guard previous != nil else { return nil }
    return isUnchanged ? 0 : patch?.size ?? entry.fullDownload
  }
}

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
