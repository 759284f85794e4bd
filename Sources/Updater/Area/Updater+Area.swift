internal import MapModel
internal import Platform
internal import Releases
internal import Store

/// Packages that come and go because of the place of the device, as operations of the queue.
extension Updater {
  /// Puts into the queue what the place of the device asks for, after an operation is done.
  ///
  /// If that cannot be found out now, what is put there fails, and says why. If nothing can be put there, a notice says so:
  /// the next update looks again.
  func queueArea(after queued: QueuedOperation, _ outcome: Outcome, in store: borrowing LockedStore) {
    guard let next = next(after: queued.operation, outcome, in: store) else { return }
    do throws(Failure) {
      let others = try OperationQueue(making: configuration.root).operations()
      // One that waits since an earlier run does the same.
      if !others.contains(where: { $0.number != queued.number && $0.operation == next }) {
        _ = try enqueue(next)
      }
    } catch {
      events.publish(.notice(.areaNotKnown(reason: error.sentence)))
    }
  }

  /// Does at once what the place of the device asks for after `operation`, which had no room in the queue.
  func followArea(after operation: Operation, _ outcome: Outcome, in store: borrowing LockedStore) {
    guard configuration.bundle == nil, let next = next(after: operation, outcome, in: store) else { return }
    guard case .failure(let error) = carryOut(next, in: store, staged: .kept).result else { return }
    events.publish(.notice(.areaNotKnown(reason: error.sentence)))
  }

  private func next(
    after operation: Operation, _ outcome: Outcome, in store: borrowing LockedStore
  ) -> Operation? {
    guard configuration.area.radius != nil else { return nil }
    switch operation {
    case .update(let ids, let release, let mode):
      guard ids.isEmpty, release == nil, mode != .staged, outcome.code == .success else { return nil }
      do throws(Failure) {
        var places = try AreaPlaces(configuration)
        try noteNeeds(around: &places, in: store)
        return try areaChange(around: &places, in: store.reading)?.isEmpty ?? true ? nil : .area(mode: mode)
      } catch { return error.isCancelled ? nil : .area(mode: mode) }
    case .area(let mode):
      guard outcome.change != nil else { return nil }
      do throws(Failure) {
        if try areaChange(in: store.reading)?.isEmpty == false { return .area(mode: mode) }
        // It was made for the generation before.
        return try store.reading.standby() == nil ? nil : .update(mode: mode)
      } catch { return error.isCancelled ? nil : .area(mode: mode) }
    case .install, .uninstall, .repair: return nil
    }
  }

  /// What the place of the device asks for waits in the queue, as far as is known.
  package var hasArea: Bool {
    do throws(Failure) {
      guard let queue = try OperationQueue.open(configuration.root) else { return false }
      return try queue.operations().contains { if case .area = $0.operation { true } else { false } }
    } catch { return false }
  }

  /// Carries out what the place of the device asks for: at most one generation for what goes, and one for what comes.
  func carryOutArea(
    in store: borrowing LockedStore, staged: OtherStaged, figures: inout RunFigures
  ) throws(Failure) -> Outcome {
    let current = try store.reading.currentRelease()?.release
    guard let change = try areaChange(in: store.reading), !change.isEmpty else {
      return .nothingToDo(at: current)
    }
    events.publish(.area(change))
    var outcome = Outcome.nothingToDo(at: current)
    let (coming, going) = (change.coming, change.going)
    if !going.isEmpty { outcome = try remove(going, at: change.target, in: store, figures: &figures) }
    if change.makesRoom { try removePrevious(in: store) }
    guard !coming.isEmpty else { return outcome }
    let time = try ReleaseFinder.now(configuration)
    // Before they are there: what is there and not in the record stays.
    try store.changeAreaRecord { $0.add(coming, at: time) }
    do throws(Failure) {
      let arrival = try carryOutNext(
        .install(coming), in: store, staged: staged, supply: .repositoryAt(change.target), figures: &figures)
      if case .partial(let from, let to, _) = arrival {
        return outcome.followed(by: .changed(from: from, to: to))
      }
      return outcome.followed(by: arrival)
    } catch {
      // Nobody has asked for them.
      if case .packagesRefused = error { return outcome }
      if let gone = outcome.change { events.publish(.changed(from: gone.from, to: gone.to)) }
      throw error
    }
  }

