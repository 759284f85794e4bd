internal import Platform
internal import Store

extension HistoryEntry {
  /// How the run ended, for people.
  var words: String {
    // A release that stands by has a word of its own, which is no result code.
    guard let code = ResultCode(rawValue: exitCode), code.name == result else { return result }
    return code.words.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
  }
}

extension ResultCode {
  fileprivate var words: StaticString {
    switch self {
    case .success: "done"
    case .updateAvailable: "an update is available"
    case .applicationTooOld: "the application is too old"
    case .incomplete: "maps are missing"
    case .withheld: "held back"
    case .expired: "expired"
    case .refused: "packages were refused"
    case .connectionFailed: "no connection, or refused"
    case .rejected: "rejected"
    case .outOfSpace: "not enough space"
    case .overBudget: "not enough memory"
    case .storage: "storage error"
    case .busy: "busy"
    case .cancelled: "cancelled or stopped"
    case .usage: "not possible"
    case .unusable: "not usable"
    }
  }
}
