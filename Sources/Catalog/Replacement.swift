package import MapModel

/// A package in whose place, or beside which, a release has another one.
///
/// Devices with an older release that have the package get the other one.
package struct Replacement: Equatable, Sendable {
  package let id: PackageID
  package let successor: PackageID
  /// The number of the release that did it first.
  package let release: UInt64
  /// The release still has the package itself: something was split off.
  package let isKept: Bool

  package init(_ id: PackageID, by successor: PackageID, release: UInt64, isKept: Bool = false) {
    self.id = id
    self.successor = successor
    self.release = release
    self.isKept = isKept
  }
}
