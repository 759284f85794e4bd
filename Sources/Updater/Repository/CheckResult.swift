package import MapModel
package import Store

/// What a check for updates found.
package struct CheckResult: Equatable {
  /// Nil if nothing is installed.
  package let installed: Release?
  /// The newest release whose maps the application of this device can read; nil if there is none.
  package let newest: Release?
  /// A newer one that is not in effect yet, and from when on it is, in seconds since 1970; nil if there is none.
  package let upcoming: Upcoming?
  /// A newer one that needs a newer application, if there is one.
  package let announced: AnnouncedRelease?
  /// Why the installed one is to be left; nil: it has not been recalled.
  package let recall: Recalled?
  /// The newest one, if it is newer than the installed one and blocked.
  package let blocked: BlockedRelease?

  /// The first packages that are installed and that the newest release does not have.
  package let departures: [Departure]

  /// A release that is served and not in effect yet.
  package struct Upcoming: Equatable {
    package let release: Release
    /// In seconds since 1970.
    package let effective: Int64
  }

  /// The installed release is recalled.
  package struct Recalled: Equatable {
    package let reason: String
    /// The release that the device goes to; nil: there is none for it.
    package let wayOut: Release?
  }

  /// There is something to update to by itself.
  package var isUpdateAvailable: Bool {
    if let recall { return recall.wayOut != nil }
    guard let installed, let newest, blocked == nil else { return false }
    return newest.number > installed.number
  }
}
