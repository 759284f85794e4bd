internal import Catalog
internal import Crypto
internal import MapModel
internal import Platform
internal import Releases
internal import Store

/// The catalogs in the store's `catalogs`: fetched when they are needed, and as far as they are.
extension Updater {
  /// Has the catalog of a release ready, with those of its parts that are needed.
  ///
  /// Older catalogs are removed, unless an operation is carried out, which may be going to one of them;
  /// `removeUnreferencedFiles` follows it.
  func fetchCatalog(
    _ target: CatalogedRelease, for need: CatalogNeed, waiting: CatalogWait = .someSeconds,
    installed: InstalledCatalog = .usable
  ) throws(Failure) {
    guard target.catalog.size <= CatalogLimits.catalogFile else {
      throw .catalogTooLarge(
        url: target.catalogURL, size: target.catalog.size, limit: CatalogLimits.catalogFile)
    }
    let open = try CatalogCache(making: configuration.root)
    if try hasCatalog(target, in: open, for: need, installed: installed) { return }
    let cache = try lock(open, waiting: waiting)
    let isIdle = try !OperationQueue.isWorkedOn(in: configuration.root)
    // Another process may have fetched it while this one waited.
    let isNew = try openCatalog(target, in: cache.reading, installed: installed) == nil
    if isNew {
      if isIdle {
        try cache.clear(keeping: [target, try standbyRelease()].compactMap { $0?.catalog.digest })
      }
      try fetch(target.catalogURL, target.catalog, to: cache.files)
    }
    try fetchParts(of: target, for: need, in: cache, installed: installed)
    // Beside the parts of a catalog that was there, none has become useless.
    if isIdle && isNew { try removeParts(from: cache) }
  }

  func lock(
    _ cache: consuming CatalogCache, waiting: CatalogWait
  ) throws(Failure) -> LockedCatalogCache {
    try LockedCatalogCache(cache, waiting: waiting, shouldStop: heartbeat.shouldStop)
  }

  private func fetch(
    _ url: String, _ reference: CatalogReference, to staging: borrowing LockedStaging
  ) throws(Failure) {
    let stored = try staging.reading.stored(reference.digest)
    let missing = reference.size - min(reference.size, stored)
    let free = try configuration.available(of: staging.space())
    guard missing <= free else {
      throw .outOfSpace(needed: missing, available: free, path: configuration.root)
    }
    let file = WholeFile(url: url, size: reference.size, digest: reference.digest)
    try file.stage(in: staging, from: repository, events: events, heartbeat: heartbeat)
  }

  // MARK: - What is there

  /// Opens the catalog of `target`, in `cache` or in the current generation; nil if neither has it.
  private func openCatalog(
    _ target: CatalogedRelease, in cache: borrowing CatalogCache, installed: InstalledCatalog
  ) throws(Failure) -> CatalogReader<XZSource>? {
    var file = try cache.open(target.catalog)
    if file == nil && installed == .usable { file = try openInstalled(target) }
    guard let found = file.take() else { return nil }
    do throws(CatalogError) { return try CatalogReader(found, detail: .sizes) } catch {
      throw Failure(error)
    }
  }

  private func openInstalled(_ target: CatalogedRelease) throws(Failure) -> File? {
    do throws(Failure) {
      let generation = try Store(opening: configuration.root).current()
      guard try generation.release()?.catalog == target.catalog else { return nil }
      return try generation.openCatalog()
    } catch {
      if case .noMemory = error { throw error }
      return nil
    }
  }

  private func parts(installed: InstalledCatalog) throws(Failure) -> CatalogParts {
    var generation = Generation()
    do throws(Failure) { generation = try Store(opening: configuration.root).current() } catch {
      guard case .noStore = error else { throw error }
    }
    generation.isCatalogReplaced = installed == .lost
    return CatalogParts(of: configuration.root, installed: generation)
  }

  private func hasCatalog(
    _ target: CatalogedRelease, in cache: borrowing CatalogCache, for need: CatalogNeed,
    installed: InstalledCatalog
  ) throws(Failure) -> Bool {
    guard let catalog = try openCatalog(target, in: cache, installed: installed) else { return false }
    let need = try complete(need, of: target, in: cache, installed: installed)
    let parts = try parts(installed: installed)
    return try forEachPart(of: catalog, in: parts, for: need) { (part) throws(Failure) in
      try has(part, in: parts, installed: installed)
    }
  }

