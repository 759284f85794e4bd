package import Catalog
package import MapModel
internal import MapTree
internal import Platform
package import Store

extension Store {
  /// Opens the catalog of `target`: that of `generation`, or the one of the newest known release.
  func openCatalog(
    _ target: CatalogedRelease, from generation: borrowing Generation?
  ) throws(UpdateError) -> CatalogReader<XZSource> {
    let file = try openCatalogFile(target, from: generation)
    let path = file.path
    let reader: CatalogReader<XZSource>
    do throws(CatalogError) { reader = try CatalogReader(file) } catch { throw UpdateError(error) }
    guard reader.release == target.release else { throw .tree(.wrongRelease(path: path)) }
    return reader
  }

  private func openCatalogFile(
    _ target: CatalogedRelease, from generation: borrowing Generation?
  ) throws(UpdateError) -> File {
    do throws(StoreError) {
      switch generation {
      case .some(let generation):
        if try generation.manifest().release.catalog == target.catalog { return try generation.openCatalog() }
      case .none: break
      }
      switch try CatalogCache.open(path) {
      case .some(let cache): return try cache.files.open(target.catalog.digest)
      case .none: throw StoreError.missing(path: "\(path)/catalogs")
      }
    } catch { throw UpdateError(error) }
  }
}
