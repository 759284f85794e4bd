internal import MapModel
internal import Platform
internal import Updater

/// `cancel`: cancels queued and running operations.
struct CancelCommand: StoreCommand {
  static var description: CommandDescription {
    .init(
      "cancel", operands: .ids, options: [.operation],
      summary: "cancel queued and running operations: all, or those for these packages and regions")
  }

  private let ids: [PackageID]
  private let operation: UInt64?

  init(_ invocation: Invocation) throws(UsageError) {
    ids = try invocation.takeIDs()
    operation = invocation.value(of: .operation).flatMap { UInt64(ascii: $0.utf8) }
    if invocation.has(.operation), operation == nil || !ids.isEmpty {
      throw invocation.error("--operation takes the number of one operation, and no ids")
    }
  }

  func run(_ session: Session) throws(Failure) -> ExitStatus {
    let console = session.console
    let cancellation = try Reporter(console).makeUpdater(session.configuration).cancel(
      ids, only: operation)
    for sentence in cancellation.sentences { console.conclude("cancel", sentence) }
    console.emitResult(.success) { json in
      json.add("cancelled", cancellation.cancelled.count)
      json.add("ended", cancellation.ended.count)
      json.add("pending", cancellation.pending.count)
    }
    return .success
  }
}

extension Cancellation {
  fileprivate var sentences: [String] {
    var sentences: [String] = []
    func add(_ numbers: [UInt64], as words: String) {
      guard !numbers.isEmpty else { return }
      sentences.append("\(numbers.count) operation\(numbers.count == 1 ? "" : "s") \(words)")
    }
    add(cancelled, as: "cancelled")
    add(ended, as: "had already ended; see \"tinyupdater history\"")
    add(pending, as: "will be cancelled when the process that holds the store looks at the queue")
    return sentences.isEmpty ? ["no pending operations"] : sentences
  }
}
