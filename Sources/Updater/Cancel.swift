internal import Platform
internal import Store

extension Updater {
  /// Asks for the cancellation of every operation that has to do with `ids`, or of all if there are none.
  ///
  /// Returns when that is done, which takes a process that is at work less than a second before its commit; from
  /// there on an operation is not cancelled any more but finished.
  ///
  /// - Returns: the numbers of the operations.
  package mutating func cancel(_ ids: [String]) throws(UpdateError) -> [UInt64] {
    var numbers: [UInt64] = []
    let queue = try storing { () throws(StoreError) in try OperationQueue(making: configuration.root) }
    do throws(StoreError) {
      for operation in try queue.operations() where operation.request.concerns(ids) {
        try queue.requestCancellation(of: operation.number, ids)
        numbers.append(operation.number)
      }
      let end = Clock.milliseconds + 60_000
      while true {
        if try settleAlone() { return numbers }
        var isOpen = false
        for number in numbers where try queue.cancellation(of: number) != nil { isOpen = true }
        if !isOpen || Interruption.isRequested || Clock.milliseconds > end { return numbers }
        Clock.sleep(milliseconds: 50)
      }
    } catch { throw .store(error) }
  }

  /// Cancels what nobody works on; false if another process holds the store.
  private func settleAlone() throws(StoreError) -> Bool {
    let store: Store
    do throws(StoreError) { store = try Store(opening: configuration.root, for: .change) } catch {
      if case .busy = error { return false }
      throw error
    }
    let queue = try OperationQueue(making: configuration.root)
    try queue.settleCancellations()
    tidy(store, keepingStaging: try !queue.operations().isEmpty)
    return true
  }
}

extension OperationQueue {
  /// Takes out what of the waiting operations is cancelled; for the process that holds the store.
  ///
  /// `active`: the operation that is being carried out and is not looked at.
  func settleCancellations(except active: UInt64? = nil) throws(StoreError) {
    for operation in try operations() where operation.number != active {
      guard let ids = try cancellation(of: operation.number) else { continue }
      if let rest = operation.request.without(ids) {
        try replace(operation.number, with: rest)
      } else {
        let result = OperationResult(
          exitCode: ExitStatus.cancelled.rawValue, sentence: UpdateError.cancelled.sentence)
        try finish(operation.number, result)
      }
    }
  }
}

extension OperationRequest {
  /// It is about one of the nodes `ids`, or about one below or above it; an update is about all.
  fileprivate func concerns(_ ids: [String]) -> Bool {
    guard !ids.isEmpty, command != "apply" else { return true }
    return ids.contains { id in
      Operation.regions(self.ids, contain: id) || self.ids.contains { Operation.region(id, contains: $0) }
    }
  }
}
