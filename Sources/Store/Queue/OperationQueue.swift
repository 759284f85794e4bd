package import MapModel
package import Platform

/// The operations that are asked for and not done yet, on disk, so that any process can add one and power loss
/// loses none.
///
///     queue/7           an operation that waits or runs (`docs/format/store.md`, Queue)
///     queue/7.cancel    whose cancellation is asked for: in part or as a whole
///     queue/7.done      how it ended, for the process that waits for it; a few of these are kept
///     queue/active      what the process that holds the store does just now
///     queue/worker      locked by that process (flock(2))
///
/// The directory itself is locked for the instant in which a process adds, finishes or cancels an operation.
///
/// Numbers rise. Only the process that holds the store removes or finishes operations.
package struct OperationQueue: ~Copyable {
  let directory: Directory

  /// Opens it in the store at `root`, and makes both where they are missing.
  package init(making root: String) throws(Failure) {
    let store = try Directory(making: root)
    try store.makeDirectory(replacing: "queue")
    let queue = try store.openDirectory("queue")
    try queue.makeDirectory(replacing: "worker")
    directory = queue
  }

  private init(_ directory: consuming Directory) { self.directory = directory }

  /// Nil if nothing was ever asked for.
  package static func open(_ root: String) throws(Failure) -> OperationQueue? {
    guard let directory = try Store.openCache("queue", in: root) else { return nil }
    return OperationQueue(directory)
  }

  // MARK: - Operations

  /// Adds an operation, durably; its number, or that of an equal one that is there already.
  ///
  /// What users request is carried out in order: an equal operation counts only if it is the last request.
  package func add(_ operation: Operation) throws(Failure) -> UInt64 {
    try withQueueLock { () throws(Failure) in try addUnderLock(operation) }
  }

  private func addUnderLock(_ operation: Operation) throws(Failure) -> UInt64 {
    let content = try readOperations()
    if let same = content.operations.last(where: { $0.operation.isManual == operation.isManual }),
      same.operation == operation, try cancellation(of: same.number) == nil
    {
      // What an earlier attempt came to is not the answer to this one.
      try directory.remove("\(same.number).done")
      return same.number
    }
    let text = operation.text
    let hasRoom =
      content.operations.count < StoreLimits.operations
      && content.bytes + UInt64(text.utf8.count) <= StoreLimits.operationFiles
    // What the device owes is not forgotten: it is read when others are done.
    guard hasRoom || operation.isOwed else { throw .queueFull(path: directory.path) }
    var number = try lastNumber() + 1
    while true {
      do throws(Failure) {
        // It counts only with its last line: a reader passes over one that is just being written.
        let file = try directory.open("\(number)", to: .make)
        try file.write(text)
        try file.synchronize()
        try file.close()
        try directory.synchronize()
        return number
      } catch {
        guard error.errno == .exists else {
          if error.errno?.isOutOfSpace == true { try directory.remove("\(number)") }
          throw error
        }
        number += 1  // another process was faster
      }
    }
  }

  /// Counting never comes near the limit; a stray name that does must not use the numbers up.
  private func lastNumber() throws(Failure) -> UInt64 {
    var last: UInt64 = 0
    try directory.forEachName { (name) throws(Failure) in
      if let number = UInt64(ascii: name.parts(separatedBy: ".", limit: 2)[0].utf8), number < 1 << 59 {
        last = max(last, number)
      }
    }
    return last
  }

  /// All that wait or run, in the order in which they were asked for; a damaged one is passed over.
  package func operations() throws(Failure) -> [QueuedOperation] { try readOperations().operations }

  /// What the files of the queue hold.
  private struct Content {
    var operations: [QueuedOperation] = []
    /// Bytes of their files.
    var bytes: UInt64 = 0
    /// Numbers of files that are complete and yet not valid: no process is still writing them.
    var invalid: [UInt64] = []
  }

  /// Reads the operations; what goes beyond the bounds of a queue is not read.
  private func readOperations() throws(Failure) -> Content {
    var numbers: [UInt64] = []
    try directory.forEachName { (name) throws(Failure) in
      guard let number = UInt64(ascii: name.utf8), number < 1 << 60, name == "\(number)" else { return }
      if numbers.count < StoreLimits.queueNames { numbers.append(number) }
    }
    numbers.sort()
    var content = Content()
    for number in numbers where content.operations.count < StoreLimits.operations {
      let limit = min(StoreLimits.operationFile, StoreLimits.operationFiles - content.bytes)
      guard let text = try text("\(number)", limit: limit) else { continue }
      guard let operation = Operation(text) else {
        if text.utf8.suffix(5).elementsEqual("\nend\n".utf8) { content.invalid.append(number) }
        continue
      }
      content.operations.append(QueuedOperation(number: number, operation: operation))
      content.bytes += UInt64(text.utf8.count)
    }
    return content
  }

  /// Nil if it is not waiting, or damaged.
  package func operation(_ number: UInt64) throws(Failure) -> Operation? {
    try text("\(number)", limit: StoreLimits.operationFile).flatMap { Operation($0) }
  }

  /// The operation waits or runs.
  package func contains(_ number: UInt64) throws(Failure) -> Bool {
    try directory.status(of: "\(number)") != nil
  }

  // MARK: - The end of an operation

  /// What becomes of an operation that has a result.
  package enum Afterwards {
    /// It leaves the queue.
    case removed
    /// It stays in the queue, for another attempt by another run.
    case kept
  }

  /// Removes the operation from the queue, or keeps it, and leaves its result for the process that waits for it.
  package func finish(
    _ number: UInt64, as result: OperationResult, afterwards: Afterwards = .removed
  ) throws(Failure) {
    try withQueueLock { () throws(Failure) in
      var result = result
      result.hasOpenCancellation = try cancellation(of: number) != nil
      // A full file system has no room for a result; the operation has ended all the same.
      do throws(Failure) {
        try directory.replace("\(number).done", with: Array(result.text.utf8))
      } catch {}
      guard afterwards == .removed else { return }
      try directory.remove("\(number)")
      try directory.remove("\(number).cancel")
      try directory.synchronize()
      forgetResults(upTo: number)
    }
  }

  /// Removes old results, files that are not valid operations, and what power loss left of operations that were never
  /// reported as queued.
  ///
  /// What cannot be removed stays: the operation that has just ended has ended all the same.
  private func forgetResults(upTo number: UInt64) {
    do throws(Failure) {
      let content = try readOperations()
      try directory.removeTrees { name in
        let parts = name.parts(separatedBy: ".", limit: 2)
        guard let other = UInt64(ascii: parts[0].utf8) else { return false }
        if parts.count == 1 && content.invalid.contains(other) { return true }
        let isOld = other.saturatingSum(UInt64(StoreLimits.results)) <= number
        let isOfOperation = content.operations.contains { $0.number == other } && parts.last != "done"
        return isOld && !isOfOperation
      }
    } catch {}
  }

  /// How it ended; nil while it waits or runs, or if that is long ago.
  package func result(_ number: UInt64) throws(Failure) -> OperationResult? {
    try text("\(number).done", limit: StoreLimits.operationFile).flatMap { OperationResult($0) }
  }

  // MARK: - Cancelling

  /// Asks for the cancellation of the operations that concern `ids`, for these nodes of them, or of all as a whole if
  /// there are none.
  ///
  /// One that is just being added is waited for.
  ///
  /// - Returns: the numbers of the operations.
  package func requestCancellations(below ids: [PackageID]) throws(Failure) -> [UInt64] {
    try withQueueLock { () throws(Failure) in
      let concerned = try readOperations().operations.filter { $0.operation.concerns(ids) }
      for queued in concerned { try requestUnderLock(queued, below: ids) }
      return concerned.map { $0.number }
    }
  }

  /// Asks for the cancellation of an operation, for the nodes `ids` of it, or as a whole if there are none.
  ///
  /// - Returns: false if it has ended before.
  package func requestCancellation(of number: UInt64, below ids: [PackageID]) throws(Failure) -> Bool {
    try withQueueLock { () throws(Failure) in
      guard let operation = try operation(number) else { return false }
      try requestUnderLock(QueuedOperation(number: number, operation: operation), below: ids)
      return true
    }
  }

  private func requestUnderLock(_ queued: QueuedOperation, below ids: [PackageID]) throws(Failure) {
    var all = ids
    if let earlier = try cancellation(of: queued.number) {
      all = ids.isEmpty || earlier.isEmpty ? [] : earlier + ids
    }
    // What is cancelled of an operation becomes an exception of it.
    guard all.isEmpty || queued.operation.except.count + all.count <= StoreLimits.operationIDs else {
      throw .tooManyExceptions(operation: queued.number)
    }
    let text = Operation.cancellation(of: all)
    try directory.replace("\(queued.number).cancel", with: Array(text.utf8))
  }

  /// The cancellation of another operation than `active` is asked for: a look at names alone.
  package func hasCancellations(except active: UInt64?) throws(Failure) -> Bool {
    var isFound = false
    try directory.forEachName { (name) throws(Failure) in
      let parts = name.parts(separatedBy: ".", limit: 2)
      guard parts.count == 2, parts[1] == "cancel", let number = UInt64(ascii: parts[0].utf8) else {
        return
      }
      if number != active { isFound = true }
    }
    return isFound
  }

  /// The nodes for which cancellation is asked for, none meaning all; nil if it is not.
  package func cancellation(of number: UInt64) throws(Failure) -> [PackageID]? {
    try text("\(number).cancel", limit: StoreLimits.operationFile).map { Operation.ids(ofCancellation: $0) }
  }

  /// Narrows an operation to what is left of it after a cancellation of some of its nodes.
  package func replace(_ number: UInt64, with operation: Operation) throws(Failure) {
    try withQueueLock { () throws(Failure) in
      try directory.replace("\(number)", with: Array(operation.text.utf8))
      try directory.remove("\(number).cancel")
    }
  }

  // MARK: - Files

  /// Carries `body` out while no other process changes what is in the queue, which takes each an instant.
  ///
  /// One that was stopped in the middle of it is not waited for for ever.
  private func withQueueLock<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let lock = try directory.openDirectory(".")
    defer { withExtendedLifetime(lock) {} }
    do throws(Failure) { try lock.lock(.exclusive, within: 10_000, every: 5) } catch {
      guard error.errno == .wouldBlock else { throw error }
    }
    return try body()
  }

  func text(_ name: String, limit: UInt64) throws(Failure) -> String? {
    guard let status = try directory.status(of: name), status.kind == .file, status.size <= limit else {
      return nil
    }
    do throws(Failure) {
      return String(decoding: try directory.open(name).bytes(upTo: limit), as: UTF8.self)
    } catch {
      // Another process has taken it away in between.
      guard error.errno == .noEntry else { throw error }
      return nil
    }
  }
}
