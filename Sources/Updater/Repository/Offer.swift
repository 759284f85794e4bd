internal import MapModel
internal import Releases

/// What a repository has for a device.
struct Offer {
  /// The newest release whose maps the device's application can read.
  var usable: ServedRelease?
  /// The newest of all.
  var newest: ServedRelease?
  /// The installed release is still served.
  var hasInstalled = false

  /// The newest release, if the application is too old for it.
  var announced: AnnouncedRelease? {
    guard let newest, newest.number > usable?.number ?? 0 else { return nil }
    return AnnouncedRelease(newest.release, minimumApplication: newest.minimumApplication)
  }
}
