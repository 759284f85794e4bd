internal import Catalog
package import MapModel

/// The ids of packages and regions that were asked for, and which of them something belongs to.
package struct MatchedIDs {
  private let ids: [PackageID]
  private var isMatched: [Bool]

  package init(_ ids: [PackageID]) {
    self.ids = ids
    isMatched = ids.map { _ in false }
  }

  /// Notes that there is a package `id`.
  package mutating func note(_ id: PackageID) {
    for (index, region) in ids.enumerated() where region.contains(id) {
      isMatched[index] = true
    }
  }

  /// Notes that there is a part: that it lists what was asked for can be neither said nor denied.
  mutating func note(_ part: CatalogPart) {
    for (index, id) in ids.enumerated() where part.mayList([id]) { isMatched[index] = true }
  }

  /// The ids that no package so far belongs to.
  package var unmatched: [PackageID] {
    var unmatched: [PackageID] = []
    for (index, id) in ids.enumerated() where !isMatched[index] { unmatched.append(id) }
    return unmatched
  }
}
