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

  /// The ids that no package so far belongs to.
  package var unmatched: [PackageID] {
    var unmatched: [PackageID] = []
    for (index, id) in ids.enumerated() where !isMatched[index] { unmatched.append(id) }
    return unmatched
  }
}
