/// A release whose maps the application of this device is too old to read.
package struct AnnouncedRelease: Equatable {
  package let release: Release
  /// The oldest application version that can read them.
  package let minimumApplication: UInt64

  package init(_ release: Release, minimumApplication: UInt64) {
    self.release = release
    self.minimumApplication = minimumApplication
  }
}
