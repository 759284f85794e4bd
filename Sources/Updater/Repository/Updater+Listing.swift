package import Catalog
package import MapModel
package import MapTree
package import Platform
internal import Store

extension Updater {
  /// The catalogs in the store, or the catalog of the newest release if the store has none yet, with the parts that list
  /// `ids` or may have a package in `corridor`.
  ///
  /// Opens a connection only for what is missing; that a part is not to be had does not fail it.
  package func listingSources(
    of ids: [PackageID] = [], in corridor: Corridor? = nil
  ) throws(Failure) -> ListingSources {
    let need = corridor.map { CatalogNeed.corridor($0) } ?? (ids.isEmpty ? .installed : .packages(ids))
    if try openSources() == nil { try fetchCatalog(newestUsable(try learn(nil)), for: need) }
    if need != .installed { try fetchKnownParts(for: need) }
    guard let sources = try openSources() else {
      throw .noReleases(url: configuration.source)
    }
    return sources
  }

  private func openSources() throws(Failure) -> ListingSources? {
    try ListingSources.open(configuration.root)
  }

  /// Fetches what is missing of the catalogs that are here.
  private func fetchKnownParts(for need: CatalogNeed) throws(Failure) {
    var releases: [CatalogedRelease] = []
    if let installed = try installedRelease() { releases.append(installed) }
    if let known = try CatalogCache.open(configuration.root)?.known()?.newest,
      !releases.contains(known)
    {
      releases.append(known)
    }
    for release in releases {
      do throws(Failure) { try fetchKnownParts(of: release, for: need) } catch {
        if error.isCancelled { throw error }
        events.publish(.notice(.partsNotFetched(reason: error.sentence)))
      }
    }
  }
}
