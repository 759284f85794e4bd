package import Catalog
package import Crypto
internal import Platform
package import Store
internal import Trust

/// The release that an operation goes to.
package struct Target: Equatable {
  package let release: Release
  package let catalog: Digest
  package let catalogSize: UInt64

  /// Where the catalog lies in the repository; empty if it is not known, because it is installed.
  let catalogURL: String

  init(_ served: ReleaseTarget) {
    catalogURL = served.url
    release = Release(number: served.number, label: served.label)
    catalog = served.catalog
    catalogSize = served.size
  }

  /// Nil if there is no generation.
  init?(of generation: borrowing Generation?) throws(UpdateError) {
    switch generation {
    case .some(let generation):
      self.init(try wrap(store: generation.manifest().head))
    case .none: return nil
    }
  }

  init(_ head: ManifestHead) {
    catalogURL = ""
    release = Release(number: head.releaseNumber, label: head.releaseLabel)
    catalog = head.catalog
    catalogSize = head.catalogSize
  }

  /// What the manifest of a generation at this release begins with.
  var manifestHead: ManifestHead {
    ManifestHead(
      releaseNumber: release.number, releaseLabel: release.label, catalog: catalog, catalogSize: catalogSize)
  }
}

extension Store {
  /// The release of the current generation; nil if nothing is installed.
  package func currentTarget() throws(UpdateError) -> Target? {
    try Target(of: try wrap(store: current()))
  }

  /// Opens the catalog of `target`: that of `generation`, or the one of the newest known release.
  func openCatalog(
    _ target: Target, from generation: borrowing Generation?
  ) throws(UpdateError) -> CatalogReader<XZSource> {
    let file = try openCatalogFile(target, from: generation)
    let path = file.path
    let reader: CatalogReader<XZSource>
    do throws(CatalogError) { reader = try CatalogReader(file) } catch { throw UpdateError(error) }
    guard reader.release == target.release else { throw .wrongRelease(url: path) }
    return reader
  }

  private func openCatalogFile(
    _ target: Target, from generation: borrowing Generation?
  ) throws(UpdateError) -> File {
    do throws(StoreError) {
      switch generation {
      case .some(let generation):
        if try generation.manifest().head.catalog == target.catalog { return try generation.openCatalog() }
      case .none: break
      }
      switch try CatalogCache.open(path) {
      case .some(let cache): return try cache.files.open(target.catalog)
      case .none: throw StoreError.missing(path: "\(path)/catalogs")
      }
    } catch { throw UpdateError(error) }
  }

  /// Walks through everything that `operation` does on the way from `generation` to `target`, with the data groups that
  /// are selected.
  func walk(
    _ operation: Operation, from generation: borrowing Generation?, to target: Target, _ groups: DataGroups
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
