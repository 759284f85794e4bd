package import Catalog
package import MapModel
package import MapTree
package import Platform
internal import Releases
internal import Store

/// The device's main job: it composes repository, catalog, patches and store.
///
/// Every change is prepared next to the current generation and becomes visible by one rename. Operations wait in a queue
/// on disk; the process that holds the store carries them out (`Queue/`). What happens is written to the store's
/// `history`, `events` and `queue/active`, whoever observes it.
package struct Updater: ~Copyable {
  let settings: SharedConfiguration
  let repository: Repository
  let events: ActivityPublisher
  let heartbeat: Heartbeat

  /// Opens no connection and no store yet.
  ///
  /// - `record`: where what happens is written.
  /// - `confines`: from the first request on, this process can do nothing but its work (`Configuration.confine`).
  /// - `echo`: gets each line of that.
  /// - `observe`: gets each event.
  package init(
    _ configuration: Configuration, record: EventRecord = .store, confines: Bool = false,
    echo: ((String) -> Void)? = nil, observe: @escaping (UpdateEvent) -> Void = { _ in }
  ) throws(Failure) {
    try self.init(
      configuration,
      events: ActivityPublisher(configuration.root, record: record, echo: echo, observe: observe),
      heartbeat: Heartbeat(), exposure: confines ? .confined : .unconfined)
  }

  init(
    _ configuration: Configuration, events: ActivityPublisher, heartbeat: Heartbeat,
    exposure: Repository.Exposure = .unconfined
  ) throws(Failure) {
    repository = try Repository(configuration, heartbeat: heartbeat, events: events, exposure: exposure)
    settings = SharedConfiguration(configuration)
    self.events = events
    self.heartbeat = heartbeat
  }

  var configuration: Configuration { _read { yield settings.value } }

  /// Bytes that came over the network.
  package var downloaded: UInt64 { repository.downloaded }

  // MARK: - Questions

  /// What `operation` would do and take.
  ///
  /// - `body`: called with every component that changes, in the order of the catalog.
  package func plan(
    _ operation: Operation, each body: @escaping (CatalogEntry, Payload, PayloadOptions) -> Void
  ) throws(Failure) -> PlannedOperation {
    let store = try openForQuestion()
    // Another process may replace the current generation meanwhile: this one is what all of the answer is about.
    let generation = try store.holdCurrent()
    let current = try generation.release()
    let choice = try chooseTarget(for: operation, installed: current)
    // What was fetched to answer takes space too.
    let space = try store.space()
    let available = try configuration.available(of: space)
    guard let target = choice.target, choice.leaving != .byRollback else {
      let nothing = Plan(space: space, includesIndexes: configuration.index.command != nil)
      return PlannedOperation(
        plan: nothing, target: choice.target?.release, available: available, files: space.files,
        room: .beside, sufficient: nil, inPlace: nil, giving: [], isRollback: choice.target != nil)
    }
    var run = try question(operation, from: consume generation, to: target, in: store)
    let plan = try run.survey(store, each: body)
    let room = try run.room(for: plan, in: store, allowing: configuration.lowSpace)
    let giving = try dispensable(for: plan, of: run, in: store) ?? []
    let sufficient = try room == .none ? run.sufficient(for: plan, in: store) : nil
    let isInPlace = room == .inPlace || sufficient == .inPlace
    let estimate = try isInPlace ? run.estimateInPlace(plan, in: store) : nil
    let isNothing = !plan.changesAnything && current?.release == target.release
    return PlannedOperation(
      plan: plan, target: isNothing ? nil : target.release, available: available, files: space.files,
      room: room, sufficient: sufficient, inPlace: estimate, giving: giving, isRollback: false)
  }

  /// A run that is only to say what it would do.
  @inline(never)
  func question(
    _ operation: Operation, from generation: consuming Generation, to target: CatalogedRelease,
    in store: borrowing Store
  ) throws(Failure) -> Run {
    let previous = try previousGeneration(store)
    return Run(
      operation, from: generation, to: target, previous: previous, standby: try standbyGeneration(store),
      context: try RunContext(store), updater: self)
  }

  /// What is installed; nil if there is no store yet, or nothing in it.
  func installedRelease() throws(Failure) -> CatalogedRelease? {
    do throws(Failure) {
      return try Store(opening: configuration.root).currentRelease()
    } catch {
      if case .noStore = error { return nil }
      throw error
    }
  }

  // MARK: - Carrying out

  /// Carries `operation` out in a store that is open for it, and says how it ended and what it took.
  ///
  /// An error leaves the maps as they were; what is staged then is the caller's to keep or to remove.
  ///
  /// - `staged`: what other operations of the queue have staged.
  func carryOut(
    _ operation: Operation, in store: borrowing LockedStore, staged: OtherStaged
  ) -> (result: Result<Outcome, Failure>, figures: RunFigures) {
    var figures = RunFigures()
    do throws(Failure) {
      return (.success(try carryOut(operation, in: store, staged: staged, figures: &figures)), figures)
    } catch { return (.failure(error), figures) }
  }

  private func carryOut(
    _ operation: Operation, in store: borrowing LockedStore, staged: OtherStaged,
    figures: inout RunFigures
  ) throws(Failure) -> Outcome {
    try noteClaim(operation, in: store)
    let repaired = try repairCurrent(in: store)
    publishRepair(repaired)
    let resumed = try resumeInPlace(in: store, figures: &figures)
    // Without a base map, only an install says what is wanted: what was installed is not known any more.
    if repaired == .lost, resumed == nil, try adopt(in: store) == .empty {
      guard case .install = operation else { throw .mapsLost(path: configuration.root) }
    }
    guard let operation = try disowning(operation, in: store) else {
      if let resumed { return resumed }
      return .nothingToDo(at: try store.reading.currentRelease()?.release)
    }
    guard let resumed else {
      return try carryOutNext(operation, in: store, staged: staged, figures: &figures)
    }
    var next = RunFigures()
    do throws(Failure) {
      let outcome = try carryOutNext(operation, in: store, staged: staged, figures: &next)
      if outcome.change != nil { figures = next }
      return resumed.followed(by: outcome)
    } catch {
      // Without a connection, nothing is known of a newer release.
      guard operation.isDone(by: resumed), error.disposition == .retryLater || error.isWithoutRepository
      else {
        throw error
      }
      return resumed
    }
  }

  /// Does the same without what has to be repaired or finished first.
  func carryOutNext(
    _ operation: Operation, in store: borrowing LockedStore, staged: OtherStaged,
    supply: Supply = .repository, figures: inout RunFigures
  ) throws(Failure) -> Outcome {
    if case .area = operation { return try carryOutArea(in: store, staged: staged, figures: &figures) }
    if operation.mode == .automatic, let outcome = try activateIfDue(.timer, in: store) { return outcome }
    var generation = try store.reading.current()
    let current = try generation.release()
    if let outcome = try reenter(operation, in: store) { return outcome }
    let isCatalogLost = try isCatalogLost(of: generation)
    var context = try RunContext(store.reading)
    if operation.isRepair {
      guard let damage = try damageToMend(operation, of: generation, isCatalogLost: isCatalogLost)
      else { return .nothingToDo(at: current?.release) }
      context.damage = damage
    }
    if case .install = operation, current == nil { try store.checkFileSystem() }
    let choice = try choose(supply, for: operation, installed: current)
    guard let target = choice.target else { return .nothingToDo(at: nil) }
    if choice.leaving == .byRollback { return try leaveRecalled(store) }
    if case .update = operation { _ = try removeRecalledStandby(in: store) }
    let fetchesCatalog = isCatalogLost && target.catalog == current?.catalog
    if fetchesCatalog { try fetchLostCatalog(target, for: operation) }
    generation.isCatalogReplaced = fetchesCatalog
    var run = Run(
      operation, from: consume generation, to: target, previous: try previousGeneration(store.reading),
      standby: try standbyGeneration(store.reading), context: context, updater: self)
    defer { figures = run.figures }
    try run.reuseIntactMaps(store)
    let plan = try run.survey(store.reading)
    guard plan.changesAnything || fetchesCatalog || current?.release != target.release else {
      forgetRefused(after: operation, in: store)
      if case .update = operation {
        try configuration.checkApplication(choice.announced, newerThan: target.release)
      }
      return .nothingToDo(at: target.release)
    }
    if case .staging = supply, plan.download > 0 { throw .standbyIncomplete(release: target.release.text) }
    let isDeferred = isDeferred(operation, from: current?.release, to: choice)
    if case .update = operation, let current, try run.isReady(plan, in: store.reading) {
      if isDeferred {
        try store.reschedule(from: choice.effective)
        return .standsBy(at: current.release, standby: target.release, from: choice.effective)
      }
      if let outcome = try activate(in: store) { return outcome }
    }
    try run.checkDepartures(plan, leaving: choice.leaving)
    if staged == .removable { try run.removeUnneededFiles(store) }
    try store.checkFileSize(plan.largest)
    if try makeRoomOfArrivals(for: plan, of: run, in: store) {
      let outcome = try carryOutNext(
        operation, in: store, staged: staged, supply: supply, figures: &figures)
      run.figures = figures
      return outcome
    }
    let room = try run.makeRoom(for: plan, in: store)
    run.figures.plan = plan
    events.publish(.planned(plan, from: current?.release, to: target.release))
    for departure in plan.departures where !departure.successors.isEmpty {
      events.publish(.notice(.replaced(departure)))
    }
    let from = current?.release
    let standby = isDeferred ? StandbyTime(from: choice.effective) : nil
    return room == .inPlace
      ? try changeInPlace(&run, plan, from: from, standingBy: standby, in: store)
      : try changeBeside(&run, plan, from: from, standingBy: standby, in: store)
  }

  /// When a release that is to stand by is in effect, in seconds since 1970; nil: already.
  private struct StandbyTime {
    let from: Int64?
  }

  /// Replaces the maps in the space that they have, or stores all that this takes.
  private func changeInPlace(
    _ run: inout Run, _ plan: Plan, from current: Release?, standingBy standby: StandbyTime?,
    in store: borrowing LockedStore
  ) throws(Failure) -> Outcome {
    let draft = try storePayloads(of: &run, plan, isDeferred: standby != nil, in: store)
    if let standby, let current {
      try run.standByInPlace(draft, from: standby.from, in: store)
      return stands(by: run.target.release, from: standby.from, at: current)
    }
    try run.beginInPlace(draft, in: store)
    let outcome = try finishInPlace(&run, in: store) ?? .nothingToDo(at: current)
    return finish(run, with: outcome, in: store)
  }

  /// Makes a generation beside the one that is there.
  private func changeBeside(
    _ run: inout Run, _ plan: Plan, from current: Release?, standingBy standby: StandbyTime?,
    in store: borrowing LockedStore
  ) throws(Failure) -> Outcome {
    if plan.fetched > 0 {
      do throws(Failure) { try run.stage(plan, in: store) } catch {
        throw try explain(error, of: run.operation, at: run.target.release)
      }
      if !run.refusals.isEmpty { try goOnWithoutRefused(&run, isDeferred: standby != nil, in: store) }
    }
    try heartbeat.throwIfStopped()
    events.publish(.committing)
    if let standby, let current {
      try heartbeat.uninterrupted { () throws(Failure) in try run.standBy(store, from: standby.from) }
      return stands(by: run.target.release, from: standby.from, at: current)
    }
    try heartbeat.uninterrupted { () throws(Failure) in try run.commit(store) }
    return finish(run, with: .changed(from: current, to: run.target.release), in: store)
  }

  // MARK: - The store

  /// Opens the store without its lock, so that a question can be asked while another process works; makes it if there is none.
  private func openForQuestion() throws(Failure) -> Store {
    do throws(Failure) { return try Store(opening: configuration.root) } catch {
      guard case .noStore = error else { throw error }
    }
    _ = try openStore()
    return try Store(opening: configuration.root)
  }

  func openStore() throws(Failure) -> LockedStore {
    let store = try LockedStore(opening: configuration.root)
    try settleInPlace(in: store)
    return store
  }
}
