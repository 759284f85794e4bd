/// Where the components of a release come from.
package enum ReleaseInput: Sendable {
  /// A directory of map data, or an archive of it.
  case files(String)
  /// The maps of the release with this label, which the repository still has.
  case release(String)

  /// What messages call it.
  var text: String {
    switch self {
    case .files(let path): path
    case .release(let label): "release \(label)"
    }
  }
}
