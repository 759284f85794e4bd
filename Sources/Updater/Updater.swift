package import Catalog
package import MapModel
package import MapTree
internal import Platform
internal import Releases
internal import Store

/// The device's main job: it composes repository, catalog, patches and store.
///
/// Every change is prepared beside the current generation and becomes visible by one rename. Operations wait in a queue
/// on disk; the process that holds the store carries them out (`Queue/`). What happens is written to the store's
/// `history`, `events` and `queue/active`, whoever observes it.
package struct Updater: ~Copyable {
  let configuration: Configuration
  let repository: Repository
  let events: ActivityPublisher
  let heartbeat: Heartbeat

  /// Opens no connection and no store yet.
  ///
  /// - `echo`: gets each line that is written to the store's `events`.
  /// - `observe`: gets each event.
  package init(
    _ configuration: Configuration, echo: ((String) -> Void)? = nil,
    observe: @escaping (UpdateEvent) -> Void = { _ in }
  ) throws(UpdateError) {
    try self.init(
      configuration, ActivityPublisher(configuration.root, echo: echo, observe: observe), Heartbeat())
  }

  init(
    _ configuration: Configuration, _ events: ActivityPublisher, _ heartbeat: Heartbeat
  ) throws(UpdateError) {
    repository = try Repository(configuration, heartbeat, events)
    self.configuration = configuration
    self.events = events
    self.heartbeat = heartbeat
  }

  /// Bytes that came over the network.
  package var downloaded: UInt64 { repository.downloaded }

  // MARK: - Questions

  /// What `operation` would do and take.
  ///
  /// - `body`: called with every component that changes, in the order of the catalog.
  package func plan(
    _ operation: Operation, each body: (CatalogEntry, Payload, PayloadOptions) -> Void
  ) throws(UpdateError) -> PlannedOperation {
    let store = try openForQuestion()
    // Another process may replace the current generation meanwhile: this one is what all of the answer is about.
    let generation = try wrap(store: store.holdCurrent())
    let context = try RunContext(store)
    let space = try wrap(store: store.space())
    let available = configuration.available(of: space)
    let current = try release(of: generation)
    guard let target = try chooseTarget(for: operation, installed: current).target else {
      let nothing = Plan(space: space, includesIndexes: configuration.index.command != nil)
      return PlannedOperation(plan: nothing, target: nil, available: available, files: space.files)
    }
    var run = Run(operation, from: consume generation, to: target, context, self)
    let plan = try run.survey(store, each: body)
    let isNothing = !plan.changesAnything && current?.release == target.release
    return PlannedOperation(
      plan: plan, target: isNothing ? nil : target.release, available: available, files: space.files)
  }

  /// What is installed; nil if there is no store yet, or nothing in it.
  func installedRelease() throws(UpdateError) -> CatalogedRelease? {
    do throws(StoreError) {
      return try Store(opening: configuration.root, for: .read).currentRelease()
    } catch {
      if case .missing = error { return nil }
      throw UpdateError(error)
    }
  }

  /// The release of `generation`; nil if there is none.
  private func release(of generation: borrowing Generation?) throws(UpdateError) -> CatalogedRelease? {
    switch generation {
    case .some(let generation): try wrap(store: generation.manifest().release)
    case .none: nil
    }
  }

  // MARK: - Carrying out

  /// Carries `operation` out in a store that is open for it, and says how it ended and what it took.
  ///
  /// An error leaves the maps as they were; what is staged then is the caller's to keep or to remove.
  ///
  /// - `staged`: what other operations of the queue have staged.
  func carryOut(
    _ operation: Operation, in store: borrowing Store, staged: OtherStaged
  ) -> (result: Result<Outcome, UpdateError>, figures: RunFigures) {
    var figures = RunFigures()
    do throws(UpdateError) {
      return (.success(try carryOut(operation, in: store, staged, &figures)), figures)
    } catch { return (.failure(error), figures) }
  }

  private func carryOut(
    _ operation: Operation, in store: borrowing Store, _ staged: OtherStaged, _ figures: inout RunFigures
  ) throws(UpdateError) -> Outcome {
    let context = try RunContext(store)
    if case .rebuilt(let release, let count) = try repairCurrent(in: store) {
      events.publish(.notice(.rebuilt(release, components: count)))
    }
    let generation = try wrap(store: store.current())
    let current = try release(of: generation)
    let choice = try chooseTarget(for: operation, installed: current)
    guard let target = choice.target else { return .nothingToDo(at: nil) }
    var run = Run(operation, from: consume generation, to: target, context, self)
    defer { figures = run.figures }
    let plan = try run.survey(store)
    guard plan.changesAnything || current?.release != target.release else {
      if case .update = operation {
        try configuration.checkApplication(choice.announced, newerThan: target.release)
      }
      return .nothingToDo(at: target.release)
    }
    if staged == .removable { try run.removeUnneededFiles(store) }
    try run.checkSpace(plan, store)
    run.figures.plan = plan
    events.publish(.planned(plan, from: current?.release, to: target.release))
    if plan.fetched > 0 { try run.stage(plan, store) }
    try heartbeat.throwIfStopped()
    events.publish(.committing)
    try heartbeat.uninterrupted { () throws(UpdateError) in try run.commit(store) }
    return .changed(from: current?.release, to: target.release)
  }

  // MARK: - Targets

  /// Decides which release the operation goes to, and has its catalog ready.
  private func chooseTarget(
    for operation: Operation, installed current: CatalogedRelease?
  ) throws(UpdateError) -> TargetChoice {
    switch (operation, current) {
    case (.uninstall, .some(let current)): return TargetChoice(target: current)
    case (.uninstall(let ids, _), .none): throw .notInstalled(ids)
    case (.update(let ids), .none):
      guard ids.isEmpty else { throw .notInstalled(ids) }
      return TargetChoice(target: nil)
    case (.update, .some), (.install, _): break
    }
    let offer = try learn(current)
    if case .install = operation, let current, offer.hasInstalled {
      return TargetChoice(target: current, announced: offer.announced)
    }
    let newest = try newestUsable(offer)
    if let current {
      guard newest.release.number > current.release.number else {
        return TargetChoice(target: current, announced: offer.announced)
      }
      if case .install = operation {
        events.publish(.notice(.releaseNotServed(current.release, to: newest.release)))
      }
    }
    try fetchCatalog(newest)
    return TargetChoice(target: newest, announced: offer.announced)
  }

  /// The newest release that the application of this device can read.
  func newestUsable(_ offer: Offer) throws(UpdateError) -> CatalogedRelease {
    guard let usable = offer.usable else {
      try configuration.checkApplication(offer.announced, newerThan: Release(number: 0, label: ""))
      throw .noReleases(url: configuration.repository ?? "")
    }
    return usable.cataloged
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
}

/// What came of an operation.
package enum Outcome: Equatable {
  /// The store has a new generation.
  case changed(from: Release?, to: Release)
  /// It is as it was asked for already; nil if nothing is installed.
  case nothingToDo(at: Release?)
}

/// What other operations of the queue may want of staging.
enum OtherStaged {
  /// Nothing: what this operation does not need goes.
  case removable
  /// They may have staged files of their own.
  case kept
}

/// Which release an operation goes to.
private struct TargetChoice {
  /// Nil: nothing is installed, and nothing is to be.
  let target: CatalogedRelease?
  /// The newest release, if the application is too old for it and the repository was asked.
  var announced: AnnouncedRelease?
}

/// The answer to what an operation would do.
package struct PlannedOperation {
  package let plan: Plan
  /// Nil if there is nothing to do.
  package let target: Release?
  /// Bytes that the operation may use.
  package let available: UInt64
  /// Files and directories (inodes) that it may use; nil where the file system has no such bound.
  package let files: UInt64?
}

extension Configuration {
  /// What of the file system an update may use.
  func available(of space: Space) -> UInt64 { space.available - min(space.available, spaceReserve) }

  /// Refuses to call `release` the newest one if a newer one waits for a newer application.
  fileprivate func checkApplication(
    _ announced: AnnouncedRelease?, newerThan release: Release
  ) throws(UpdateError) {
    guard let announced, announced.release.number > release.number else { return }
    throw .applicationTooOld(
      needed: announced.minimumApplication, has: applicationVersion ?? 0,
      release: announced.release)
  }
}
