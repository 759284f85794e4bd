package import Catalog
internal import MapModel

/// Which nodes of the map tree are listed, and in which view.
package struct ListingQuery: Equatable {
  /// How the tree is shown.
  package enum View: Equatable {
    /// A flat list of packages.
    case packages
    /// Regions and packages; operations apply to packages.
    case tree
    /// Without packages that are details; operations apply to every node.
    case composite
  }

  package var view = View.packages
  /// Only these packages and regions, and everything below them, are listed; empty for all.
  package var ids = SortedIDs()
  /// Levels to show.
  package var depth = Int.max
  /// Only nodes with something installed.
  package var onlyInstalled = false
  /// Only nodes with an update.
  package var onlyUpdates = false
  package var language = Language.english

  package init() {}

  func selects(_ id: PackageID) -> Bool { ids.isEmpty || ids.includes(id) }

  /// All packages of the part are listed.
  func selects(_ part: CatalogPart) -> Bool {
    ids.isEmpty || ids.includesAll(of: part)
  }

  /// Whether a node passes the filters.
  func passes(_ sums: NodeSums) -> Bool {
    (!onlyInstalled || sums.touched > 0) && (!onlyUpdates || sums.updates > 0)
  }

  /// The sums of the part say all that the regions above it need.
  func needsSums(of part: CatalogPart) -> Bool {
    !mayList(part) || view == .tree && part.isFlat && selects(part)
  }

  /// Something of the part may be listed.
  func mayList(_ part: CatalogPart) -> Bool { ids.isEmpty || ids.mayBe(in: part) }

  /// Nothing of the part is shown, whatever is installed of it, and nothing else needs its sums.
  func ignores(_ part: CatalogPart) -> Bool { view == .packages && !mayList(part) }

  /// Nothing of the part is shown if nothing of it is installed.
  ///
  /// A tree knows the regions that begin in a part only from its packages, so those have to be read.
  func hides(_ part: CatalogPart) -> Bool {
    if !mayList(part) { return true }
    let isFiltered = onlyInstalled || onlyUpdates
    switch view {
    case .packages: return isFiltered && selects(part)
    case .tree:
      return selects(part) && (isFiltered && part.isFlat || part.regions.count { selects($0) } >= depth)
    case .composite: return false
    }
  }

  /// Whether the package is a node of the view.
  func shows(_ package: ListedPackage) -> Bool { view != .composite || !package.isDetail }
}
