internal import MapModel
internal import Platform
internal import Store

/// What became of the operations whose cancellation was asked for: their numbers.
package struct Cancellation: Equatable {
  /// Cancelled, in part or as a whole.
  package var cancelled: [UInt64] = []
  /// They came to their end before they could be cancelled.
  package var ended: [UInt64] = []
  /// The process that holds the store has not looked at it yet.
  package var pending: [UInt64] = []
}

extension Updater {
  /// Asks for the cancellation of every operation that has to do with `ids`, or of all if there are none.
  ///
  /// Returns when that is done. A process that is at work takes less than a second for it, unless it is building the
  /// new generation: that is not cancelled but finished.
  package mutating func cancel(_ ids: [String]) throws(UpdateError) -> Cancellation {
    let queue = try wrap(store: OperationQueue(making: configuration.root))
    do throws(StoreError) {
      var asked: [UInt64] = []
      for operation in try queue.operations() where operation.request.concerns(ids) {
        if try queue.requestCancellation(of: operation.number, ids) { asked.append(operation.number) }
      }
      let end = Clock.milliseconds + 60_000
      while try !tryCancelIdleOperations() {
        var isOpen = false
        for number in asked where try queue.cancellation(of: number) != nil { isOpen = true }
        if !isOpen || StopSignal.isRaised || Clock.milliseconds > end { break }
        Clock.sleep(milliseconds: 50)
      }
      var cancellation = Cancellation()
      for number in asked {
        let isPending = try queue.cancellation(of: number) != nil
        let isNarrowed = try queue.contains(number)
        let result = try queue.result(number)
        if isPending {
          cancellation.pending.append(number)
        } else if isNarrowed || result?.exitCode == ResultCode.cancelled.rawValue {
          cancellation.cancelled.append(number)
        } else {
          cancellation.ended.append(number)
        }
      }
      return cancellation
    } catch { throw UpdateError(error) }
  }

  /// Gives up an operation that this process was started for.
  ///
  /// - Returns: false if another process holds the store: that one takes it out of the queue, within a second if it
  ///   works on the queue.
  package func withdraw(_ number: UInt64) throws(UpdateError) -> Bool {
    do throws(StoreError) {
      let queue = try OperationQueue(making: configuration.root)
      guard try queue.requestCancellation(of: number, []) else { return true }
      return try tryCancelIdleOperations()
    } catch { throw UpdateError(error) }
  }

  /// Cancels what nobody works on; false if another process holds the store.
  private func tryCancelIdleOperations() throws(StoreError) -> Bool {
    let store: Store
    do throws(StoreError) { store = try Store(opening: configuration.root, for: .change) } catch {
      if case .busy = error { return false }
      throw error
    }
    let queue = try OperationQueue(making: configuration.root)
    _ = try queue.cancelWaitingOperations()
    tidy(store, emptyingStaging: try queue.operations().isEmpty)
    return true
  }
}

extension OperationQueue {
  /// Takes out what of the waiting operations is cancelled; for the process that holds the store.
  ///
  /// `active`: the operation that is being carried out and is not looked at.
  ///
  /// - Returns: there was something to take out.
  func cancelWaitingOperations(except active: UInt64? = nil) throws(StoreError) -> Bool {
    var isChanged = false
    guard try hasCancellations(except: active) else { return false }
    for operation in try operations() where operation.number != active {
      guard let ids = try cancellation(of: operation.number) else { continue }
      isChanged = true
      if let rest = operation.request.without(ids) {
        try replace(operation.number, with: rest)
      } else {
        let result = OperationResult(
          exitCode: ResultCode.cancelled.rawValue, sentence: UpdateError.cancelled.sentence)
        try finish(operation.number, result)
      }
    }
    return isChanged
  }
}
