/// What an update does with installed packages that the server does not give to this device.
package enum RefusalRule: Equatable {
  /// It waits until it gets them: all maps stay at their release.
  case hold
  /// It goes on without them, and the device owes them.
  case leaveOut

  init?(word: String) {
    switch word {
    case "hold": self = .hold
    case "leave-out": self = .leaveOut
    default: return nil
    }
  }
}
