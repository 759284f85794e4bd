internal import Catalog
package import MapModel

/// The ids of packages and regions that were asked for, and which of them something belongs to.
package struct MatchedIDs {
  private let ids: SortedIDs
  private var isMatched: [Bool]

  package init(_ ids: SortedIDs) {
    self.ids = ids
    isMatched = ids.all.map { _ in false }
  }

  package init(_ ids: [PackageID]) { self.init(SortedIDs(ids)) }

  /// Notes that there is a package `id`.
  package mutating func note(_ id: PackageID) {
    for index in ids.indices(containing: id) { isMatched[index] = true }
  }

  /// Notes that there is a part: that it lists what was asked for can be neither said nor denied.
  mutating func note(_ part: CatalogPart) {
    for index in ids.indices(in: part) { isMatched[index] = true }
  }

  /// The ids that no package so far belongs to, in their order.
  package var unmatched: [PackageID] {
    var unmatched: [PackageID] = []
    for (index, id) in ids.all.enumerated() where !isMatched[index] { unmatched.append(id) }
    return unmatched
  }
}
