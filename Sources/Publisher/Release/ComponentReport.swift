package import Catalog
package import DeltaCreate
internal import Reporting

/// The result for one component.
package struct ComponentReport: Sendable {
  package let entry: CatalogEntry
  /// The component of the same name in the previous release.
  package let previous: CatalogEntry?
  /// That one, or the component of another name that a device with the previous release makes it from.
  package let base: CatalogEntry?
  /// How matches in its old files were searched for; nil if no payload was made.
  package let plan: SearchBudget?
  /// What became of the deflate streams of its file; nil if no payload was made.
  ///
  /// In the patch from the newest of the older releases, whether or not it was worth keeping; without patches, in the packed
  /// form.
  package let streams: StreamFigures?
  /// The streams that could not be rebuilt in the patch that `patch` is; nil if that was not made for this release.
  let notRebuilt: Report.NotRebuilt?
  package let storage: Storage
  /// The time that its payloads took.
  package let milliseconds: UInt64

  /// How the component's bytes came to the repository.
  package enum Storage: Sendable {
    /// They were there.
    case present
    case copied
    /// They are those of the input, in the same blocks.
    case shared
  }

  package var isUnchanged: Bool { previous?.digest == entry.digest }

  /// The patch from the previous release.
  package var patch: Container? { base.flatMap { entry.patch(from: $0.digest)?.container } }

  /// The bytes that a device with the previous release downloads; nil if it has no such component.
  package var update: UInt64? {
    guard let base else { return nil }
    // The same bytes under another name are linked.
    return base.digest == entry.digest ? 0 : patch?.size ?? entry.fullDownload
  }
}
