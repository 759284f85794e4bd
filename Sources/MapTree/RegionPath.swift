internal import MapModel

/// The listed regions that contain the current package of a walk, outermost first.
struct RegionPath {
  private(set) var open: [Entry] = []

  /// A region whose packages are being listed.
  struct Entry {
    let id: PackageID
    let index: Int
    /// The region is the last of its siblings.
    let isLast: Bool
  }

  /// Closes the regions that do not contain `next`.
  mutating func move(to next: PackageID) {
    while let region = open.last, !region.id.isAbove(next) { open.removeLast() }
  }

  /// The regions that contain the package `id` and are not open yet, outermost first.
  func opening(to id: PackageID) -> [PackageID] { id.regions(below: open.last?.id) }

  mutating func push(_ region: PackageID, index: Int, isLast: Bool = false) {
    open.append(Entry(id: region, index: index, isLast: isLast))
  }
}
