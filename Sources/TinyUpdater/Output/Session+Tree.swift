internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Store
internal import Updater

extension Session {
  /// The catalogs in the store, or that of the newest release if the store has none, with the parts that are about
  /// `ids` or what lies in `corridor`.
  func listingSources(of ids: [PackageID] = [], in corridor: Corridor? = nil) throws(Failure)
    -> ListingSources
  {
    try Reporter(console).makeUpdater(configuration).listingSources(of: ids, in: corridor)
  }

  /// What stands by; nil if nothing does.
  func standby() throws(Failure) -> StandbyState? {
    do throws(Failure) { return try StandbyState(Store(opening: configuration.root)) } catch {
      if case .noStore = error { return nil }
      throw error
    }
  }

  /// Writes the nodes that `query` selects; returns the number of packages that could not be listed.
  ///
  /// - `body`: called with each of them.
  @discardableResult
  func write(
    _ query: ListingQuery, from sources: inout ListingSources, each body: (ListNode) -> Void = { _ in }
  ) throws(Failure) -> UInt32 {
    var view = ListView(console, view: query.view)
    defer { view.finish() }
    let queue = try QueueView(configuration.root)
    var listing = Listing(query, memory: configuration.containerMemory, queue: queue)
    do throws(Failure) {
      try listing.run(&sources) {
        view.write($0)
        body($0)
      }
    } catch {
      guard case .unknownPackages(let ids, _) = error else { throw error }
      throw .unknown(ids.compactMap { PackageID($0) }, in: configuration.root)
    }
    return listing.unlisted
  }

  /// Writes the whole tree, if the store has a catalog; opens no connection.
  func writeTree(in language: Language) throws(Failure) {
    guard var sources = try ListingSources.open(configuration.root) else { return }
    var query = ListingQuery()
    query.language = language
    query.view = .tree
    try write(query, from: &sources)
  }
}
