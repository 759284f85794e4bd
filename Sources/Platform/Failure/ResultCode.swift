/// How an operation ended, as queue, history and events record it; the program exits with the same code.
///
/// An interface, documented in `docs/exit-codes.md` and never renumbered. What happens after an error is decided by its
/// `Disposition`, not by this.
package enum ResultCode: CInt, Equatable, CaseIterable {
  case success = 0
  case updateAvailable = 10
  case applicationTooOld = 11
  case incomplete = 12
  case withheld = 13
  case expired = 14
  case refused = 15
  case connectionFailed = 20
  case rejected = 21
  case outOfSpace = 22
  case overBudget = 23
  case storage = 24
  case busy = 25
  case cancelled = 26
  case usage = 64
  case unusable = 78

  /// The name in `result` of an event and in `history`, in the words of the map loaders.
  package var name: String { constantName.withUTF8Buffer { String(decoding: $0, as: UTF8.self) } }

  /// The same, in memory that never goes.
  package var constantName: StaticString {
    switch self {
    case .success: "Success"
    case .updateAvailable: "UpdateAvailable"
    case .applicationTooOld: "ApplicationTooOld"
    case .incomplete: "Incomplete"
    case .withheld: "Withheld"
    case .expired: "Expired"
    case .refused: "Refused"
    case .connectionFailed: "ConnectionFailed"
    case .rejected: "Rejected"
    case .outOfSpace: "OutOfSpace"
    case .overBudget: "OverBudget"
    case .storage: "StorageFailed"
    case .busy: "Busy"
    case .cancelled: "OperationCancelled"
    case .usage: "InvalidParameters"
    case .unusable: "InitializationFailed"
    }
  }
}
