internal import Catalog
internal import Crypto
internal import MapModel
internal import Platform
internal import Releases
internal import Reporting

extension Report.Release {
  /// The figures of a release, without details.
  ///
  /// - `published`: in seconds since 1970.
  init(
    _ served: ServedRelease, _ catalog: CatalogIndex, after previous: CatalogIndex?, published: Int64? = nil
  ) {
    self.init(served.number, label: served.label, rollout: served.rollout)
    self.published = published.map { Clock.timestamp($0) }
    effective = served.effective.map { Clock.timestamp($0) }
    expires = served.expires.map { Clock.timestamp($0) }
    recalled = served.recall?.reason
    catalogSize = catalog.parts.reduce(served.catalog.size) { $0.saturatingSum($1.file.size) }
    packages = catalog.entries[...].packages.count
    components = catalog.entries.count
    changed = previous.map { previous in
      catalog.entries.count { previous[$0.name]?.digest != $0.digest }
    }
    size = catalog.entries.reduce(0) { $0.saturatingSum($1.size) }
    fullDownload = catalog.entries.reduce(0) { $0.saturatingSum($1.fullDownload) }
    update = previous.map { Report.Update(of: catalog, from: $0) }
  }
}
