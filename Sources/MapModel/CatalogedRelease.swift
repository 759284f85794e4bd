internal import Crypto

/// A release and the catalog that lists its components.
package struct CatalogedRelease: Equatable {
  package let release: Release
  package let catalog: CatalogReference

  package init(_ release: Release, catalog: CatalogReference) {
    self.release = release
    self.catalog = catalog
  }

  /// Where the repository has the catalog, which is a target in a repository with consistent snapshots.
  package var catalogURL: String { "catalogs/\(catalog.digest.hex).\(release.number).update.xz" }
}
