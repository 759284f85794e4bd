internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Store

extension Store {
  /// Opens the catalog of `target`: that of `generation`, or the one of the newest known release.
  func openCatalog(
    _ target: CatalogedRelease, from generation: borrowing Generation
  ) throws(Failure) -> CatalogReader<XZSource> {
    let file = try withCatalog(
      of: target, from: generation,
      installed: { (generation) throws(Failure) in try generation.openCatalog() },
      downloaded: { (catalogs) throws(Failure) in try catalogs.open(target.catalog.digest) })
    let path = file.path
    let reader: CatalogReader<XZSource>
    do throws(CatalogError) { reader = try CatalogReader(file) } catch { throw Failure(error) }
    guard reader.release == target.release else { throw .wrongRelease(path: path) }
    return reader
  }

  /// Where the parts of a catalog are.
  func catalogParts(from generation: borrowing Generation) -> CatalogParts {
    CatalogParts(of: path, installed: generation)
  }

  /// Calls `installed` if `generation` has the catalog of `target`, or else `downloaded` with the catalogs of known
  /// releases.
  func withCatalog<Result: ~Copyable>(
    of target: CatalogedRelease, from generation: borrowing Generation,
    installed: (borrowing Generation) throws(Failure) -> Result,
    downloaded: (borrowing Staging) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if !generation.isCatalogReplaced, try generation.release()?.catalog == target.catalog {
      return try installed(generation)
    }
    switch try CatalogCache.open(path) {
    case .some(let cache): return try downloaded(cache.files)
    case .none: throw Failure.noStore(path: "\(path)/catalogs")
    }
  }
}
