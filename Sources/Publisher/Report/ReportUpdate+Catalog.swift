internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Reporting

extension Report.Update {
  init(of catalog: CatalogIndex, from base: CatalogIndex) {
    self.init()
    for package in catalog.entries[...].packages {
      guard let id = package.first?.name.id, base.hasPackage(id) else { continue }
      for entry in package { add(entry, from: base) }
    }
  }

  private mutating func add(_ entry: CatalogEntry, from base: CatalogIndex) {
    fullDownload = fullDownload.saturatingSum(entry.fullDownload)
    guard let payload = base.payload(for: entry) else {
      unchanged += 1
      return
    }
    size = size.saturatingSum(payload.download)
    switch payload {
    case .patch: patched += 1
    case .chain: chained += 1
    case .packed, .whole: inFull += 1
    case .staged: break
    }
  }
}
