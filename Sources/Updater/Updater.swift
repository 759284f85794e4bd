package import Catalog
internal import Crypto
internal import Platform
internal import Store
internal import Transport

/// What came of an operation.
package enum Outcome: Equatable {
  /// The store has a new generation.
  case changed(from: Release?, to: Release)
  /// It is as it was asked for already; nil if nothing is installed.
  case nothingToDo(at: Release?)
}

/// The device's main job: it composes repository, catalog, patches and store.
///
/// Every change is prepared beside the current generation and becomes visible by one rename.
package struct Updater<Observer: UpdateObserver>: ~Copyable {
  private let configuration: Configuration
  private let stager: Stager
  private var repository: Repository
  package var observer: Observer
  /// What the run has taken so far.
  package private(set) var figures = RunFigures()

  package init(_ configuration: Configuration, _ observer: Observer) throws(UpdateError) {
    let repository = try Repository(configuration)
    self.configuration = configuration
    stager = Stager(budget: configuration.memoryBudget)
    self.repository = repository
    self.observer = observer
  }

  /// Bytes that came over the network.
  package var downloaded: UInt64 { repository.downloaded }

  // MARK: - Questions

  /// The newest release of the repository.
  package mutating func newestRelease() throws(UpdateError) -> Release {
    try repository.newestRelease(&observer).release
  }

  /// What `operation` would do and take; the release is nil if there is nothing to do.
  ///
  /// `body`: is called with every component that changes, in the order of the catalog.
  package mutating func plan(
    _ operation: Operation, each body: (CatalogEntry, Payload) -> Void
  ) throws(UpdateError) -> (plan: Plan, target: Release?, available: UInt64) {
    let store = try openStore()
    let space = try space(store)
    guard let target = try prepare(operation, store) else {
      return (Plan(space: space, includesIndexes: configuration.index.command != nil), nil, available(space))
    }
    return (try survey(operation, store, target, body), target.release, available(space))
  }

  /// Walks through all components of the installed release, or of the newest if nothing is installed.
  ///
  /// A wanted component is `keep`, the others are `ignore`.
  package mutating func list(_ body: (PlanStep) -> Void) throws(UpdateError) -> Release {
    if let target = try installedTarget() {
      let store = try storing { () throws(StoreError) in try Store(opening: configuration.root, for: .read) }
      return try Updater.walk(store, target, body)
    }
    let store = try openStore()
    let newest = try repository.newestRelease(&observer)
    try fetchCatalog(newest, store)
    return try Updater.walk(store, newest, body)
  }

  /// What is installed; nil if there is no store yet, or nothing in it.
  package func installedTarget() throws(UpdateError) -> Target? {
    do throws(StoreError) {
      return try Store(opening: configuration.root, for: .read).currentHead().map { Target($0) }
    } catch {
      if case .missing = error { return nil }
      throw .store(error)
    }
  }

  private static func walk(
    _ store: borrowing Store, _ target: Target, _ body: (PlanStep) -> Void
  ) throws(UpdateError) -> Release {
    var walk = try store.walk(.update, at: target)
    while let step = try walk.next() { body(step) }
    return target.release
  }

  // MARK: - Changes

  /// Carries `operation` out.
  ///
  /// An error leaves the device as it was.
  package mutating func run(_ operation: Operation) throws(UpdateError) -> Outcome {
    let store = try openStore()
    do throws(UpdateError) { return try change(operation, store) } catch {
      if !error.keepsStaging { cleanUp(store) }
      throw error
    }
  }

  /// Makes the generation before the current one current again.
  package mutating func rollBack() throws(UpdateError) -> Outcome {
    let store = try openStore()
    let from = try store.currentTarget()
    do throws(StoreError) {
      switch try store.previous() {
      case .none: throw .nothingToRollBack
      case .some(let generation):
        let to = Target(try generation.manifest().head)
        try store.switchCurrent(to: generation.number)
        return .changed(from: from?.release, to: to.release)
      }
    } catch { throw .store(error) }
  }

  private mutating func change(_ operation: Operation, _ store: borrowing Store) throws(UpdateError)
    -> Outcome
  {
    let from = try store.currentTarget()
    guard let target = try prepare(operation, store) else {
      cleanUp(store)
      return .nothingToDo(at: from?.release)
    }
    let plan = try survey(operation, store, target) { _, _ in }
    guard plan.changesAnything || from?.release != target.release else {
      cleanUp(store)
      return .nothingToDo(at: target.release)
    }
    try checkSpace(plan, store)
    observer.planned(plan, from: from?.release, to: target.release)
    if plan.fetched > 0 { try stage(operation, store, target, plan) }
    try commit(operation, store, target)
    cleanUp(store)
    return .changed(from: from?.release, to: target.release)
  }

  /// Decides which release the operation goes to, and has its catalog ready; nil: nothing to do.
  private mutating func prepare(_ operation: Operation, _ store: borrowing Store) throws(UpdateError)
    -> Target?
  {
    let current = try store.currentTarget()
    switch operation {
    case .uninstall(let ids):
      guard let current else { throw .notInstalled(ids) }
      return current
    case .install: if let current { return current }
    case .update: if current == nil { return nil }
    }
    let newest = try repository.newestRelease(&observer)
    if let current, newest.release.number <= current.release.number { return nil }
    try fetchCatalog(newest, store)
    return newest
  }

  private mutating func fetchCatalog(
    _ target: Target, _ store: borrowing Store
  ) throws(UpdateError) {
    do throws(StoreError) {
      if try store.staging.isComplete(target.catalog, size: target.catalogSize) { return }
    } catch { throw .store(error) }
    let file = WholeFile(url: target.catalogURL, size: target.catalogSize, digest: target.catalog)
    try stager.stage(file, store.staging, &repository, &observer)
  }

  /// Adds up what the operation takes, and refuses ids that nothing belongs to.
  private mutating func survey(
    _ operation: Operation, _ store: borrowing Store, _ target: Target,
    _ body: (CatalogEntry, Payload) -> Void
  ) throws(UpdateError) -> Plan {
    var plan = Plan(space: try space(store), includesIndexes: configuration.index.command != nil)
    var walk = try store.walk(operation, at: target)
    while let step = try walk.next() {
      switch step {
      case .keep(let entry): plan.keep(entry)
      case .remove, .withdraw: plan.remove()
      case .ignore: break
      case .fetch(let entry, let installed):
        let payload = try stager.payload(entry, installed: installed, store.staging)
        try stager.count(entry, payload, store.staging, in: &plan)
        body(entry, payload)
      }
    }
    let unmatched = walk.unmatched
    guard unmatched.isEmpty else {
      if case .uninstall = operation { throw .notInstalled(unmatched) }
      throw .unknownPackages(unmatched)
    }
    return plan
  }

  /// Fetches every component that is new, one after the other.
  private mutating func stage(
    _ operation: Operation, _ store: borrowing Store, _ target: Target, _ plan: Plan
  ) throws(UpdateError) {
    let generation = try storing { () throws(StoreError) in try store.current() }
    var walk = try store.walk(operation, at: target)
    var waiting = plan.fetched
    var indexer = Indexer(configuration, target.release)
    let before = downloaded
    defer { figures.fetched += downloaded - before }
    while let step = try walk.next() {
      if Interruption.isRequested { throw .cancelled }
      guard case .fetch(let entry, let installed) = step else { continue }
      waiting -= 1
      var payload = try stager.payload(entry, installed: installed, store.staging)
      if case .patch(_, let base) = payload, try !isIntact(base, generation) {
        observer.noticed(.damagedBase(entry.name))
        payload = try stager.payload(entry, installed: nil, store.staging)
      }
      observer.began(payload, entry.name, size: entry.size, waiting: waiting)
      try stager.stage(entry, payload, base: generation, store.staging, &repository, &observer)
      observer.staged(entry.name, size: entry.size)
      try indexer.start(entry, store, &observer)
      figures.sample(try space(store).available)
    }
    try indexer.finish(store, &observer)
    figures.indexed += indexer.size
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

  /// Builds the generation from staging and the current one, and switches to it.
  private mutating func commit(
    _ operation: Operation, _ store: borrowing Store, _ target: Target
  ) throws(UpdateError) {
    let current = try storing { () throws(StoreError) in try store.current() }
    figures.sample(try space(store).available)
    var walk = try store.walk(operation, at: target)
    var builder = try storing { () throws(StoreError) in try store.beginGeneration(target.manifestHead) }
    try addCatalog(target, to: builder, store, current)
    while let step = try walk.next() {
      do throws(StoreError) {
        switch step {
        case .keep(let entry): try add(InstalledComponent(entry), to: &builder, from: current)
        case .fetch(let entry, _): try builder.add(InstalledComponent(entry), from: store.staging)
        case .withdraw(let component): observer.noticed(.withdrawn(component.name))
        case .remove, .ignore: break
        }
      } catch { throw .store(error) }
    }
    let number = builder.number
    do throws(StoreError) {
      try builder.finish(in: store)
      figures.sample(try store.space().available)
      try store.switchCurrent(to: number)
    } catch { throw .store(error) }
  }

  private func add(
    _ component: InstalledComponent, to builder: inout GenerationBuilder, from current: borrowing Generation?
  ) throws(StoreError) {
    switch current {
    case .some(let generation): try builder.add(component, from: generation)
    case .none: break
    }
  }

  private func addCatalog(
    _ target: Target, to builder: borrowing GenerationBuilder, _ store: borrowing Store,
    _ current: borrowing Generation?
  ) throws(UpdateError) {
    do throws(StoreError) {
      switch current {
      case .some(let generation):
        if try generation.manifest().head.catalog == target.catalog {
          return try builder.addCatalog(from: generation)
        }
      case .none: break
      }
      try builder.addCatalog(target.catalog, from: store.staging)
    } catch { throw .store(error) }
  }

  // MARK: - The store

  private func openStore() throws(UpdateError) -> Store {
    try storing { () throws(StoreError) in try Store(opening: configuration.root, for: .change) }
  }

  private func space(_ store: borrowing Store) throws(UpdateError) -> Space {
    do throws(StoreError) { return try store.space() } catch { throw .store(error) }
  }

  private func available(_ space: Space) -> UInt64 {
    space.available - min(space.available, configuration.spaceReserve)
  }

  private mutating func checkSpace(_ plan: Plan, _ store: borrowing Store) throws(UpdateError) {
    let space = try space(store)
    figures.sample(space.available)
    let available = available(space)
    guard plan.peakDisk <= available else {
      throw .outOfSpace(needed: plan.peakDisk, available: available, path: store.path)
    }
  }

  /// Leaves nothing behind that is in no generation.
  ///
  /// What cannot be removed now is removed next time.
  private func cleanUp(_ store: borrowing Store) {
    do throws(StoreError) {
      try store.staging.clear()
      try store.removeLeftovers()
      try store.removeStaleGenerations()
    } catch {}
  }
}

extension InstalledComponent {
  init(_ entry: CatalogEntry) {
    self.init(
      id: entry.name.id, dataGroup: entry.name.dataGroup, release: entry.description.release.number,
      size: entry.size, digest: entry.digest)
  }
}
