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
  /// Why and how the installed release is to be left; nil: it has not been recalled.
  var recall: Recall?
  /// The newest one that is usable and older than the installed one.
  var older: ServedRelease?

  /// There is nothing, now or later.
  var isEmpty: Bool { newest == nil && upcoming == nil && recall == nil }

  /// The older release by the catalog that has patches to it from the installed one, if there is such a catalog.
  var wayBack: CatalogedRelease? {
    guard let back = recall?.back, back.release == older?.release else { return older?.cataloged }
    return back
  }

  /// The newest release, if the application is too old for it.
  var announced: AnnouncedRelease? {
    guard let newest, newest.number > usable?.number ?? 0 else { return nil }
    return AnnouncedRelease(newest.release, minimumApplication: newest.minimumApplication)
  }
}
