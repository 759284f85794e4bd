internal import Catalog
internal import MapModel
internal import Store

extension InstalledComponent {
  /// The component that is installed as the catalog lists it.
  init(_ entry: CatalogEntry) {
    self.init(
      entry.name, release: entry.description.release.number,
      size: entry.size, digest: entry.digest)
  }
}
