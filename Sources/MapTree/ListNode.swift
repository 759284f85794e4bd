package import Catalog
package import MapModel
package import Store

/// A node of the map tree in a listing.
package struct ListNode {
  package enum Kind: Equatable { case region, package }

  package let kind: Kind
  package let id: PackageID
  /// In the requested language; empty if the node has no name.
  package let name: String
  package let sums: NodeSums
  /// Direct children in the view.
  package let children: Int
  package let actions: [NodeAction]
  /// The data groups of a package.
  package let groups: [DataGroup]
  /// Where the first installed files of a package lie below `maps`.
  package let files: [ComponentPath]
  /// Where a package is, if it says so; in a part of a catalog that lists nothing installed it does not.
  package let bounds: Bounds?
  /// The package is a detail of its region: too small to be operated on by itself.
  package let isDetail: Bool
  /// Why it is installed, if nobody has asked for it: the device was near it.
  package let arrival: AreaRecord.Arrival?
  /// The server does not give it to this device.
  package let refusal: RefusedPackages.Refusal?
  /// The release that adds the package, if the installed release does not have it.
  package let release: Release?
  /// For each shown level, from the outermost to the node itself: whether that node is the last of its siblings.
  package let trail: [Bool]
}
