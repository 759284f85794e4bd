/// What an update may give up where the file system has no room for the new maps beside the old ones.
///
/// In this order: each one allows what those before it allow.
package enum LowSpace: Equatable, Comparable {
  /// Nothing: the update is refused.
  case refuse
  /// The generations but the current one are removed before the download, and with them the way back.
  case dropPrevious

  init?(word: String) {
    switch word {
    case "refuse": self = .refuse
    case "drop-previous": self = .dropPrevious
    default: return nil
    }
  }
}
