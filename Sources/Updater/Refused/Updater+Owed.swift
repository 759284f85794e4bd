internal import MapModel
internal import MapTree
package import Platform
internal import Store

/// What the device owes: packages that were installed and could not be kept, whose download waits in the queue.
extension Updater {
  /// Puts the download of packages that are not there into the queue.
  func owe(_ packages: [PackageID]) throws(Failure) {
    let queue = try OperationQueue(making: configuration.root)
    // An earlier process may have come this far.
    let owed = try owedPackages(in: queue)
    var rest = packages.filter { !owed.contains($0) }[...]
    while !rest.isEmpty {
      let ids = Array(rest.prefix(UpdateLimits.identifiers))
      rest = rest.dropFirst(ids.count)
      _ = try queue.add(.install(ids, isOwed: true))
      events.publish(.notice(.owed(ids)))
    }
  }

  func owedPackages(in queue: borrowing OperationQueue) throws(Failure) -> [PackageID] {
    try queue.operations().filter { $0.operation.isOwed }.flatMap { $0.operation.ids }
  }

  /// The operations by which the device gets what it owes, by number: what was refused just now is not asked for again.
  package func owedOperations() throws(Failure) -> [UInt64] {
    try OperationQueue(making: configuration.root).operations().filter { $0.operation.isOwed }.map {
      $0.number
    }
  }

  /// Owes no more what is uninstalled.
  ///
  /// - Returns: what is left of the operation; nil if nothing that it names is installed.
  func disowning(_ operation: Operation, in store: borrowing LockedStore) throws(Failure) -> Operation? {
    guard case .uninstall(let ids, let except) = operation else { return operation }
    let queue = try OperationQueue(making: configuration.root)
    let owed = try owedPackages(in: queue).filter { ids.includes($0) && !except.includes($0) }
    if owed.isEmpty { return operation }
    var matched = MatchedIDs(ids)
    switch try store.reading.current().components() {
    case .none: break
    case .some(var manifest): while let component = try manifest.next() { matched.note(component.name.id) }
    }
    let notInstalled = matched.unmatched
    // With an id that is neither installed nor owed, all of it is refused.
    guard notInstalled.allSatisfy({ id in owed.contains { id.contains($0) } }) else { return operation }
    for queued in try queue.operations() where queued.operation.isOwed {
      let rest = queued.operation.ids.filter { !owed.contains($0) }
      if rest.count == queued.operation.ids.count { continue }
      if rest.isEmpty {
        let result = OperationResult(exitCode: ResultCode.cancelled.rawValue, sentence: "it was uninstalled")
        try queue.finish(queued.number, as: result)
      } else {
        try queue.replace(queued.number, with: .install(rest, isOwed: true))
      }
    }
    try store.changeRefusedPackages { record in record.keep { !owed.contains($0) } }
    let rest = ids.filter { !notInstalled.contains($0) }
    return rest.isEmpty ? nil : .uninstall(rest, except: except)
  }
}
