/// What an update that nobody has asked for does where the release no longer has installed packages.
package enum WithdrawalRule: Equatable {
  /// It removes them, unless nothing would be left.
  case remove
  /// It leaves everything as it is, until a user asks for the update.
  case hold

  init?(word: String) {
    switch word {
    case "remove": self = .remove
    case "hold": self = .hold
    default: return nil
    }
  }
}
