internal import Catalog
internal import InPlace
internal import MapModel
internal import MapTree
internal import Platform
internal import Store

/// The second step, which takes the time: every new component is brought to staging.
extension Run {
  /// Fetches every component that is new, one after the other, and has their indexes made.
  mutating func stage(_ plan: Plan, in store: borrowing LockedStore) throws(Failure) {
    for name in firstNames { events.publish(.component(name, .waiting)) }
    var indexer = try Indexer(configuration, release: target.release, events: events, heartbeat: heartbeat)
    let before = stager.repository.downloaded
    defer { figures.fetched += stager.repository.downloaded - before }
    do throws(Failure) { try stage(plan, in: store, indexer: &indexer) } catch {
      indexer.abandon(store)
      throw error
    }
    figures.indexed += indexer.size
  }

  private mutating func stage(
    _ plan: Plan, in store: borrowing LockedStore, indexer: inout Indexer
  ) throws(Failure) {
    var walk = try walk(store.reading)
    var waiting = plan.fetched
    while let step = try walk.next(from: generation) {
      try heartbeat.throwIfStopped()
      guard case .fetch(let entry, let found) = step else { continue }
      waiting -= 1
      // All of a package comes, or nothing.
      if refusals.has(entry.name.id) { continue }
      let unanswered = stager.repository.unanswered
      do throws(Failure) {
        try stage(entry, from: found, in: store, waiting: waiting)
      } catch {
        try note(error, of: entry, since: unanswered, in: store.staging)
        continue
      }
      try indexer.start(entry, in: store)
      figures.sample(try space(store.reading).available)
    }
    try indexer.finish(store)
  }

  private mutating func stage(
    _ entry: CatalogEntry, from found: InstalledBase, in store: borrowing LockedStore, waiting: Int
  ) throws(Failure) {
    try stager.find(entry, installed: found.component, in: store.staging.reading)
    let base = try usableBase(found, for: entry, in: store.staging.reading)
    let payload = try stage(
      entry, base: base, isInstalled: replaces(found.component), in: store.staging, waiting: waiting)
    events.publish(.component(entry.name, .staged(payload, size: entry.size, waiting: waiting)))
  }

  /// The base, if a patch can start from it; reports a damaged file.
  func usableBase(
    _ base: InstalledBase, for entry: CatalogEntry, in staging: borrowing Staging
  ) throws(Failure) -> InstalledBase {
    guard let installed = base.component else { return .none }
    let payload = try stager.payload(
      for: entry, options: stager.options(for: entry, installed: installed), in: staging)
    // Its file is there, and only its index is to be made.
    if case .staged = payload { return base }
    var isUsable = installed.digest != entry.digest
    if isUsable, let needed = try stager.neededBase(of: payload, to: entry, in: staging) {
      isUsable = try isIntact(needed, where: base)
      if isUsable, case .previous = base { events.publish(.notice(.patchedFromPrevious(entry.name))) }
    }
    if !isUsable, case .standby(_, let current) = base {
      // What stands by is damaged, and what is installed may not be.
      return try usableBase(.current(current), for: entry, in: staging)
    }
    if !isUsable { events.publish(.notice(.damagedBase(entry.name))) }
    return isUsable ? base : .none
  }

  /// Fetches one component by its cheapest payload; where a container is lost or does not make the file that it should,
  /// by the next one.
  ///
  /// - `isInstalled`: a version of it is installed, which may be too damaged to be the base.
  /// - Returns: the payload that it came by.
  @discardableResult
  mutating func stage(
    _ entry: CatalogEntry, base: InstalledBase, isInstalled: Bool = false,
    in staging: borrowing LockedStaging, waiting: Int
  ) throws(Failure) -> Payload {
    var missing: [Container] = []
    var denial: Failure?
    while true {
      let options = stager.options(for: entry, installed: base.component, without: missing)
      let payload = try stager.payload(for: entry, options: options, in: staging.reading)
      try stager.check(payload, of: entry, options: options, isInstalled: isInstalled, after: denial)
      let present = try stager.share(of: entry, by: payload, in: staging.reading).fetched
      events.begin(entry.name, by: payload, present: present, waiting: waiting)
      do throws(Failure) {
        switch base {
        case .none, .current, .lost:
          try stager.stage(entry, by: payload, base: generation, in: staging, present: present)
        case .standby:
          try stager.stage(entry, by: payload, base: standby, in: staging, present: present)
        case .previous:
          try stager.stage(entry, by: payload, base: previous, in: staging, present: present)
        }
        return payload
      } catch {
        // Each turn has one container less to choose from.
        switch stager.fault(error, of: payload.steps(to: entry)) {
        case .lost(let container):
          guard try stager.repository.isServed() else { throw error }
          events.publish(.notice(.notServed(url: container.url)))
          denial = error
          missing.append(container)
        case .altered(let container):
          events.publish(.notice(.altered(url: container.url)))
          missing.append(container)
        case .unusable(let container):
          events.publish(.notice(.unusable(url: container.url)))
          stager.exclude(container, in: staging)
        case .none: throw error
        }
        try stager.forget(entry, by: payload, in: staging)
      }
    }
  }

  private func isIntact(
    _ component: InstalledComponent, where base: InstalledBase
  ) throws(Failure) -> Bool {
    switch base {
    case .none, .current, .lost: try isIntact(component, in: generation)
    case .standby: try isIntact(component, in: standby)
    case .previous: try isIntact(component, in: previous)
    }
  }

  private func isIntact(
    _ component: InstalledComponent, in generation: borrowing Generation
  ) throws(Failure) -> Bool {
    try generation.isIntact(component, shouldStop: heartbeat.shouldStop)
  }
}
