internal import Catalog
internal import Crypto
internal import MapModel
internal import Platform
internal import Releases
internal import Store

extension Updater {
  /// Asks the repository what is new, and keeps the catalog of it for `list`.
  package func check() throws(UpdateError) -> CheckResult {
    let installed = try installedRelease()
    let offer = try learn(installed)
    let newest = offer.usable?.cataloged
    if let newest, newest.catalog != installed?.catalog {
      // What is new was learned; that its list cannot be kept, such as on a full disk, does not fail the check.
      do throws(UpdateError) { try fetchCatalog(newest, waiting: .none) } catch {
        if error == .cancelled { throw error }
        events.publish(.notice(.catalogNotKept(reason: error.sentence)))
      }
    }
    var blocked: BlockedRelease?
    if let newest, let installed, newest.release.number > installed.release.number {
      blocked = try block(of: newest.release)
    }
    let result = CheckResult(
      installed: installed?.release, newest: newest?.release, announced: offer.announced, blocked: blocked)
    events.publish(.checked(result))
    return result
  }

  /// Asks the repository, and remembers the answer.
  func learn(_ installed: CatalogedRelease?) throws(UpdateError) -> Offer {
    let offer = try repository.offer(installed: installed?.catalog.digest)
    if let announced = offer.announced { events.publish(.applicationTooOld(announced)) }
    guard let usable = offer.usable else { return offer }
    let known = KnownRelease(usable.cataloged, announced: offer.announced)
    // What is brought may be older than what a server has.
    if configuration.bundle != nil, try knows(release: usable.number) { return offer }
    // Only for `list` and `status`: nothing waits for it, and nothing fails because of it.
    do throws(StoreError) {
      try LockedCatalogCache(CatalogCache(making: configuration.root), waiting: .none).remember(known)
    } catch {}
    return offer
  }

  /// A release with this number or a higher one is known.
  private func knows(release number: UInt64) throws(UpdateError) -> Bool {
    do throws(StoreError) {
      guard let known = try CatalogCache.open(configuration.root)?.known() else { return false }
      return known.newest.release.number >= number
    } catch { throw UpdateError(error) }
  }

  /// Has the catalog of a release ready in the store's `catalogs`.
  ///
  /// Older catalogs are removed, unless an operation is carried out, which may be going to one of them;
  /// `removeUnreferencedFiles` follows it.
  func fetchCatalog(_ target: CatalogedRelease, waiting: CatalogWait = .someSeconds) throws(UpdateError) {
    let catalog = target.catalog
    guard catalog.size <= CatalogLimits.catalogFile else {
      throw .catalogTooLarge(url: target.catalogURL, size: catalog.size)
    }
    let open = try wrap(store: CatalogCache(making: configuration.root))
    if try wrap(store: open.has(catalog)) { return }
    let cache = try lock(open, waiting: waiting)
    let (missing, space): (UInt64, Space)
    do throws(StoreError) {
      // Another process may have fetched it while this one waited.
      if try cache.reading.has(catalog) { return }
      if try !OperationQueue.isWorkedOn(in: configuration.root) { try cache.clear(keeping: catalog.digest) }
      missing = catalog.size - min(catalog.size, try cache.files.reading.stored(catalog.digest))
      space = try cache.space()
    } catch { throw UpdateError(error) }
    let free = configuration.available(of: space)
    guard missing <= free else {
      throw .outOfSpace(needed: missing, available: free, path: configuration.root)
    }
    let file = WholeFile(url: target.catalogURL, size: catalog.size, digest: catalog.digest)
    try file.stage(in: cache.files, from: repository, events: events, heartbeat: heartbeat)
  }

  private func lock(
    _ cache: consuming CatalogCache, waiting: CatalogWait
  ) throws(UpdateError) -> LockedCatalogCache {
    do throws(StoreError) {
      return try LockedCatalogCache(cache, waiting: waiting, shouldStop: heartbeat.shouldStop)
    } catch { throw UpdateError(error) }
  }
}
