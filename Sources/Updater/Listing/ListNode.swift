package import Catalog
package import MapModel

/// A node of the map tree, as it is listed.
package struct ListNode {
  package enum Kind: Equatable { case region, package }

  package let kind: Kind
  package let id: String
  /// In the language that is asked for; empty if it has none.
  package let name: String
  package let sums: NodeSums
  /// How many nodes of the view are directly below.
  package let children: Int
  package let actions: [NodeAction]
  /// The data groups of a package.
  package let groups: [String]
  /// A package is a detail of the regions around it.
  package let isDetail: Bool
  /// The release of a package that the installed one does not have.
  package let release: Release?
  /// For each shown level from the outermost down to the node itself: it is the last of its siblings.
  package let trail: [Bool]

  /// The id of the node above; nil at the top.
  package var parent: String? {
    let bytes = Array(id.utf8)
    guard let cut = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return String(decoding: bytes[..<cut], as: UTF8.self)
  }
}
