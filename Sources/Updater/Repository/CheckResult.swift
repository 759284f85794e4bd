package import MapModel
package import Store

/// What a check for updates found.
package struct CheckResult: Equatable {
  /// Nil if nothing is installed.
  package let installed: Release?
  /// The newest release whose maps the application of this device can read; nil if there is none.
  package let newest: Release?
  /// A newer one that needs a newer application, if there is one.
  package let announced: AnnouncedRelease?
  /// The newest one, if it is newer than the installed one and blocked.
  package let blocked: BlockedRelease?

  /// The first packages that are installed and that the newest release does not have.
  package let departures: [Departure]

  /// There is something to update to by itself.
  package var isUpdateAvailable: Bool {
    guard let installed, let newest, blocked == nil else { return false }
    return newest.number > installed.number
  }
}
