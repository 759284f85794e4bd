package import Catalog
internal import Crypto
package import MapModel
package import MapTree
internal import Platform
internal import Releases
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
  let configuration: Configuration
  var stager: Stager
  var repository: Repository
  package var observer: Observer
  let heartbeat: Heartbeat
  /// What the operation at hand, or the last one, has taken.
  package internal(set) var figures = RunFigures()

  package init(_ configuration: Configuration, _ observer: Observer) throws(UpdateError) {
    try self.init(configuration, observer, Heartbeat())
  }

  init(_ configuration: Configuration, _ observer: Observer, _ heartbeat: Heartbeat) throws(UpdateError) {
    let repository = try Repository(configuration, heartbeat)
    self.configuration = configuration
    self.heartbeat = heartbeat
    stager = Stager(budget: configuration.memoryBudget, heartbeat)
    self.repository = repository
    self.observer = observer
  }

  /// Called a few times a second while an operation of the queue is carried out.
  package var pulse: (() -> Void)?
  /// The newest release, if the application of this device is too old for it; known after a look at the repository.
  var announced: AnnouncedRelease?

  /// The data groups that the operation goes by, read once so that its plan and its commit see the same.
  var groups = DataGroups()

  /// Bytes that came over the network.
  package var downloaded: UInt64 { repository.downloaded }

  // MARK: - Questions

  /// What `operation` would do and take; the release is nil if there is nothing to do.
  ///
  /// `body`: is called with every component that changes, in the order of the catalog.
  package mutating func plan(
    _ operation: Operation, each body: (CatalogEntry, Payload, PayloadOptions) -> Void
  ) throws(UpdateError) -> (plan: Plan, target: Release?, available: UInt64, files: UInt64?) {
    let store = try openForQuestion()
    // Another process may replace the current generation meanwhile: this one is what all of the answer is about.
    let generation = try wrap(store: store.holdCurrent())
    groups = try wrap(store: store.dataGroups())
    try stager.learn(from: store.staging)
    let space = try space(store)
    let current = try release(of: generation)
    guard let target = try prepare(operation, current) else {
      let nothing = Plan(space: space, includesIndexes: configuration.index.command != nil)
      return (nothing, nil, available(space), space.files)
    }
    let plan = try survey(operation, store, generation, target, body)
    let isNothing = !plan.changesAnything && current?.release == target.release
    return (plan, isNothing ? nil : target.release, available(space), space.files)
  }

  /// What is installed; nil if there is no store yet, or nothing in it.
  package func installedRelease() throws(UpdateError) -> CatalogedRelease? {
    do throws(StoreError) {
      return try Store(opening: configuration.root, for: .read).currentRelease()
    } catch {
      if case .missing = error { return nil }
      throw UpdateError(error)
    }
  }

  /// The release of `generation`; nil if there is none.
  private func release(of generation: borrowing Generation?) throws(UpdateError) -> CatalogedRelease? {
    do throws(StoreError) {
      switch generation {
      case .some(let generation): return try generation.manifest().release
      case .none: return nil
      }
    } catch { throw UpdateError(error) }
  }

  // MARK: - Changes

  /// Carries `operation` out in a store that is open for it.
  ///
  /// An error leaves the device as it was; what is staged then is the caller's to keep or to remove (`tidy`).
  ///
  /// - `sharesStaging`: other operations may want what this one does not.
  mutating func run(
    _ operation: Operation, _ store: borrowing Store, sharesStaging: Bool
  ) throws(UpdateError) -> Outcome {
    groups = try wrap(store: store.dataGroups())
    try stager.learn(from: store.staging)
    figures = RunFigures()
    if case .rebuilt(let release, let count) = try mend(store) {
      observer.noticed(.rebuilt(release, components: count))
    }
    let generation = try wrap(store: store.current())
    let from = try release(of: generation)
    guard let target = try prepare(operation, from) else { return .nothingToDo(at: nil) }
    let plan = try survey(operation, store, generation, target) { _, _, _ in }
    guard plan.changesAnything || from?.release != target.release else {
      if case .update = operation { try checkApplication(target.release) }
      return .nothingToDo(at: target.release)
    }
    if !sharesStaging { try sweep(operation, store, generation, target) }
    try checkSpace(plan, store)
    observer.planned(plan, from: from?.release, to: target.release)
    if plan.fetched > 0 {
      try announce(operation, store, generation, target)
      try stage(operation, store, generation, target, plan)
    }
    try heartbeat.throwIfStopped()
    observer.applies()
    try heartbeat.uninterrupted { () throws(UpdateError) in
      try commit(operation, store, generation, target)
    }
    return .changed(from: from?.release, to: target.release)
  }

  /// Gives up the way back: deletes every generation but the current one, and those that are being read.
  ///
  /// - Returns: there was one.
  package func confirm() throws(UpdateError) -> Bool {
    let store = try openStore()
    return try wrap(store: store.removeOtherGenerations())
  }

  /// Makes the generation before the current one current again.
  package mutating func rollBack() throws(UpdateError) -> Outcome {
    let store = try openStore()
    let isLost = try wrap(store: store.isCurrentLost())
    let from = try isLost ? nil : wrap(store: store.currentRelease())
    let (number, release): (UInt64, Release)
    switch try wrap(store: store.previous()) {
    case .none: throw UpdateError(StoreError.nothingToRollBack)
    case .some(let generation):
      (number, release) = (generation.number, try wrap(store: generation.manifest().release.release))
    }
    try switchCurrent(of: store, to: number, release)
    return .changed(from: from?.release, to: release)
  }

  /// Makes `generation`, which is at `release`, current; says so if only power loss can undo that.
  func switchCurrent(
    of store: borrowing Store, to generation: UInt64, _ release: Release
  ) throws(UpdateError) {
    do throws(StoreError) { try store.switchCurrent(to: generation) } catch {
      guard case .file(let cause) = error, try isCurrent(generation, in: store) else {
        throw UpdateError(error)
      }
      throw .notDurable(release, cause: cause)
    }
  }

  private func isCurrent(_ number: UInt64, in store: borrowing Store) throws(UpdateError) -> Bool {
    switch try wrap(store: store.current()) {
    case .some(let generation): generation.number == number
    case .none: false
    }
  }

  /// Decides which release the operation goes to, and has its catalog ready; nil: nothing is installed.
  private mutating func prepare(_ operation: Operation, _ current: CatalogedRelease?) throws(UpdateError)
    -> CatalogedRelease?
  {
    switch (operation, current) {
    case (.uninstall, .some(let current)): return current
    case (.uninstall(let ids, _), .none): throw .notInstalled(ids)
    case (.update(let ids), .none):
      guard ids.isEmpty else { throw .notInstalled(ids) }
      return nil
    default: break
    }
    let offer = try learn(current)
    if case .install = operation, let current, offer.hasInstalled { return current }
    let newest = try newestUsable(offer)
    if let current {
      guard newest.release.number > current.release.number else { return current }
      if case .install = operation {
        observer.noticed(.releaseNotServed(current.release, to: newest.release))
      }
    }
    try fetchCatalog(newest)
    return newest
  }

  /// The newest release that the application of this device can read.
  func newestUsable(_ offer: Offer) throws(UpdateError) -> CatalogedRelease {
    guard let usable = offer.usable else {
      try checkApplication(Release(number: 0, label: ""))
      throw .noReleases(url: configuration.repository ?? "")
    }
    return usable.cataloged
  }

  /// Refuses to call `release` the newest one if a newer one waits for a newer application.
  private func checkApplication(_ release: Release) throws(UpdateError) {
    guard let announced, announced.release.number > release.number else { return }
    throw .applicationTooOld(
      needed: announced.minimumApplication, has: configuration.applicationVersion ?? 0,
      release: announced.release)
  }

  /// Adds up what the operation takes, and refuses ids that nothing belongs to.
  private mutating func survey(
    _ operation: Operation, _ store: borrowing Store, _ generation: borrowing Generation?,
    _ target: CatalogedRelease,
    _ body: (CatalogEntry, Payload, PayloadOptions) -> Void
  ) throws(UpdateError) -> Plan {
    var plan = Plan(space: try space(store), includesIndexes: configuration.index.command != nil)
    var walk = try store.walk(operation, from: generation, to: target, groups)
    while let step = try walk.next(from: generation) {
      try heartbeat.throwIfStopped()
      switch step {
      case .keep(let entry, _): plan.keep(entry)
      case .remove, .withdraw: plan.remove()
      case .ignore: break
      case .fetch(let entry, let installed):
        let ways = stager.ways(entry, installed: installed)
        let payload = try stager.payload(entry, ways, store.staging)
        plan.fetch(entry, payload, try stager.share(entry, payload, store.staging))
        body(entry, payload, ways)
      }
    }
    let unmatched = walk.unmatched
    guard unmatched.isEmpty else {
      if case .uninstall = operation { throw .notInstalled(unmatched) }
      throw .tree(.unknownPackages(unmatched))
    }
    return plan
  }

  /// Tells which components will be fetched, as far as they are few.
  private mutating func announce(
    _ operation: Operation, _ store: borrowing Store, _ generation: borrowing Generation?,
    _ target: CatalogedRelease
  ) throws(UpdateError) {
    var walk = try store.walk(operation, from: generation, to: target, groups)
    var count = 0
    while count < Limits.componentEvents, let step = try walk.next(from: generation) {
      try heartbeat.throwIfStopped()
      guard case .fetch(let entry, _) = step else { continue }
      observer.waits(entry.name)
      count += 1
    }
  }

  /// Builds the generation from staging and the current one, and switches to it.
  private mutating func commit(
    _ operation: Operation, _ store: borrowing Store, _ current: borrowing Generation?,
    _ target: CatalogedRelease
  ) throws(UpdateError) {
    figures.sample(try space(store).available)
    var walk = try store.walk(operation, from: current, to: target, groups)
    var builder = try wrap(store: store.beginGeneration(target))
    var changes = Changes()
    try addCatalog(target, to: builder, store, current)
    while let step = try walk.next(from: current) {
      _ = heartbeat.beat()  // nothing stops here
      do throws(StoreError) {
        switch step {
        case .keep(let entry, _): try add(InstalledComponent(entry), to: &builder, from: current)
        case .fetch(let entry, _):
          try builder.add(
            InstalledComponent(entry), from: store.staging, shouldStop: heartbeat.shouldStop)
          changes.add(entry.name, isInstalled: true)
        case .withdraw(let component):
          observer.noticed(.withdrawn(component.name))
          changes.add(component.name, isInstalled: false)
        case .remove(let component): changes.add(component.name, isInstalled: false)
        case .ignore: break
        }
      } catch { throw UpdateError(error) }
    }
    let number = builder.number
    do throws(StoreError) { try builder.finish(in: store) } catch { throw UpdateError(error) }
    figures.sample(try space(store).available)
    try switchCurrent(of: store, to: number, target.release)
    for change in changes.list { observer.applied(change.name, isInstalled: change.isInstalled) }
  }

  private func add(
    _ component: InstalledComponent, to builder: inout GenerationBuilder, from current: borrowing Generation?
  ) throws(StoreError) {
    switch current {
    case .some(let generation): try builder.add(component, from: generation)
    case .none: break
    }
  }

  func addCatalog(
    _ target: CatalogedRelease, to builder: borrowing GenerationBuilder, _ store: borrowing Store,
    _ current: borrowing Generation?
  ) throws(UpdateError) {
    do throws(StoreError) {
      switch current {
      case .some(let generation):
        if try generation.manifest().release.catalog == target.catalog {
          return try builder.addCatalog(from: generation)
        }
      case .none: break
      }
      switch try CatalogCache.open(configuration.root) {
      case .some(let cache): try builder.addCatalog(target.catalog.digest, from: cache.files)
      case .none: throw StoreError.missing(path: configuration.root)
      }
    } catch { throw UpdateError(error) }
  }

  // MARK: - The store

  /// Opens the store without its lock, so that a question can be asked while another process works; makes it if there is none.
  private func openForQuestion() throws(UpdateError) -> Store {
    do throws(StoreError) { return try Store(opening: configuration.root, for: .read) } catch {
      guard case .missing = error else { throw UpdateError(error) }
    }
    return try openStore()
  }

  func openStore(for access: Store.Access = .change) throws(UpdateError) -> Store {
    try wrap(store: Store(opening: configuration.root, for: access))
  }

  func space(_ store: borrowing Store) throws(UpdateError) -> Space {
    try wrap(store: store.space())
  }

  func available(_ space: Space) -> UInt64 {
    space.available - min(space.available, configuration.spaceReserve)
  }

  private mutating func checkSpace(_ plan: Plan, _ store: borrowing Store) throws(UpdateError) {
    let space = try space(store)
    figures.sample(space.available)
    let available = available(space)
    guard plan.peakDisk <= available else {
      throw .outOfSpace(needed: plan.peakDisk, available: available, path: store.path)
    }
    if let files = space.files, plan.peakFiles > files {
      throw .outOfFiles(needed: plan.peakFiles, available: files, path: store.path)
    }
  }

  /// Removes half-made and old generations, and catalogs that nobody needs.
  ///
  /// What cannot be removed now is removed next time.
  func tidy(_ store: borrowing Store, emptyingStaging: Bool = false) {
    do throws(StoreError) {
      if emptyingStaging { try store.staging.clear() }
      store.removeLeftovers()
      try store.removeStaleGenerations()
      guard let cache = try CatalogCache.open(configuration.root), try cache.tryLock() else { return }
      let known = try cache.known()?.newest.catalog
      try cache.clear(keeping: try store.currentRelease()?.catalog == known ? nil : known?.digest)
    } catch {}
  }
}

/// What a commit has changed, as far as it is little.
private struct Changes {
  private(set) var list: [(name: ComponentName, isInstalled: Bool)] = []

  mutating func add(_ name: ComponentName, isInstalled: Bool) {
    if list.count < Limits.componentEvents { list.append((name, isInstalled)) }
  }
}

extension InstalledComponent {
  init(_ entry: CatalogEntry) {
    self.init(
      id: entry.name.id, dataGroup: entry.name.dataGroup, release: entry.description.release.number,
      size: entry.size, digest: entry.digest)
  }
}
