internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Store

/// The part of an update that takes time: every new component comes to staging.
extension Updater {
  /// Fetches every component that is new, one after the other.
  mutating func stage(
    _ operation: Operation, _ store: borrowing Store, _ generation: borrowing Generation?,
    _ target: CatalogedRelease,
    _ plan: Plan
  ) throws(UpdateError) {
    var indexer = Indexer(configuration, target.release, heartbeat)
    let before = downloaded
    defer { figures.fetched += downloaded - before }
    do throws(UpdateError) {
      try stage(operation, store, generation, target, plan, &indexer)
    } catch {
      indexer.abandon(store)
      throw error
    }
    figures.indexed += indexer.size
  }

  private mutating func stage(
    _ operation: Operation, _ store: borrowing Store, _ generation: borrowing Generation?,
    _ target: CatalogedRelease,
    _ plan: Plan, _ indexer: inout Indexer
  ) throws(UpdateError) {
    var walk = try store.walk(operation, from: generation, to: target, groups)
    var waiting = plan.fetched
    while let step = try walk.next(from: generation) {
      try heartbeat.throwIfStopped()
      guard case .fetch(let entry, let installed) = step else { continue }
      waiting -= 1
      let base = try base(installed, of: entry, generation, store.staging)
      try stage(entry, installed: base, generation, store.staging, waiting: waiting)
      observer.staged(entry.name, size: entry.size)
      try indexer.start(entry, store, &observer)
      figures.sample(try space(store).available)
    }
    try indexer.finish(store, &observer)
  }

  /// The installed component, if a patch can start from it; says so if its file is damaged.
  private mutating func base(
    _ installed: InstalledComponent?, of entry: CatalogEntry, _ generation: borrowing Generation?,
    _ staging: borrowing Staging
  ) throws(UpdateError) -> InstalledComponent? {
    guard let installed else { return nil }
    var isDamaged = installed.digest == entry.digest
    if !isDamaged {
      let payload = try stager.payload(entry, stager.ways(entry, installed: installed), staging)
      guard let needed = try stager.neededBase(payload, to: entry, staging) else { return installed }
      isDamaged = try !isIntact(needed, generation)
    }
    if isDamaged { observer.noticed(.damagedBase(entry.name)) }
    return isDamaged ? nil : installed
  }

  /// Fetches one component in the cheapest way; where a container is lost or does not make the file that it should, in
  /// the next one.
  private mutating func stage(
    _ entry: CatalogEntry, installed: InstalledComponent?, _ generation: borrowing Generation?,
    _ staging: borrowing Staging, waiting: Int
  ) throws(UpdateError) {
    var missing: [Container] = []
    while true {
      let ways = stager.ways(entry, installed: installed, without: missing)
      let payload = try stager.payload(entry, ways, staging)
      let fetched = try stager.share(entry, payload, staging).fetched
      observer.began(
        payload, entry.name, size: entry.size, left: payload.download - min(fetched, payload.download),
        waiting: waiting)
      do throws(UpdateError) {
        return try stager.stage(entry, payload, base: generation, staging, &repository, &observer)
      } catch {
        // Each turn has one container less to choose from.
        switch try stager.fault(error, entry, payload, repository) {
        case .lost(let container):
          guard try repository.isServed() else { throw error }
          observer.noticed(.notServed(url: container.url))
          missing.append(container)
        case .unusable(let container):
          observer.noticed(.unusable(url: container.url))
          stager.exclude(container, staging)
        case .none: throw error
        }
        try stager.forget(entry, payload, staging)
      }
    }
  }

  private func isIntact(
    _ component: InstalledComponent, _ generation: borrowing Generation?
  ) throws(UpdateError) -> Bool {
    do throws(StoreError) {
      switch generation {
      case .some(let generation): return try generation.isIntact(component, shouldStop: heartbeat.shouldStop)
      case .none: return false
      }
    } catch { throw UpdateError(error) }
  }
}
