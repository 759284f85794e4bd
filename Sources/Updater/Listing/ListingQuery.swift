package import Catalog
package import MapModel

/// Which nodes of the map tree are listed, and how.
package struct ListingQuery: Equatable {
  /// One of the ways to look at the tree.
  package enum View: Equatable {
    /// The packages, one after the other.
    case packages
    /// The regions too; operations are on packages.
    case tree
    /// Without the packages that are details; operations are on every node.
    case composite
  }

  package var view = View.packages
  /// Packages and regions: only they and what is below are listed.
  ///
  /// Empty: everything.
  package var ids: [String] = []
  /// Levels that are shown.
  package var depth = Int.max
  /// Only nodes of which something is installed.
  package var onlyInstalled = false
  /// Only nodes with an update.
  package var onlyUpdates = false
  package var language = Language.english

  package init() {}

  func selects(_ id: String) -> Bool { ids.isEmpty || Operation.regions(ids, contain: id) }

  /// Passes what the options ask for.
  func passes(_ sums: NodeSums) -> Bool {
    (!onlyInstalled || sums.touched > 0) && (!onlyUpdates || sums.updates > 0)
  }

  /// Is a node of the view.
  func shows(_ package: ListedPackage) -> Bool { view != .composite || !package.isDetail }
}
