internal import Platform

/// The operations that are asked for and not done yet, on disk, so that any process can add one and power loss
/// loses none.
///
///     queue/7           an operation that waits or runs (`docs/format.md`, Queue)
///     queue/7.cancel    whose cancellation is asked for: in part or as a whole
///     queue/7.done      how it ended, for the process that waits for it; a few of these are kept
///     queue/active      what the process that holds the store does just now
///     queue/worker      locked by that process (flock(2))
///
/// Numbers rise. Only the process that holds the store removes or finishes operations.
package struct OperationQueue: ~Copyable {
  let directory: Directory

  /// Opens it in the store at `root`, and makes both where they are missing.
  package init(making root: String) throws(StoreError) {
    directory = try storing { () throws(FileError) in
      let root = try Directory(making: root)
      try root.makeDirectory("queue")
      return try root.openDirectory("queue")
    }
  }

  private init(_ directory: consuming Directory) { self.directory = directory }

  /// Nil if nothing was ever asked for.
  package static func open(_ root: String) throws(StoreError) -> OperationQueue? {
    do throws(FileError) { return OperationQueue(try Directory(opening: "\(root)/queue")) } catch {
      guard error.errno == .noEntry else { throw .file(error) }
      return nil
    }
  }

  // MARK: - Operations

  /// Adds an operation, durably; its number, or that of an equal one that is there already.
  package func add(_ request: OperationRequest) throws(StoreError) -> UInt64 {
    let waiting = try operations()
    if let same = waiting.first(where: { $0.request == request }), try cancellation(of: same.number) == nil {
      // What an earlier attempt came to is not the answer to this one.
      try storing { () throws(FileError) in try directory.remove("\(same.number).done") }
      return same.number
    }
    guard waiting.count < Limits.operations else { throw .queueFull(path: directory.path) }
    return try storing { () throws(FileError) in
      var number = try lastNumber() + 1
      while true {
        do throws(FileError) {
          // It counts only with its last line: a reader passes over one that is just being written.
          let file = try directory.open("\(number)", .make)
          try file.write(request.text)
          try file.synchronize()
          try file.close()
          try directory.synchronize()
          return number
        } catch {
          guard error.errno == .exists else {
            if error.errno.isOutOfSpace { try directory.remove("\(number)") }
            throw error
          }
          number += 1  // another process was faster
        }
      }
    }
  }

  private func lastNumber() throws(FileError) -> UInt64 {
    var last: UInt64 = 0
    try directory.forEachName { (name) throws(FileError) in
      if let number = UInt64(ascii: name.parts(separatedBy: ".", limit: 2)[0].utf8), number < 1 << 60 {
        last = max(last, number)
      }
    }
    return last
  }

  /// All that wait or run, in the order in which they were asked for; a damaged one is passed over.
  package func operations() throws(StoreError) -> [QueuedOperation] {
    var numbers: [UInt64] = []
    try storing { () throws(FileError) in
      try directory.forEachName { (name) throws(FileError) in
        if let number = UInt64(ascii: name.utf8), numbers.count < Limits.operations { numbers.append(number) }
      }
    }
    numbers.sort()
    var operations: [QueuedOperation] = []
    for number in numbers {
      if let request = try request(number) {
        operations.append(QueuedOperation(number: number, request: request))
      }
    }
    return operations
  }

  /// Nil if it is not waiting, or damaged.
  package func request(_ number: UInt64) throws(StoreError) -> OperationRequest? {
    try text("\(number)", limit: Limits.operationFile).flatMap { OperationRequest($0) }
  }

  /// The operation waits or runs.
  package func contains(_ number: UInt64) throws(StoreError) -> Bool {
    try storing { () throws(FileError) in try directory.status(of: "\(number)") != nil }
  }

  // MARK: - The end of an operation

  /// Takes the operation out and leaves its result for whoever waits for it.
  ///
  /// `isKept`: it stays in the queue, for another attempt by another run.
  package func finish(_ number: UInt64, _ result: OperationResult, isKept: Bool = false) throws(StoreError) {
    // A full file system has no room for a result; the operation has ended all the same.
    do throws(FileError) {
      try directory.replace("\(number).done", with: Array(result.text.utf8))
    } catch {}
    guard !isKept else { return }
    try storing { () throws(FileError) in
      try directory.remove("\(number)")
      try directory.remove("\(number).cancel")
      try directory.synchronize()
    }
    try forgetResults(upTo: number)
  }

  /// Removes old results, and what power loss left of operations that nobody was told to be queued.
  private func forgetResults(upTo number: UInt64) throws(StoreError) {
    var doomed: [String] = []
    try storing { () throws(FileError) in
      try directory.forEachName { (name) throws(FileError) in
        let parts = name.parts(separatedBy: ".", limit: 2)
        guard let other = UInt64(ascii: parts[0].utf8), other < 1 << 60 else { return }
        if other + UInt64(Limits.results) <= number { doomed.append(name) }
      }
    }
    for name in doomed {
      let isOperation = try UInt64(ascii: name.utf8).map { (number) throws(StoreError) in
        try request(number) != nil
      }
      if isOperation == true { continue }
      try storing { () throws(FileError) in try directory.remove(name) }
    }
  }

  /// How it ended; nil while it waits or runs, or if that is long ago.
  package func result(_ number: UInt64) throws(StoreError) -> OperationResult? {
    try text("\(number).done", limit: Limits.operationFile).flatMap { OperationResult($0) }
  }

  // MARK: - Cancelling

  /// Asks for the cancellation of an operation, for the nodes `ids` of it, or as a whole if there are none.
  package func requestCancellation(of number: UInt64, _ ids: [String]) throws(StoreError) {
    var all = ids
    if let earlier = try cancellation(of: number) {
      all = ids.isEmpty || earlier.isEmpty ? [] : earlier + ids
    }
    guard all.count <= Limits.operationIDs else { throw .queueFull(path: directory.path) }
    var text = "tinyupdater-cancel 1\n"
    for id in all { text += "id \(id)\n" }
    let bytes = Array((text + "end\n").utf8)
    try storing { () throws(FileError) in try directory.replace("\(number).cancel", with: bytes) }
  }

  /// The nodes for which cancellation is asked for, none meaning all; nil if it is not.
  package func cancellation(of number: UInt64) throws(StoreError) -> [String]? {
    guard let text = try text("\(number).cancel", limit: Limits.operationFile) else { return nil }
    return OperationRequest.ids(in: text, behind: ["tinyupdater-cancel 1"]) ?? []
  }

  /// Narrows an operation to what is left of it after a cancellation of some of its nodes.
  package func replace(_ number: UInt64, with request: OperationRequest) throws(StoreError) {
    try storing { () throws(FileError) in
      try directory.replace("\(number)", with: Array(request.text.utf8))
      try directory.remove("\(number).cancel")
    }
  }

  // MARK: - Files

  func text(_ name: String, limit: UInt64) throws(StoreError) -> String? {
    try storing { () throws(FileError) in
      guard let status = try directory.status(of: name), status.kind == .file, status.size <= limit else {
        return nil
      }
      do throws(FileError) {
        return String(decoding: try directory.open(name).bytes(upTo: limit), as: UTF8.self)
      } catch {
        // Another process has taken it away in between.
        guard error.errno == .noEntry else { throw error }
        return nil
      }
    }
  }
}
