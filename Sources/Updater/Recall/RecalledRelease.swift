package import MapModel
package import Platform
internal import Releases

/// A release that its publisher has taken back.
package struct RecalledRelease: Equatable {
  package let release: Release
  /// Why, in a line for people.
  package let reason: String

  init(_ release: Release, _ recall: Recall) { (self.release, reason) = (release, recall.reason) }

  package var json: JSON {
    var json = release.json
    json.add("because", reason)
    return json
  }
}
