internal import Catalog
internal import Crypto
internal import MapModel
internal import Platform
internal import Releases

/// What the history of a repository says of one release; sizes are in bytes.
struct ReleaseFigures: Sendable {
  let served: ServedRelease
  /// With all parts.
  let catalogSize: UInt64
  let packages: Int
  let components: Int
  /// Components that the previous release has otherwise or not at all; nil for the first release.
  let changed: Int?
  /// Of all components on a device.
  let size: UInt64
  let fullDownload: UInt64
  /// For a device at the previous release; nil for the first release.
  let update: DeviceDownload?

  init(_ served: ServedRelease, _ catalog: CatalogIndex, after previous: CatalogIndex?) {
    self.served = served
    catalogSize = catalog.parts.reduce(served.catalog.size) { $0.saturatingSum($1.file.size) }
    packages = catalog.entries[...].packages.count
    components = catalog.entries.count
    changed = previous.map { previous in
      catalog.entries.count { previous[$0.name]?.digest != $0.digest }
    }
    size = catalog.entries.reduce(0) { $0.saturatingSum($1.size) }
    fullDownload = catalog.entries.reduce(0) { $0.saturatingSum($1.fullDownload) }
    update = previous.map { DeviceDownload(of: catalog, from: $0) }
  }
}
