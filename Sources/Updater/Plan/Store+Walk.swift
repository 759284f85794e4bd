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

  /// Walks through everything that `operation` does on the way from `generation` to `target`, with the data groups that
  /// are selected.
  func walk(
    _ operation: Operation, from generation: borrowing Generation?, to target: CatalogedRelease,
    _ groups: DataGroups
  ) throws(UpdateError) -> PlanWalk {
    let catalog = try openCatalog(target, from: generation)
    switch generation {
    case .some(let generation):
      let manifest = try wrap(store: generation.manifest())
      return try PlanWalk(catalog, manifest, operation, groups)
    case .none: return try PlanWalk(catalog, nil, operation, groups)
    }
  }
}
