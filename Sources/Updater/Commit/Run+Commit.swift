internal import Catalog
internal import MapModel
internal import Platform
internal import Store

/// The last step: the new generation is built from staging and the current one, and becomes current by one rename.
extension Run {
  /// Builds the generation and switches to it; nothing stops here.
  mutating func commit(_ store: borrowing LockedStore) throws(UpdateError) {
    figures.sample(try space(store.reading).available)
    var walk = try walk(store.reading)
    var builder = try wrap(store: store.beginGeneration(target))
    try builder.addCatalog(of: target, store.reading, from: generation)
    var changes: [(name: ComponentName, state: UpdateEvent.ComponentState)] = []
    while let step = try walk.next(from: generation) {
      _ = heartbeat.beat()
      guard let change = try add(step, to: &builder, store.reading) else { continue }
      if changes.count < UpdateLimits.componentEvents { changes.append(change) }
    }
    let number = builder.number
    do throws(StoreError) { try builder.finish(in: store) } catch { throw UpdateError(error) }
    figures.sample(try space(store.reading).available)
    try store.makeCurrent(number, target.release)
    for change in changes { events.publish(.component(change.name, change.state)) }
  }

  /// Adds what the step leaves installed; what it changes, if anything.
  private func add(
    _ step: PlanStep, to builder: inout GenerationBuilder, _ store: borrowing Store
  ) throws(UpdateError) -> (name: ComponentName, state: UpdateEvent.ComponentState)? {
    switch step {
    case .keep(let entry, _):
      switch generation {
      case .some(let generation): try wrap(store: builder.add(InstalledComponent(entry), from: generation))
      case .none: break
      }
      return nil
    case .fetch(let entry, _):
      try wrap(
        store: builder.add(
          InstalledComponent(entry), from: store.staging, shouldStop: heartbeat.shouldStop))
      return (entry.name, .installed)
    case .withdraw(let component):
      events.publish(.notice(.withdrawn(component.name)))
      return (component.name, .removed)
    case .remove(let component): return (component.name, .removed)
    case .ignore: return nil
    }
  }
}

extension GenerationBuilder {
  /// Adds the target's catalog: that of `current`, or the one that was downloaded.
  fileprivate func addCatalog(
    of target: CatalogedRelease, _ store: borrowing Store, from current: borrowing Generation?
  ) throws(UpdateError) {
    do throws(StoreError) {
      switch current {
      case .some(let generation):
        if try generation.manifest().release.catalog == target.catalog {
          return try addCatalog(from: generation)
        }
      case .none: break
      }
      switch try CatalogCache.open(store.path) {
      case .some(let cache): try addCatalog(target.catalog.digest, from: cache.files)
      case .none: throw StoreError.missing(path: store.path)
      }
    } catch { throw UpdateError(error) }
  }
}

extension LockedStore {
  /// Makes `generation`, which is at `release`, current; says so if only power loss can undo that.
  func makeCurrent(_ generation: UInt64, _ release: Release) throws(UpdateError) {
    do throws(StoreError) { try switchCurrent(to: generation) } catch {
      guard case .file(let cause) = error, try isCurrent(generation) else { throw UpdateError(error) }
      throw .notDurable(release, cause: cause)
    }
  }

  private func isCurrent(_ number: UInt64) throws(UpdateError) -> Bool {
    switch try wrap(store: reading.current()) {
    case .some(let generation): generation.number == number
    case .none: false
    }
  }
}

extension InstalledComponent {
  init(_ entry: CatalogEntry) {
    self.init(
      id: entry.name.id, dataGroup: entry.name.dataGroup, release: entry.description.release.number,
      size: entry.size, digest: entry.digest)
  }
}
