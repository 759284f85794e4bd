internal import Catalog
internal import DeltaApply
internal import MapModel
internal import MapTree
internal import Platform
internal import Store

/// Steps 1 and 2 of an update in place: nothing of the maps is changed yet.
extension Run {
  /// Stores every payload in staging, authenticated, and computes from the instructions what the rest takes.
  mutating func storePayloads(_ plan: Plan, in store: borrowing LockedStore) throws(UpdateError)
    -> InPlaceSpace
  {
    var sums = InPlaceSpace(try space(store.reading))
    var walk = try walk(store.reading)
    var waiting = plan.fetched
    let before = stager.repository.downloaded
    defer { figures.fetched += stager.repository.downloaded - before }
    while let step = try walk.next(from: generation) {
      try heartbeat.throwIfStopped()
      switch step {
      case .keep: sums.keep()
      case .remove(let component), .withdraw(let component): sums.giveBack(component.size)
      case .ignore: break
      case .fetch(let entry, let installed):
        waiting -= 1
        try storePayload(entry, installed: installed, in: store.staging, waiting: waiting, sums: &sums)
        figures.sample(try space(store.reading).available)
      }
    }
    return sums
  }

  /// Stores the cheapest payload of one component; where one of its containers is lost or wrong, the next one.
  private mutating func storePayload(
    _ entry: CatalogEntry, installed: InstalledComponent?, in staging: borrowing LockedStaging, waiting: Int,
    sums: inout InPlaceSpace
  ) throws(UpdateError) {
    try stager.find(entry, installed: installed, in: staging.reading)
    let base = try usableBase(installed, for: entry, in: staging.reading)
    while true {
      let options = stager.options(for: entry, installed: base)
      let payload = try stager.payload(for: entry, options: options, in: staging.reading)
      try stager.check(payload, of: entry, options: options, isInstalled: installed != nil)
      let present = try stager.share(of: entry, by: payload, in: staging.reading).fetched
      events.begin(entry.name, by: payload, present: present, waiting: waiting)
      // What a payload would take that turns out to be lost or wrong does not count.
      var attempt = sums
      do throws(UpdateError) {
        if payload.base == nil, let installed { attempt.giveBack(installed.size) }
        let steps = payload.steps(to: entry)
        if steps.isEmpty {
          try stager.stage(entry, by: payload, base: generation, in: staging, isResumed: present > 0)
          attempt.keepStaged()
        }
        for step in steps {
          let container = StoredContainer(step, memory: stager.memory, heartbeat: heartbeat)
          let reads = try container.fetch(
            to: staging, from: stager.repository, block: try wrap(store: staging.space()).block)
          events.advance(by: step.container.size)
          attempt.apply(step, reads: reads)
        }
        sums = attempt
        return
      } catch {
        switch try stager.fault(error, staging: entry, by: payload) {
        case .lost(let container):
          guard try stager.repository.isServed() else { throw error }
          events.publish(.notice(.notServed(url: container.url)))
          stager.exclude(container, in: staging)
        case .unusable(let container):
          events.publish(.notice(.unusable(url: container.url)))
          stager.exclude(container, in: staging)
        case .altered, .none: throw error
        }
      }
    }
  }

  /// Refuses what does not fit, with the figures; what fits loses its way back.
  ///
  /// - Returns: the free space that all of the update takes from its start on, in bytes.
  func makeRoom(
    for sums: InPlaceSpace, in store: borrowing LockedStore
  ) throws(UpdateError) -> UInt64 {
    let downloads = figures.taken(try space(store.reading).available)
    let needed = downloads.saturatingSum(sums.peak)
    let other = try wrap(store: store.reading.spaceOfOtherGenerations())
    try check(needed, with: downloads.saturatingSum(other.bytes), in: store)
    let before = try space(store.reading).available
    _ = try wrap(store: store.removeOtherGenerations())
    // Asked again: a reader may hold what was to be removed.
    try check(needed, with: downloads, in: store)
    let after = try space(store.reading).available
    return max(downloads, needed - min(needed, after - min(after, before)))
  }

  /// - `given`: what a refusal, or the removal of generations, gives back.
  private func check(
    _ needed: UInt64, with given: UInt64, in store: borrowing LockedStore
  ) throws(UpdateError) {
    let space = try space(store.reading)
    let available = configuration.available(
      of: Space(available: space.available.saturatingSum(given), block: space.block))
    guard needed <= available else {
      throw .outOfSpace(needed: needed, available: available, path: store.reading.path)
    }
  }
}
