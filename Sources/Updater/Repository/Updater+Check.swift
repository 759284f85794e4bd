package import Catalog
internal import Crypto
package import MapModel
internal import Platform
internal import Releases
package import Store
internal import Trust

/// What a look at the repository has found.
package struct News: Equatable {
  /// Nil if nothing is installed.
  package let installed: Release?
  /// The newest release whose maps the application of this device can read; nil if there is none.
  package let newest: Release?
  /// A newer one that needs a newer application, if there is one.
  package let announced: AnnouncedRelease?

  /// There is something to update to.
  package var isUpdateAvailable: Bool {
    guard let installed, let newest else { return false }
    return newest.number > installed.number
  }
}

extension Updater {
  /// Asks the repository what is new, and keeps the catalog of it for `list`.
  package mutating func check() throws(UpdateError) -> News {
    let installed = try installedRelease()
    let offer = try learn(installed)
    let newest = offer.usable?.cataloged
    if let newest, newest.catalog != installed?.catalog {
      // What is new was learned; that its list cannot be kept, for want of space perhaps, is no failure of the check.
      do throws(UpdateError) { try fetchCatalog(newest, isWaiting: false) } catch {
        if error == .cancelled { throw error }
        observer.noticed(.catalogNotKept(reason: error.sentence))
      }
    }
    return News(installed: installed?.release, newest: newest?.release, announced: offer.announced)
  }

  /// Asks the repository, and remembers the answer.
  mutating func learn(_ installed: CatalogedRelease?) throws(UpdateError) -> Offer {
    let offer = try repository.offer(installed: installed?.catalog.digest, &observer)
    announced = offer.announced
    if let announced { observer.announced(announced) }
    guard let usable = offer.usable else { return offer }
    let known = KnownRelease(usable.cataloged, announced: offer.announced)
    // A mere note for `list` and `status`: nothing waits for it, and nothing fails because of it.
    do throws(StoreError) {
      let cache = try CatalogCache(making: configuration.root)
      if try cache.tryLock() { try cache.remember(known) }
    } catch {}
    return offer
  }

  /// Has the catalog of a release ready, beside the store's generations.
  ///
  /// Older catalogs go, unless an operation is carried out, which may be going to one of them; `tidy` follows it.
  ///
  /// - `isWaiting`: for another process that is fetching a catalog, some seconds; else that one is busy at once.
  mutating func fetchCatalog(_ target: CatalogedRelease, isWaiting: Bool = true) throws(UpdateError) {
    let catalog = target.catalog
    guard catalog.size <= Catalog.Limits.catalogFile else {
      throw .catalogTooLarge(url: target.catalogURL, size: catalog.size)
    }
    let cache = try wrap(store: CatalogCache(making: configuration.root))
    let (missing, space): (UInt64, Space)
    do throws(StoreError) {
      if try cache.files.isComplete(catalog.digest, size: catalog.size) { return }
      try cache.lock(isWaiting: isWaiting, shouldStop: heartbeat.shouldStop)
      // Another process may have fetched it while this one waited.
      if try cache.files.isComplete(catalog.digest, size: catalog.size) { return }
      if try !OperationQueue.isWorkedOn(in: configuration.root) { try cache.clear(keeping: catalog.digest) }
      missing = catalog.size - min(catalog.size, try cache.files.stored(catalog.digest))
      space = try cache.space()
    } catch { throw UpdateError(error) }
    let free = available(space)
    guard missing <= free else {
      throw .outOfSpace(needed: missing, available: free, path: configuration.root)
    }
    let file = WholeFile(url: target.catalogURL, size: catalog.size, digest: catalog.digest)
    try stager.stage(file, cache.files, &repository, &observer)
  }
}
