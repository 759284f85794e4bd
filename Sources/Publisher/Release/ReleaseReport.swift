package import Catalog
internal import Crypto
package import MapModel
package import Releases
package import Trust

/// What a release came to.
package struct ReleaseReport: Sendable {
  package let release: Release
  package let catalog: ServedRelease
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