  /// Removes packages that came because of the place of the device and are not needed there, if `plan` has no room
  /// otherwise; false if that was not to be done, or would not be enough.
  func makeRoomOfArrivals(
    for plan: Plan, of run: borrowing Run, in store: borrowing LockedStore
  ) throws(Failure) -> Bool {
    guard let radius = configuration.area.radius, let current = try store.reading.currentRelease(),
      let going = try dispensable(for: plan, of: run, in: store.reading)
    else { return false }
    var change = AreaChange(target: current, radius: radius)
    (change.going, change.makesRoom) = (going, true)
    events.publish(.area(change))
    var figures = RunFigures()
    _ = try remove(going, at: current, in: store, figures: &figures)
    events.publish(.changed(from: current.release, to: current.release))
    try removePrevious(in: store)
    return true
  }

  private func remove(
    _ going: [PackageID], at release: CatalogedRelease, in store: borrowing LockedStore,
    figures: inout RunFigures
  ) throws(Failure) -> Outcome {
    let outcome = try carryOutNext(
      .uninstall(going), in: store, staged: .kept, supply: .repositoryAt(release), figures: &figures)
    // Those that are gone and still in it, the next update forgets.
    do throws(Failure) { try store.changeAreaRecord { $0.keep { !going.includes($0.id) } } } catch {}
    return outcome
  }

  /// The generation before has links to what has gone.
  private func removePrevious(in store: borrowing LockedStore) throws(Failure) {
    let freed = try store.reading.spaceOfOtherGenerations().bytes
    events.publish(.notice(.previousRemoved(freed: freed)))
    _ = try store.removeOtherGenerations()
  }

  /// A user has asked for packages, or is about to: they are there because of that from now on.
  func noteClaim(_ operation: Operation, in store: borrowing LockedStore) throws(Failure) {
    guard case .install(let ids, _, isOwed: false) = operation else { return }
    do throws(Failure) { try store.changeAreaRecord { $0.claim(ids) } } catch {
      guard case .file(let cause) = error, !cause.errno.isOfShortage else { throw error }
      // Where it cannot be read, everything was asked for.
      try store.replaceAreaRecord(with: AreaRecord())
    }
  }

  /// A user has uninstalled packages: they do not come back by themselves at once.
  func noteRefusal(_ operation: Operation, in store: borrowing LockedStore) {
    guard configuration.area.radius != nil, case .uninstall(let ids, _) = operation else { return }
    do throws(Failure) {
      let time = try ReleaseFinder.now(configuration)
      try store.changeAreaRecord { $0.refuse(ids, at: time) }
    } catch { events.publish(.notice(.areaNotKnown(reason: error.sentence))) }
  }

  /// Writes down which packages the device has been near since the last time, and forgets those that are gone.
  private func noteNeeds(
    around places: inout AreaPlaces, in store: borrowing LockedStore
  ) throws(Failure) {
    let record = try store.reading.areaRecord()
    guard record != AreaRecord() else { return }
    let (now, keep) = (try ReleaseFinder.now(configuration), configuration.area.keep)
    let here = try places.packages(searching: self)
    let left = try places.left(since: record.looked, searching: self)
    let installed = try AreaInventory(record.arrivals.map { $0.id }, in: store.reading)
    try store.changeAreaRecord { record in
      record.keep { installed.has($0.id) }
      for id in here where (record[id]?.needed ?? now) + UpdateLimits.needInterval <= now {
        record.need(id, at: now)
      }
      // Places are noted by a clock that may be wrong.
      for (ids, time) in left { for id in ids { record.need(id, at: min(time, now)) } }
      if let last = left.last { record.looked = last.time }
      record.forgetRefusals(before: now - keep)
    }
  }
}
