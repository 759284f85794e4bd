package import MapModel
package import Platform
internal import Store

extension Updater {
  /// Requests the cancellation of every operation that concerns `ids`, or of all if there are none.
  ///
  /// - `number`: only of the one with this number.
  ///
  /// Returns when that is done. A process that is at work takes less than a second for it, unless it is building the
  /// new generation: that is not cancelled but finished.
  package func cancel(_ ids: [PackageID], only number: UInt64? = nil) throws(Failure) -> Cancellation {
    let queue = try OperationQueue(making: configuration.root)
    let requested: [UInt64]
    if let number {
      requested = try queue.requestCancellation(of: number, below: ids) ? [number] : []
    } else {
      requested = try queue.requestCancellations(below: ids)
    }
    try waitUntilCancelled(requested, in: queue)
    let cancellation = try Cancellation(of: requested, in: queue)
    for number in cancellation.cancelled { events.publish(.cancelled(number, ids: ids)) }
    return cancellation
  }

  private func waitUntilCancelled(
    _ requested: [UInt64], in queue: borrowing OperationQueue
  ) throws(Failure) {
    let end = Clock.milliseconds + UpdateLimits.cancellation
    while try !tryCancelIdleOperations(queue) {
      var isOpen = false
      for number in requested where try queue.cancellation(of: number) != nil { isOpen = true }
      if !isOpen || StopSignal.isRaised || Clock.milliseconds > end { return }
      Clock.sleep(milliseconds: 50)
    }
  }

  /// Gives up an operation that this process was started for.
  ///
  /// - Returns: false if another process holds the store: that one takes it out of the queue, within a second if it
  ///   works on the queue.
  package func withdraw(_ number: UInt64) throws(Failure) -> Bool {
    let queue = try OperationQueue(making: configuration.root)
    guard try queue.requestCancellation(of: number, below: []) else { return true }
    return try tryCancelIdleOperations(queue)
  }

  /// Cancels operations as requested where no process works; false if another process holds the store.
  private func tryCancelIdleOperations(_ queue: borrowing OperationQueue) throws(Failure) -> Bool {
    let store: LockedStore
    do throws(Failure) { store = try LockedStore(opening: configuration.root) } catch {
      if case .busy = error { return false }
      throw error
    }
    _ = try queue.cancelWaitingOperations()
    removeUnreferencedFiles(store, staged: try queue.operations().isEmpty ? .removable : .kept)
    return true
  }
}

extension Cancellation {
  fileprivate init(of requested: [UInt64], in queue: borrowing OperationQueue) throws(Failure) {
    for number in requested {
      let isPending = try queue.cancellation(of: number) != nil
      let isWaiting = try queue.contains(number)
      let result = try queue.result(number)
      if isPending {
        pending.append(number)
      } else if isWaiting || result?.isCancelled ?? false {
        cancelled.append(number)
      } else {
        ended.append(number)
      }
    }
  }
}

extension OperationResult {
  /// The operation was cancelled, or had been narrowed as requested.
  fileprivate var isCancelled: Bool { exitCode == ResultCode.cancelled.rawValue || !hasOpenCancellation }
}

extension OperationQueue {
  /// Cancels the waiting operations whose cancellation is requested; for the process that holds the store.
  ///
  /// - `active`: the operation that is being carried out, which is not looked at.
  /// - Returns: there was something to cancel.
  func cancelWaitingOperations(except active: UInt64? = nil) throws(Failure) -> Bool {
    guard try hasCancellations(except: active) else { return false }
    var isChanged = false
    for queued in try operations() where queued.number != active {
      guard let ids = try cancellation(of: queued.number) else { continue }
      isChanged = true
      if let rest = queued.operation.without(ids) {
        try replace(queued.number, with: rest)
      } else {
        let result = OperationResult(
          exitCode: ResultCode.cancelled.rawValue, sentence: Failure.cancelled.sentence)
        try finish(queued.number, as: result)
      }
    }
    return isChanged
  }
}
