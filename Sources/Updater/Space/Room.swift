/// Where an operation finds the space and the inodes that its plan needs.
package enum Room: Equatable {
  /// Beside everything that is there.
  case beside
  /// In the place of the release that stands by, which is another one; `freed` bytes, at most.
  case withoutStandby(freed: UInt64)
  /// In the place of all generations but the current one, which are removed before the download; `freed` bytes.
  case withoutPrevious(freed: UInt64)
  /// In the place of the maps themselves, if the downloads fit: how much that takes is known when they are there.
  case inPlace
  /// Nowhere that the configuration allows.
  case none

  /// For events: the word of `low_space` that allows it, if it takes one; "no" if nothing does.
  package var word: String {
    switch self {
    case .beside: "beside"
    case .withoutStandby: "drop-standby"
    case .withoutPrevious: LowSpace.dropPrevious.word
    case .inPlace: LowSpace.inPlace.word
    case .none: "no"
    }
  }
}
