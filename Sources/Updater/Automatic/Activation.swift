/// When what an automatic update has made ready becomes current.
package enum Activation: Equatable {
  /// As soon as it is ready.
  case atOnce
  /// At the next start of the device.
  case boot
  /// When `tinyupdater activate` says so.
  case command

  init?(word: String) {
    switch word {
    case "at-once": self = .atOnce
    case "boot": self = .boot
    case "command": self = .command
    default: return nil
    }
  }
}
