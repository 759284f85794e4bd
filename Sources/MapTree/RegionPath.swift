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

  /// Closes the regions that do not contain all packages from `first` to `last`.
  mutating func move(to first: PackageID, through last: PackageID) {
    while let region = open.last, !region.id.isAbove(first) || !region.id.isAbove(last) { open.removeLast() }
  }

  /// The regions that contain all packages from `first` to `last` and are not open yet, outermost first.
  func opening(to first: PackageID, through last: PackageID) -> [PackageID] {
    first.regions(below: open.last?.id).filter { $0.isAbove(last) }
  }

  mutating func push(_ region: PackageID, index: Int, isLast: Bool = false) {
    open.append(Entry(id: region, index: index, isLast: isLast))
  }
}
