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

  /// Writes the nodes that `query` selects.
  @discardableResult
  func write(
    _ query: ListingQuery, from sources: inout ListingSources
  ) throws(Failure) -> WrittenPackages {
    var view = ListView(console, view: query.view)
    defer { view.finish() }
    let queue = try QueueView(configuration.root)
    var listing = Listing(query, memory: configuration.containerMemory, queue: queue)
    var written = WrittenPackages()
    do throws(Failure) {
      try listing.run(&sources) {
        view.write($0)
        written.add($0)
      }
    } catch {
      throw withMeantIDs(error)
    }
    written.unlisted = listing.unlisted
    return written
  }

  /// The error with the ids that a user may have meant, if it is about unknown ones.
  func withMeantIDs(_ error: Failure) -> Failure {
    guard case .unknownPackages(let ids, _) = error else { return error }
    return .unknown(ids.compactMap { PackageID($0) }, in: configuration.root)
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

/// How many packages were shown.
struct WrittenPackages {
  private(set) var count = 0
  private(set) var installed = 0
  /// Bytes to download for those that are not installed.
  private(set) var missing: UInt64 = 0
  /// Packages that could not be listed.
  fileprivate(set) var unlisted: UInt32 = 0

  fileprivate mutating func add(_ node: ListNode) {
    guard node.kind == .package else { return }
    count += 1
    if node.sums.installed > 0 {
      installed += 1
    } else {
      missing = missing.saturatingSum(node.sums.download)
    }
  }
}
