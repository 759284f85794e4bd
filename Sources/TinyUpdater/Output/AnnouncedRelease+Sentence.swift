internal import MapModel

extension AnnouncedRelease {
  /// What a person has to know.
  var sentence: String {
    "\(release.text) needs version \(minimumApplication) of the application"
  }
}
