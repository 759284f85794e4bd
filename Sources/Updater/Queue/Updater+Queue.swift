package import MapModel
internal import Platform
package import Store

/// What became of an operation of the queue.
package struct Work: Equatable {
  package let operation: QueuedOperation
  package let ending: Ending

  /// How far it got.
  package enum Ending: Equatable {
    case done(Outcome)
    case failed(UpdateError)
    /// A person's operation goes first; this one waits again and keeps what it has staged.
    case steppedAside(for: UInt64)
    /// A part of it was cancelled; the rest waits.
    case narrowed
  }
}

/// The queue: whichever process holds the store carries out what any of them was asked for, one after the other.
extension Updater {
  /// Puts an operation into the queue; its number.
  package func enqueue(_ operation: Operation) throws(UpdateError) -> UInt64 {
    try wrap(store: OperationQueue(making: configuration.root).add(operation))
  }

  /// Takes the store and carries out the next operation of the queue; nil if there is none.
  ///
  /// An error means that nothing could be begun: above all `StoreError.busy`, while another process works.
  ///
  /// - `own`: the operation that this process was started for: SIGINT cancels that one, and leaves others to the
  ///   processes that wait for them.
  /// - `passed`: operations that are not tried (again) in this run.
  package mutating func workOnce(
    own: UInt64? = nil, passing passed: [UInt64] = []
  ) throws(UpdateError) -> Work? {
    let store = try openStore()
    let queue = try wrap(store: OperationQueue(making: configuration.root))
    let isChanged = try wrap(store: queue.cancelWaitingOperations())
    let all = try wrap(store: queue.operations())
    // What only the cancelled ones had a use for goes with them.
    if isChanged && all.isEmpty { tidy(store, emptyingStaging: true) }
    let waiting = all.filter { !passed.contains($0.number) }
    guard let next = waiting.first(where: { $0.request.isManual }) ?? waiting.first else {
      return nil
    }
    let worker = try wrap(store: queue.beginWork())
    defer { withExtendedLifetime(worker) { queue.showNothing() } }
    observer.begins(next)
    heartbeat.begin(try QueueMonitor(configuration.root, next, skipping: passed), pulse: pulse)
    let heartbeat = heartbeat
    defer { heartbeat.end() }
    let ending: Work.Ending
    do throws(UpdateError) {
      ending = .done(try run(next.request, store, sharesStaging: all.count > 1))
    } catch {
      ending =
        error == .cancelled
        ? try cancelled(next, queue, isOwn: next.number == own, passing: passed) : .failed(error)
    }
    recordEnding(next, ending, queue, store)
    let work = Work(operation: next, ending: ending)
    observer.ended(work)
    return work
  }

  /// Finds out why an operation was stopped, and what is left of it.
  private func cancelled(
    _ operation: QueuedOperation, _ queue: borrowing OperationQueue, isOwn: Bool, passing passed: [UInt64]
  ) throws(UpdateError) -> Work.Ending {
    if let signal = StopReason.signal() {
      return .failed(isOwn && signal == .interrupted ? .cancelled : .stopped)
    }
    do throws(StoreError) {
      if let ids = try queue.cancellation(of: operation.number) {
        guard let rest = operation.request.without(ids) else { return .failed(.cancelled) }
        try queue.replace(operation.number, with: rest)
        return .narrowed
      }
      if !operation.request.isManual {
        for other in try queue.operations() where other.request.isManual && !passed.contains(other.number) {
          return .steppedAside(for: other.number)
        }
      }
    } catch { throw UpdateError(error) }
    return .failed(.cancelled)
  }

  /// Leaves queue and staging as the ending asks for.
  ///
  /// What has been done is done, whether that can be written down or not.
  private mutating func recordEnding(
    _ operation: QueuedOperation, _ ending: Work.Ending, _ queue: borrowing OperationQueue,
    _ store: borrowing Store
  ) {
    do throws(StoreError) {
      // Asked for now, since operations come and go while one is carried out.
      let isShared = try queue.operations().contains { $0.number != operation.number }
      switch ending {
      case .narrowed, .steppedAside, .failed(.stopped): return
      case .done:
        try queue.finish(
          operation.number, OperationResult(exitCode: ResultCode.success.rawValue, sentence: "done"))
        tidy(store, emptyingStaging: !isShared)
      case .failed(let error):
        // First, so that a full file system has room for the result.
        tidy(store, emptyingStaging: error.emptiesStaging && !isShared)
        let result = OperationResult(exitCode: ResultCode(error).rawValue, sentence: error.sentence)
        try queue.finish(operation.number, result, isKept: error.keepsInQueue)
      }
    } catch { observer.noticed(.endingNotRecorded(reason: error.sentence)) }
  }

  /// Carries `operation` out without the queue: for a medium on which not even that has room.
  package mutating func runAlone(_ operation: Operation) throws(UpdateError) -> Outcome {
    let store = try openStore()
    // Tells other processes that a catalog is in use.
    let queue = try wrap(store: OperationQueue(making: configuration.root))
    let worker = try wrap(store: queue.beginWork())
    defer { withExtendedLifetime(worker) {} }
    let isShared = try wrap(store: !queue.operations().isEmpty)
    do throws(UpdateError) {
      let outcome = try run(operation, store, sharesStaging: isShared)
      tidy(store, emptyingStaging: !isShared)
      return outcome
    } catch {
      tidy(store, emptyingStaging: error.emptiesStaging && !isShared)
      throw error
    }
  }
}
