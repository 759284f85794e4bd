internal import Catalog
internal import MapModel
internal import Platform
internal import Store

/// The last step: the new generation is built from staging and the current one, and becomes current by one rename, or
/// stands by.
extension Run {
  /// Builds the generation and switches to it; nothing stops here.
  mutating func commit(_ store: borrowing LockedStore) throws(Failure) {
    let succession = try succession(in: store.reading)
    var changes: [Change] = []
    let builder = try build(in: store, after: succession, changes: &changes)
    let number = builder.number
    try builder.finish(in: store)
    figures.sample(try space(store.reading).available)
    try succession.record(number, in: store)
    try store.makeCurrent(number, of: target.release)
    if succession.beginsTrial { events.publish(.trial(target.release, .begun)) }
    for change in changes { events.publish(.component(change.name, change.state)) }
  }

  /// Builds the generation, which then stands by; nothing stops here.
  ///
  /// - `effective`: from when on it is in effect, if it is not yet.
  mutating func standBy(_ store: borrowing LockedStore, from effective: Int64?) throws(Failure) {
    guard let base = try store.reading.currentGeneration() else { return }
    var changes: [Change] = []
    let builder = try build(in: store, after: try succession(in: store.reading), changes: &changes)
    let standby = Standby(
      target, generation: builder.number, base: base, time: Clock.now, effective: effective)
    try builder.finish(in: store, as: standby)
    figures.sample(try space(store.reading).available)
  }

  private func succession(in store: borrowing Store) throws(Failure) -> Succession {
    try Succession(to: target.release, in: store, configuration.trial, isRepair: operation.isRepair)
  }

  /// What changes of a component.
  private typealias Change = (name: ComponentName, state: UpdateEvent.ComponentState)

  private mutating func build(
    in store: borrowing LockedStore, after succession: Succession, changes: inout [Change]
  ) throws(Failure) -> GenerationBuilder {
    figures.sample(try space(store.reading).available)
    var walk = try walk(store.reading)
    var builder = try store.beginGeneration(target, after: succession.predecessor)
    try store.reading.withCatalog(
      of: target, from: generation,
      installed: { (generation) throws(Failure) in try builder.addCatalog(from: generation) },
      downloaded: { (catalogs) throws(Failure) in
        try builder.addCatalog(target.catalog.digest, from: catalogs)
      })
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
    store.keepNote(of: damaged, in: builder.number)
    return builder
  }

  private func isDamaged(_ component: InstalledComponent) -> Bool {
    damage.part(component, in: generation.number) != nil
  }

  /// Adds what the step leaves installed; what it changes, if anything.
  private func add(
    _ step: PlanStep, to builder: inout GenerationBuilder, in store: borrowing Store
  ) throws(Failure) -> Change? {
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
