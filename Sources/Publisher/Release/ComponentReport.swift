package import Catalog
internal import Crypto

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
