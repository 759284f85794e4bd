/// What `boot` does in the background once the maps are ready.
package enum BootRule: Equatable {
  case nothing
  /// It resumes what was interrupted and checks for a newer release.
  case check
  /// It installs a newer release as well.
  case apply

  init?(word: String) {
    switch word {
    case "nothing": self = .nothing
    case "check": self = .check
    case "apply": self = .apply
    default: return nil
    }
  }
}