  /// Where something is lost, what is left is looked at closely.
  private func has(
    _ part: CatalogPart, in parts: CatalogParts, installed: InstalledCatalog
  ) throws(Failure) -> Bool {
    guard installed == .lost else { return try parts.has(part.file) }
    return try parts.hasIntact(part.file, shouldStop: heartbeat.shouldStop)
  }

  /// Calls `body` with each part that is needed, then with the parts in it; false as soon as `body` returns false.
  func forEachPart(
    of catalog: consuming CatalogReader<XZSource>, in parts: CatalogParts, for need: CatalogNeed,
    _ body: (CatalogPart) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    guard catalog.hasParts else { return true }
    var selection = try PartSelection(need, in: configuration.root, repository: repository)
    while let item = try wrap(catalog: catalog.nextItem()) {
      guard case .part(let part) = item, try selection.selects(part) else { continue }
      try heartbeat.throwIfStopped()
      guard try body(part) else { return false }
      guard part.level > 0 else { continue }
      var file = try parts.open(part.file)
      guard let found = file.take() else { return false }
      do throws(CatalogError) { try catalog.enter(part, found) } catch { throw Failure(error) }
    }
    return true
  }

  // MARK: - Parts

  /// What is needed of the catalog of `target`, which is here, with what takes the place of packages.
  private func complete(
    _ need: CatalogNeed, of target: CatalogedRelease, in cache: borrowing CatalogCache,
    installed: InstalledCatalog
  ) throws(Failure) -> CatalogNeed {
    if !need.followsSuccessions { return need }
    guard let catalog = try openCatalog(target, in: cache, installed: installed), catalog.hasParts else {
      return need
    }
    let manifest = try PartSelection.manifest(configuration.root)
    return need.following(try Operation.install(need.ids).successions(catalog, installed: manifest))
  }

  /// Fetches the needed parts of a release whose catalog is here; does nothing for one whose catalog is not.
  func fetchKnownParts(of release: CatalogedRelease, for need: CatalogNeed) throws(Failure) {
    guard let open = try CatalogCache.open(configuration.root) else { return }
    guard try openCatalog(release, in: open, installed: .usable) != nil else { return }
    try fetchCatalog(release, for: need)
  }

  private func fetchParts(
    of target: CatalogedRelease, for need: CatalogNeed, in cache: borrowing LockedCatalogCache,
    installed: InstalledCatalog
  ) throws(Failure) {
    guard let catalog = try openCatalog(target, in: cache.reading, installed: installed), catalog.hasParts
    else {
      return
    }
    let need = try complete(need, of: target, in: cache.reading, installed: installed)
    let staging = try cache.parts()
    let parts = try parts(installed: installed)
    _ = try forEachPart(of: catalog, in: parts, for: need) { (part) throws(Failure) in
      if try !has(part, in: parts, installed: installed) { try fetch(part.url, part.file, to: staging) }
      return true
    }
  }

  /// Removes the parts that neither the newest known release nor the installed one lists, and those that the current
  /// generation has.
  ///
  /// A catalog that cannot be read lists none: what is removed is fetched again.
  func removeParts(from cache: borrowing LockedCatalogCache) throws(Failure) {
    guard try cache.hasParts() else { return }
    let known = try cache.reading.known()?.newest
    var releases = [known, try standbyRelease()].compactMap { $0 }
    if let installed = try installedRelease(), installed != known { releases.append(installed) }
    let parts = try parts(installed: .usable)
    var kept: [Digest] = []
    for release in releases {
      do throws(Failure) {
        guard let catalog = try openCatalog(release, in: cache.reading, installed: .usable) else { continue }
        try list(catalog, in: parts, to: &kept)
      } catch {
        guard error.isOfUnreadableCatalog else { throw error }
      }
    }
    kept.sort()
    try cache.clearParts(keeping: kept)
  }

  /// Adds the digests of a catalog's parts that are not in the current generation, as far as they are known.
  private func list(
    _ catalog: consuming CatalogReader<XZSource>, in parts: CatalogParts, to digests: inout [Digest]
  ) throws(Failure) {
    guard catalog.hasParts else { return }
    while let item = try wrap(catalog: catalog.nextItem()) {
      guard case .part(let part) = item else { continue }
      if try !parts.isInstalled(part.file) { digests.append(part.file.digest) }
      guard part.level > 0 else { continue }
      var file = try parts.open(part.file)
      guard let found = file.take() else { continue }
      do throws(CatalogError) { try catalog.enter(part, found) } catch { throw Failure(error) }
    }
  }
}
