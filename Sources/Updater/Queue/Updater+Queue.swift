internal import InPlace
package import MapModel
package import Platform
internal import Store

/// The queue: the process that holds the store carries out what any process has asked for, one after the other.
extension Updater {
  /// Puts an operation into the queue; its number.
  package func enqueue(_ operation: Operation) throws(Failure) -> UInt64 {
    let number = try OperationQueue(making: configuration.root).add(operation)
    events.publish(.queued(number, operation))
    return number
  }

  /// Takes the store and carries out the next operation of the queue; nil if there is none.
  ///
  /// An error means that nothing could be begun: above all `Failure.busy`, while another process works.
  ///
  /// - `own`: the operation that this process was started for: SIGINT cancels that one, and leaves others to the
  ///   processes that wait for them.
  /// - `skipped`: operations that are not tried (again) in this run.
  package func runNextOperation(
    submittedAs own: UInt64? = nil, skipping skipped: [UInt64] = []
  ) throws(Failure) -> OperationReport? {
    let store = try openStore()
    let queue = try OperationQueue(making: configuration.root)
    let hasCancelled = try queue.cancelWaitingOperations()
    let all = try queue.operations()
    // What only the cancelled ones had a use for goes with them.
    if hasCancelled && all.isEmpty { removeUnreferencedFiles(store, staged: .removable) }
    if hasCancelled { forgetRefused(after: nil, in: store) }
    let waiting = all.filter {
      !skipped.contains($0.number) && configuration.automatic.obstacle(to: $0.operation) == nil
    }
    guard let next = waiting.first(where: { $0.operation.isManual }) ?? waiting.first else { return nil }
    let worker = try queue.beginWork()
    defer { withExtendedLifetime(worker) { queue.showNothing() } }
    let monitor = try QueueMonitor(configuration.root, for: next, skipping: skipped, configuration.automatic)
    let start = begin(next.operation.word, for: next)
    events.publish(.started(next))
    let events = events
    heartbeat.begin(monitor, for: next.number == own ? .thisProcess : .another) { events.pulse() }
    let isKept =
      isKept(forStandby: store.reading, next.operation)
      || hasOthers(than: next, among: all, in: store.reading)
    let (result, figures) = carryOut(next.operation, in: store, staged: isKept ? .kept : .removable)
    // The server gives what it refused; what came of it is kept.
    if next.operation.isOwed, figures.fetched > 0 {
      forgetRefused(after: next.operation, but: figures.refused, in: store)
    }
    let reason = heartbeat.end()
    var ending = OperationReport.Ending(result)
    if ending.isCancelled { ending = endingOfStopped(next, reason: reason, in: queue) }
    let report = report(of: start, ending: ending, figures: figures)
    // What has been done is done, whether that can be written down or not.
    do throws(Failure) { try settle(ending, of: next, in: queue, store: store) } catch {
      events.publish(.notice(.endingNotRecorded(reason: error.cause)))
    }
    close(report)
    return report
  }

  /// Others wait that may have staged something.
  ///
  /// What the device owes and does not get is asked for so often that nothing is kept for it.
  private func hasOthers(
    than operation: QueuedOperation, among all: [QueuedOperation], in store: borrowing Store
  ) -> Bool {
    var refused = RefusedPackages()
    do throws(Failure) { refused = try store.refusedPackages() } catch {}
    return all.contains { other in
      guard other.number != operation.number else { return false }
      return !other.operation.isOwed || !other.operation.ids.allSatisfy { refused[$0] != nil }
    }
  }

  /// Finds out why an operation was stopped, and what is left of it.
  private func endingOfStopped(
    _ queued: QueuedOperation, reason: StopReason?, in queue: borrowing OperationQueue
  ) -> OperationReport.Ending {
    switch reason {
    case .interrupted: return .failed(.cancelled)
    case .terminated: return .failed(.stopped)
    case .preempted(let other): return .steppedAside(for: other)
    case .postponed(let obstacle): return .postponed(obstacle)
    case .cancelled, .narrowed, .none:
      do throws(Failure) {
        guard let ids = try queue.cancellation(of: queued.number),
          let rest = queued.operation.without(ids)
        else { return .failed(.cancelled) }
        try queue.replace(queued.number, with: rest)
        return .narrowed
      } catch { return .failed(error) }
    }
  }

