/// A package that a release no longer has, and the packages that have taken its place, if any have.
package struct Departure: Equatable, Sendable {
  package let id: PackageID
  /// In order; none: nothing has.
  package var successors: [PackageID]

  package init(_ id: PackageID, successors: [PackageID] = []) {
    self.id = id
    self.successors = successors
  }
}
