package import MapModel

/// What a start of the device found, and made of it.
package enum Readiness: Equatable {
  /// The maps are there as they were.
  case ready(Release)
  /// The maps that came with the device are installed.
  case adopted(Release)
  /// The list of the installed maps was lost, and was rebuilt from the maps.
  case rebuilt(Release, components: Int)
  /// The list of the installed maps was lost and could not be rebuilt: the generation before is current.
  case fellBack(Release)
  /// The link to the current generation was lost: the newest one that is whole is current again.
  case relinked(Release)
  /// Nothing is installed, and nothing came with the device.
  case empty

  package var release: Release? {
    switch self {
    case .ready(let release), .adopted(let release), .rebuilt(let release, _), .fellBack(let release),
      .relinked(let release):
      release
    case .empty: nil
    }
  }

  /// For events and the history.
  package var word: String {
    switch self {
    case .ready: "ready"
    case .adopted: "adopted"
    case .rebuilt: "rebuilt"
    case .fellBack: "fell-back"
    case .relinked: "relinked"
    case .empty: "empty"
    }
  }
}