  /// Leaves queue and staging as the ending asks for.
  private func settle(
    _ ending: OperationReport.Ending, of operation: QueuedOperation, in queue: borrowing OperationQueue,
    store: borrowing LockedStore
  ) throws(Failure) {
    // Asked for now, since operations come and go while one is carried out.
    let isShared = hasOthers(than: operation, among: try queue.operations(), in: store.reading)
    switch ending {
    case .narrowed, .steppedAside, .postponed, .failed(.stopped): return
    case .done(let outcome):
      if case .partial(_, _, let refused) = outcome, operation.operation.isOwed {
        // The rest of what the device owes.
        try queue.replace(operation.number, with: .install(refused, isOwed: true))
        return removeFiles(after: ending, from: store, isShared: isShared)
      }
      noteRefusal(operation.operation, in: store)
      queueArea(after: operation, outcome, in: store)
      try queue.finish(
        operation.number, as: OperationResult(exitCode: outcome.code.rawValue, sentence: outcome.sentence))
      removeFiles(after: ending, from: store, isShared: isShared)
    case .failed(let error):
      // First, so that a full file system has room for the result.
      removeFiles(after: ending, from: store, isShared: isShared)
      let result = OperationResult(exitCode: error.result.rawValue, sentence: error.sentence)
      try queue.finish(
        operation.number, as: result, afterwards: error.keeps(operation.operation) ? .kept : .removed)
    }
  }

  /// Finishes an update in place that an earlier process has begun; nil if none is under way.
  package func finishPending() throws(Failure) -> OperationReport? {
    guard try isPending() else { return nil }
    let start = begin("apply")
    var figures = RunFigures()
    let ending: OperationReport.Ending
    do throws(Failure) {
      let store = try openStore()
      let worker = try OperationQueue(making: configuration.root).beginWork()
      defer { withExtendedLifetime(worker) {} }
      guard let outcome = try resumeInPlace(in: store, figures: &figures) else { return nil }
      removeUnreferencedFiles(store, staged: .kept)
      ending = .done(outcome)
    } catch { ending = .failed(error) }
    let report = report(of: start, ending: ending, figures: figures)
    close(report)
    return report
  }

  /// Carries `operation` out without the queue: for a file system that has no room even for that, and for what only
  /// this process has, such as a bundle.
  package func runAlone(_ operation: Operation) -> OperationReport {
    reported(operation.word) { (figures) throws(Failure) in try carryOutAlone(operation, figures: &figures) }
  }

  private func carryOutAlone(
    _ operation: Operation, figures: inout RunFigures
  ) throws(Failure) -> OperationReport.Ending {
    let store = try openStore()
    let queue = try OperationQueue(making: configuration.root)
    // Other processes must see that a catalog is in use.
    let worker = try queue.beginWork()
    defer { withExtendedLifetime(worker) {} }
    let isShared = try !queue.operations().isEmpty
    let isKept = isKept(forStandby: store.reading, operation)
    let (result, taken) = carryOut(operation, in: store, staged: isKept || isShared ? .kept : .removable)
    figures = taken
    if case .success(let outcome) = result { followArea(after: operation, outcome, in: store) }
    var ending = OperationReport.Ending(result)
    if ending.isCancelled, StopReason.signal(to: .thisProcess) == .terminated {
      ending = .failed(.stopped)
    }
    removeFiles(after: ending, from: store, isShared: isShared)
    return ending
  }

  /// Removes what an operation that has ended leaves behind, and what it staged if nothing resumes from that.
  ///
  /// - `isShared`: other operations wait in the queue, and may have staged files of their own.
  private func removeFiles(
    after ending: OperationReport.Ending, from store: borrowing LockedStore, isShared: Bool
  ) {
    removeUnreferencedFiles(store, staged: ending.emptiesStaging && !isShared ? .removable : .kept)
  }

  /// Removes half-made and old generations, catalogs that are not needed, and unless it is kept all of staging.
  ///
  /// What cannot be removed now is removed next time.
  func removeUnreferencedFiles(_ store: borrowing LockedStore, staged: OtherStaged) {
    do throws(Failure) {
      if staged == .removable { try emptyStaging(of: store) }
      try removeOldGenerations(store)
      guard let open = try CatalogCache.open(configuration.root) else { return }
      try removeCatalogs(of: store, in: open)
    } catch {}
  }

  private func removeOldGenerations(_ store: borrowing LockedStore) throws(Failure) {
    store.removeLeftovers()
    try store.removeStaleGenerations()
    try store.forgetDamageOfRemovedGenerations()
  }

  private func removeCatalogs(
    of store: borrowing LockedStore, in open: consuming CatalogCache
  ) throws(Failure) {
    let cache = try lock(open, waiting: .none)
    let known = try cache.reading.known()?.newest.catalog
    let installed = try store.reading.currentRelease()?.catalog
    let kept = [known, try store.reading.readableStandby()?.release.catalog].compactMap { $0 }
    try cache.clear(keeping: kept.filter { $0 != installed }.map { $0.digest })
    try removeParts(from: cache)
  }
}
