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
    do throws(StoreError) { return try currentHead().map { Target($0) } } catch { throw .store(error) }
  }

  /// The manifest of the current generation, from its beginning.
  package func currentManifest() throws(UpdateError) -> ManifestReader? {
    do throws(StoreError) {
      switch try current() {
      case .some(let generation): return try generation.manifest()
      case .none: return nil
      }
    } catch { throw .store(error) }
  }

  /// Opens the catalog of `target`: the installed one, or the one of the newest known release.
  package func openCatalog(_ target: Target) throws(UpdateError) -> CatalogReader<XZSource> {
    let file = try openCatalogFile(target)
    let path = file.path
    let reader: CatalogReader<XZSource>
    do throws(CatalogError) { reader = try CatalogReader(file) } catch { throw .catalog(error) }
    guard reader.release == target.release else { throw .wrongRelease(url: path) }
    return reader
  }

  private func openCatalogFile(_ target: Target) throws(UpdateError) -> File {
    do throws(StoreError) {
      switch try current() {
      case .some(let generation):
        if try generation.manifest().head.catalog == target.catalog { return try generation.openCatalog() }
      case .none: break
      }
      switch try CatalogCache.open(path) {
      case .some(let cache): return try cache.files.open(target.catalog)
      case .none: throw StoreError.missing(path: "\(path)/catalogs")
      }
    } catch { throw .store(error) }
  }

  /// Walks through everything that `operation` does at `target` with the data groups that are selected.
  package func walk(
    _ operation: Operation, at target: Target, _ groups: DataGroups
  ) throws(UpdateError) -> PlanWalk {
    try PlanWalk(try openCatalog(target), try currentManifest(), operation, groups)
  }
}
