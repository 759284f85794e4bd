internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Store

/// An update in place: the old maps are consumed while the new ones are made (`docs/design.md`, In place, whose numbers
/// the steps have).
extension Run {
  /// Carries out the whole update.
  mutating func updateInPlace(_ plan: Plan, in store: borrowing LockedStore) throws(UpdateError) {
    let sums = try storePayloads(plan, in: store)  // 1
    let peak = try makeRoom(for: sums, in: store)  // 2
    figures.plan?.takePeak(inPlace: peak)
    try heartbeat.throwIfStopped()
    try heartbeat.uninterrupted { () throws(UpdateError) in try begin(store) }  // 3
    try finishInPlace(store)
  }

  /// Carries out what follows after there is no way back; an interrupted run resumes here.
  mutating func finishInPlace(_ store: borrowing LockedStore) throws(UpdateError) {
    do throws(UpdateError) { try finish(store) } catch {
      switch error {
      case .cancelled:
        // It cannot be cancelled any more: it waits.
        throw heartbeat.stopReason?.isResumed ?? false ? error : .stopped
      case .stopped, .notDurable: throw error
      default: throw .conversionStopped(error)
      }
    }
  }

  private mutating func finish(_ store: borrowing LockedStore) throws(UpdateError) {
    try wrap(store: store.synchronizeConversion())  // 3.4
    let missing = try consume(store)  // 4
    var rest = missing[...]
    while !rest.isEmpty {
      let ids = Array(rest.prefix(UpdateLimits.identifiers))
      rest = rest.dropFirst(ids.count)
      try queueInstall(of: ids)
    }
    events.publish(.committing)
    try heartbeat.uninterrupted { () throws(UpdateError) in
      try commit(store, without: missing)  // 5
      try wrap(store: store.endConversion())  // 6
    }
  }

  /// A full queue must not keep everything else from being done.
  private func queueInstall(of ids: [PackageID]) throws(UpdateError) {
    do throws(StoreError) {
      _ = try OperationQueue(making: configuration.root).add(.install(ids, isOwed: true))
      events.publish(.notice(.notConverted(ids)))
    } catch {
      guard case .queueFull = error else { throw UpdateError(error) }
      events.publish(.notice(.notQueued(ids)))
    }
  }

  // MARK: - 3

  /// Takes every package that changes out of the maps, and takes over the generation that has them.
  private mutating func begin(_ store: borrowing LockedStore) throws(UpdateError) {
    let number: UInt64
    switch generation {
    case .some(let generation): number = generation.number
    case .none: return
    }
    let files = store.reading.catalogParts(from: generation, isLost: isCatalogLost)
    try store.reading.withCatalog(
      of: target, from: generation, isLost: isCatalogLost, installed: { (_) throws(StoreError) in },
      downloaded: { (catalogs) throws(StoreError) in
        try store.prepareConversion(to: target, catalog: catalogs, parts: parts, from: files)  // 3.1
      })
    do throws(UpdateError) {
      try commitUnchanged(store)  // 3.2
      try wrap(
        store: store.takeBase(
          number, within: UpdateLimits.readers, shouldStop: { StopSignal.isRaised || heartbeat.shouldStop() })
      )  // 3.3
    } catch {
      try wrap(store: store.abandonConversion())
      throw error
    }
  }

  /// Commits the current release without the packages that change.
  private func commitUnchanged(_ store: borrowing LockedStore) throws(UpdateError) {
    switch generation {
    case .some(let generation):
      let release = try wrap(store: generation.manifest().release)
      var builder = try wrap(store: store.beginGeneration(release))
      try wrap(store: builder.addCatalog(from: generation))
      try wrap(store: builder.addParts(from: generation))
      var walk = try walk(store.reading)
      var package = UnchangedPackage()
      while let step = try walk.next(from: self.generation) {
        for component in package.take(step) { try wrap(store: builder.add(component, from: generation)) }
      }
      for component in package.finish() { try wrap(store: builder.add(component, from: generation)) }
      let number = builder.number
      do throws(StoreError) { try builder.finish(in: store) } catch { throw UpdateError(error) }
      try store.makeCurrent(number, of: release.release)
    case .none: break
    }
  }

  // MARK: - 4

  /// Makes every new component; returns the packages that have one that could not be made.
  private mutating func consume(_ store: borrowing LockedStore) throws(UpdateError) -> [PackageID] {
    let consumption = Consumption()
    stager.consumption = consumption
    defer { figures.sample(consumption.leastAvailable) }
    var missing: [PackageID] = []
    var walk = try walk(store.reading)
    while let step = try walk.next(from: generation) {
      try heartbeat.throwIfStopped()
      switch step {
      case .keep, .ignore: break
      case .remove(let component), .withdraw(let component): try removeOld(component)
      case .fetch(let entry, let installed):
        do throws(UpdateError) { try make(entry, from: installed, in: store.staging) } catch {
          guard error.losesComponent else { throw error }
          events.publish(.notice(.notMade(entry.name, reason: error.sentence)))
          if missing.last != entry.name.id { missing.append(entry.name.id) }
        }
        figures.sample(try space(store.reading).available)
      }
    }
    return missing
  }

  private mutating func make(
    _ entry: CatalogEntry, from installed: InstalledComponent?, in staging: borrowing LockedStaging
  ) throws(UpdateError) {
    let base = try usableBase(installed, for: entry, in: staging.reading)  // 4.1
    let options = stager.options(for: entry, installed: base)
    let payload = try stager.payload(for: entry, options: options, in: staging.reading)
    if payload.base == nil, payload != .staged, let installed { try removeOld(installed) }
    try stage(entry, base: base, in: staging, waiting: 0)  // 4.2, 4.3
    figures.sample(try wrap(store: staging.space()).available)
    if let installed { try removeOld(installed) }  // 4.4
    for step in options.cheapest.steps(to: entry) {
      try wrap(store: staging.removeContainer(step.container.head))
      if case .made(let before) = step.base { try wrap(store: staging.remove(before.digest)) }
    }
    events.publish(.component(entry.name, .staged(payload, size: entry.size, waiting: 0)))
  }

  /// Removes the old file of a component, if it is still there.
  func removeOld(_ component: InstalledComponent) throws(UpdateError) {
    switch generation {
    case .some(let generation): try wrap(store: generation.remove(component))
    case .none: break
    }
  }
}

/// Collects the components of one package, to pass them on if none of the package changes.
private struct UnchangedPackage {
  private var id: PackageID?
  private var components: [InstalledComponent] = []
  private var isChanged = false

  /// What is to be kept of the package before, if the step begins another one.
  mutating func take(_ step: PlanStep) -> [InstalledComponent] {
    let (id, kept): (PackageID, InstalledComponent?)
    switch step {
    case .ignore: return []
    case .keep(_, let component): (id, kept) = (component.name.id, component)
    case .fetch(let entry, _): (id, kept) = (entry.name.id, nil)
    case .remove(let component), .withdraw(let component): (id, kept) = (component.name.id, nil)
    }
    let finished = id == self.id ? [] : finish()
    self.id = id
    if let kept { components.append(kept) } else { isChanged = true }
    return finished
  }

  mutating func finish() -> [InstalledComponent] {
    let finished = isChanged ? [] : components
    (id, components, isChanged) = (nil, [], false)
    return finished
  }
}

extension UpdateError {
  /// One component cannot be made, and others can: above all where storage has lost a part of the old one.
  fileprivate var losesComponent: Bool {
    switch disposition {
    case .contentRejected, .retryLater: true
    case .fatal: !isOfShortage
    case .busy, .stopped, .cancelled, .outOfSpace: false
    }
  }
}
