internal import MapModel
internal import Releases

/// What a repository has for a device.
struct Offer {
  /// The newest release that is in effect and whose maps the device's application can read.
  var usable: ServedRelease?
  /// A newer one that is not in effect yet.
  var upcoming: ServedRelease?
  /// The newest of all that are in effect.
  var newest: ServedRelease?
  /// The installed release is still served.
  var hasInstalled = false

  /// There is nothing, now or later.
  var isEmpty: Bool { newest == nil && upcoming == nil }

  /// The newest release, if the application is too old for it.
  var announced: AnnouncedRelease? {
    guard let newest, newest.number > usable?.number ?? 0 else { return nil }
    return AnnouncedRelease(newest.release, minimumApplication: newest.minimumApplication)
  }
}
