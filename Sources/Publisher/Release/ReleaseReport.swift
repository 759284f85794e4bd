package import MapModel
package import Releases

/// The result of a release.
package struct ReleaseReport: Sendable {
  package let release: Release
  package let catalog: ServedRelease
  /// Whether devices see it, or it waits for signatures.
  package let outcome: ChangeOutcome
  /// The metadata that is served after the release.
  package let served: ServedMetadata
  /// The previously newest release; nil for the first.
  package let previous: Release?
  /// In order of their names.
  package let components: [ComponentReport]
  /// New components were to share blocks with the input.
  package let wasToShare: Bool
  /// Components of the previous release that are not in this one.
  package let gone: [ComponentName]
  /// The packages among them.
  package let lost: LostPackages
  /// How long the whole release took.
  package let milliseconds: UInt64
}
