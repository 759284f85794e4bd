internal import InPlace
internal import MapModel
internal import Platform
internal import Store

/// What an operation does some of whose packages the server does not give to this device (`docs/device.md`, Packages
/// that the server refuses). All others are staged.
extension Updater {
  /// Has `run` go on without what was refused, and puts the download of what the device owes into the queue; throws if it
  /// is to wait for that instead.
  ///
  /// - `isDeferred`: what it makes stands by. Then it waits for all: nothing would be owed until that becomes current, and
  ///   a later run would not find it complete.
  /// - Returns: the plan without those packages.
  @discardableResult
  func goOnWithoutRefused(
    _ run: inout Run, isDeferred: Bool, in store: borrowing LockedStore
  ) throws(Failure) -> Plan {
    run.figures.refused = run.refusals.ids
    noteRefused(by: run, in: store)
    if isDeferred { throw run.refusal(of: run.refusals.ids) }
    let missed = try missed(of: run, in: store.reading)
    // Over plain http anybody between could take maps away.
    let mayLeaveOut = configuration.refused == .leaveOut && run.refusals.areAuthentic
    guard missed.isEmpty || mayLeaveOut else { throw run.refusal(of: missed) }
    run.leftOut = run.refusals.ids
    let plan = try run.survey(store.reading)
    let current = try store.reading.currentRelease()?.release
    let changesRelease = current.map { $0 != run.target.release } ?? false
    guard !plan.leavesNothing, plan.changesAnything || changesRelease else {
      throw run.refusal(of: run.refusals.ids)
    }
    run.figures.plan = plan
    run.missing = missed
    // Before they are gone: an operation that finds them there ends by itself. What came by itself comes so again.
    let area = try store.reading.areaRecord()
    try owe(missed.filter { area[$0] == nil })
    return plan
  }

  /// Stores what an update in place takes, without what is refused.
  func storePayloads(
    of run: inout Run, _ plan: Plan, isDeferred: Bool, in store: borrowing LockedStore
  ) throws(Failure) -> InPlaceDraft {
    let draft = try run.storePayloads(plan, in: store)
    if run.refusals.isEmpty { return draft }
    let rest = try goOnWithoutRefused(&run, isDeferred: isDeferred, in: store)
    return try run.storePayloads(rest, in: store)
  }

  /// What came of a run, given what was refused.
  func finish(
    _ run: borrowing Run, with outcome: Outcome, in store: borrowing LockedStore
  ) -> Outcome {
    forgetRefused(after: run.operation, but: run.refusals.ids, in: store)
    guard !run.refusals.isEmpty, case .changed(let from, let to) = outcome else { return outcome }
    if !run.missing.isEmpty { return .incomplete(from: from, to: to) }
    guard case .install = run.operation else { return outcome }
    return .partial(from: from, to: to, without: run.refusals.ids)
  }

  /// The refused packages that the device has, or is to have in the place of others.
  private func missed(of run: borrowing Run, in store: borrowing Store) throws(Failure) -> [PackageID] {
    let ids = run.refusals.ids.sorted()
    let installed = try AreaInventory(ids, in: store)
    return ids.filter { id in
      if installed.has(id) { return true }
      if case .install(let asked, _, _) = run.operation { return !asked.includes(id) }
      return true
    }
  }

  /// Writes down what is refused, for `list` and `status`.
  private func noteRefused(by run: borrowing Run, in store: borrowing LockedStore) {
    let refusals = run.refusals
    do throws(Failure) {
      let time = try ReleaseFinder.now(configuration)
      try store.changeRefusedPackages { record in
        for id in refusals.ids { record.add(.init(id: id, since: time, cause: refusals.cause)) }
      }
    } catch { events.publish(.notice(.notNoted(reason: error.sentence))) }
  }

  /// Forgets the refusals that an operation was about which is done, but those of `refused`; without an operation, after
  /// some were cancelled, those that nobody waits for any more.
  func forgetRefused(
    after operation: Operation?, but refused: [PackageID] = [], in store: borrowing LockedStore
  ) {
    // What cannot be written now is written next time.
    do throws(Failure) {
      let known = try store.reading.refusedPackages().all.map { $0.id }
      if known.isEmpty { return }
      let owed = try owedPackages(in: try OperationQueue(making: configuration.root))
      let (installed, area) = (try AreaInventory(known, in: store.reading), try store.reading.areaRecord())
      try store.changeRefusedPackages { record in
        record.keep { id in
          if refused.contains(id) { return true }
          switch operation {
          case .none: return owed.contains(id) || area[id] != nil || installed.has(id)
          case .update: return owed.contains(id) || area[id] != nil && !installed.has(id)
          case .some(let operation): return !operation.ids.includes(id)
          }
        }
      }
    } catch {}
  }
}
