internal import MapModel
package import MapTree

extension Updater {
  /// The catalogs in the store, or the catalog of the newest release if the store has none yet.
  ///
  /// Opens a connection only in the second case.
  package func listingSources() throws(UpdateError) -> ListingSources {
    if let sources = try openSources() { return sources }
    let newest = try newestUsable(try learn(nil))
    try fetchCatalog(newest)
    guard let sources = try openSources() else {
      throw .noReleases(url: configuration.source)
    }
    return sources
  }

  private func openSources() throws(UpdateError) -> ListingSources? {
    try wrap(tree: ListingSources.open(configuration.root))
  }
}
