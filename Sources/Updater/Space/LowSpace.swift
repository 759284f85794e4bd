/// What an update may give up where the file system has no room for the new maps beside the old ones.
///
/// In this order: each one allows what those before it allow.
package enum LowSpace: Equatable, Comparable {
  /// Nothing: the update is refused.
  case refuse
  /// The generations but the current one are removed before the download, and with them the way back.
  case dropPrevious
  /// The maps themselves are consumed while the new ones are made.
  case inPlace

  static var all: [LowSpace] { [.refuse, .dropPrevious, .inPlace] }

  /// As the configuration writes it.
  package var word: String {
    switch self {
    case .refuse: "refuse"
    case .dropPrevious: "drop-previous"
    case .inPlace: "in-place"
    }
  }

  init?(word: String) {
    guard let setting = LowSpace.all.first(where: { $0.word == word }) else { return nil }
    self = setting
  }
}
