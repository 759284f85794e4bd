package import MapModel

/// The devices and packages that a bundle is for.
package struct BundleRequest: Equatable, Sendable {
  /// Nil: the newest one.
  package var release: ReleaseName?
  /// Packages, and regions for all packages in them; empty: all.
  package var packages: [PackageID] = []
  /// Empty: all.
  package var groups: [DataGroup] = []
  /// The releases of the devices that it updates; empty: it is for devices that have nothing yet.
  package var from: [ReleaseName] = []

  package init() {}
}
