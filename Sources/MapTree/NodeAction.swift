/// An operation that a node allows.
package enum NodeAction: Equatable {
  case install, update, uninstall, cancel

  package var word: String {
    switch self {
    case .install: "install"
    case .update: "update"
    case .uninstall: "uninstall"
    case .cancel: "cancel"
    }
  }
}
