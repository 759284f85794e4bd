/// Failed attempts at requests during one operation.
struct ConnectionFailures: Equatable {
  private(set) var attempts: UInt64 = 0
  /// The URL of the last one, and its cause; empty if none failed.
  private(set) var last = ""

  mutating func add(_ loss: UpdateEvent.ConnectionLoss) { add("\(loss.url): \(loss.cause)") }

  mutating func add(_ failure: String) {
    attempts += 1
    last = failure
  }
}
