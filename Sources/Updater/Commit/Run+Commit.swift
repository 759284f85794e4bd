internal import Catalog
internal import MapModel
internal import Platform
internal import Store

/// The last step: the new generation is built from staging and the current one, and becomes current by one rename.
extension Run {
  /// Builds the generation and switches to it; nothing stops here.
  mutating func commit(_ store: borrowing LockedStore) throws(Failure) {
    figures.sample(try space(store.reading).available)
    var walk = try walk(store.reading)
    let succession = try Succession(
      to: target.release, in: store.reading, configuration.trial, isRepair: operation.isRepair)
    var builder = try store.beginGeneration(target, after: succession.predecessor)
    try store.reading.withCatalog(
      of: target, from: generation,
      installed: { (generation) throws(Failure) in try builder.addCatalog(from: generation) },
      downloaded: { (catalogs) throws(Failure) in
        try builder.addCatalog(target.catalog.digest, from: catalogs)
      })
    var changes: [(name: ComponentName, state: UpdateEvent.ComponentState)] = []
    var damaged: [InstalledComponent] = []
    var notices = WithdrawalNotices(walk.successions)
    while let step = try walk.next(from: generation) {
      _ = heartbeat.beat()
      if case .keep(_, let component) = step, isDamaged(component) { damaged.append(component) }
      notices.take(step, events)
      guard let change = try add(step, to: &builder, in: store.reading) else { continue }
      if changes.count < UpdateLimits.componentEvents { changes.append(change) }
    }
    notices.finish(events)
    let parts = store.reading.catalogParts(from: generation)
    for part in walk.enteredParts { try builder.add(part, from: parts) }
    let number = builder.number
    try builder.finish(in: store)
    figures.sample(try space(store.reading).available)
    keepNote(of: damaged, in: number, store: store.reading)
    try succession.record(number, in: store)
    try store.makeCurrent(number, of: target.release)
    if succession.beginsTrial { events.publish(.trial(target.release, .begun)) }
    for change in changes { events.publish(.component(change.name, change.state)) }
  }

  private func isDamaged(_ component: InstalledComponent) -> Bool {
    damage.part(component, in: generation.number) != nil
  }

  /// Notes that the new generation has these damaged files as well.
  ///
  /// Without the note they are found again by the next verification.
  private func keepNote(of components: [InstalledComponent], in number: UInt64, store: borrowing Store) {
    guard !components.isEmpty else { return }
    do throws(Failure) {
      try VerificationFiles(opening: store.path).changeDamage { note in
        for component in components { note.extend(component, to: number) }
      }
    } catch {}
  }

  /// Adds what the step leaves installed; what it changes, if anything.
  private func add(
    _ step: PlanStep, to builder: inout GenerationBuilder, in store: borrowing Store
  ) throws(Failure) -> (name: ComponentName, state: UpdateEvent.ComponentState)? {
    switch step {
    case .keep(let entry, _):
      try builder.add(InstalledComponent(entry), from: generation)
      return nil
    case .link(let entry, let component):
      try builder.add(InstalledComponent(entry), as: component, from: generation)
      return (entry.name, .installed)
    case .fetch(let entry, _):
      try builder.add(
        InstalledComponent(entry), from: store.staging, shouldStop: heartbeat.shouldStop)
      return (entry.name, .installed)
    case .withdraw(let component), .remove(let component): return (component.name, .removed)
    case .ignore: return nil
    }
  }
}
