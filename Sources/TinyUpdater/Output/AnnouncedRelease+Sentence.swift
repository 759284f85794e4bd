internal import MapModel

extension AnnouncedRelease {
  /// Says which version of the application the release needs.
  var sentence: String {
    "\(release.text) needs version \(minimumApplication) of the application"
  }
}
