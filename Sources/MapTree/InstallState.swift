/// How much of a node is installed.
package enum InstallState: Equatable {
  case installed, partiallyInstalled, notInstalled
  /// Data groups other than the selected ones are installed, or a file is missing or has the wrong size.
  case inconsistent

  /// As in JSON.
  package var word: String {
    switch self {
    case .installed: "installed"
    case .partiallyInstalled: "partiallyInstalled"
    case .notInstalled: "notInstalled"
    case .inconsistent: "inconsistent"
    }
  }
}
