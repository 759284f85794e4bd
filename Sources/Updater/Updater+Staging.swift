internal import Catalog
internal import Platform
internal import Store

/// The part of an update that takes time: every new component comes to staging.
extension Updater {
  /// Fetches every component that is new, one after the other.
  mutating func stage(
    _ operation: Operation, _ store: borrowing Store, _ target: Target, _ plan: Plan
  ) throws(UpdateError) {
    let generation = try storing { () throws(StoreError) in try store.current() }
    var walk = try store.walk(operation, at: target, groups)
    var waiting = plan.fetched
    var indexer = Indexer(configuration, target.release)
    let before = downloaded
    defer { figures.fetched += downloaded - before }
    while let step = try walk.next() {
      if Interruption.isRequested { throw .cancelled }
      guard case .fetch(let entry, let installed) = step else { continue }
      waiting -= 1
      var base = installed
      let payload = try stager.payload(entry, stager.ways(entry, installed: base), store.staging)
      if let needed = try stager.neededBase(payload, to: entry, store.staging),
        try !isIntact(needed, generation)
      {
        observer.noticed(.damagedBase(entry.name))
        base = nil
      }
      try stage(entry, installed: base, generation, store.staging, waiting: waiting)
      observer.staged(entry.name, size: entry.size)
      try indexer.start(entry, store, &observer)
      figures.sample(try space(store).available)
    }
    try indexer.finish(store, &observer)
    figures.indexed += indexer.size
  }

  /// Fetches one component in the cheapest way; where the server has lost a container, in the next one.
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
        guard let lost = try stager.missing(error, entry, payload, repository) else { throw error }
        observer.noticed(.notServed(url: lost.url))
        try stager.forget(entry, payload, staging)
        missing.append(lost)
      }
    }
  }

  private func isIntact(
    _ component: InstalledComponent, _ generation: borrowing Generation?
  ) throws(UpdateError) -> Bool {
    do throws(StoreError) {
      switch generation {
      case .some(let generation): return try generation.isIntact(component)
      case .none: return false
      }
    } catch { throw error == .cancelled ? .cancelled : .store(error) }
  }
}
