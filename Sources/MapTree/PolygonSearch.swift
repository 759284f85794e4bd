package import Catalog
package import MapModel
package import Platform

extension ListingSources {
  /// Calls `body` with each package that is one of `ids`, or in a region of them, and its polygons; nil if it has none.
  ///
  /// Ids that the release that is listed does not have are looked for in the newest known one. Those that match nothing
  /// are refused at the end.
  ///
  /// - Returns: how many packages are in parts of the catalog that are not on this device.
  package mutating func polygons(
    of ids: SortedIDs, _ body: (PackageID, PolygonCorners?) -> Void
  ) throws(Failure) -> UInt32 {
    var matched = MatchedIDs(ids)
    let basis = try CatalogCursor.open(openBasis(.corners), parts: parts)
    var unlisted = try basis.polygons(of: ids, noting: &matched, body)
    let left = SortedIDs(matched.unmatched)
    if !left.isEmpty {
      let newest = try CatalogCursor.open(openNewest(.corners), parts: parts)
      unlisted = unlisted.saturatingSum(try newest.polygons(of: left, noting: &matched, body))
    }
    guard matched.unmatched.isEmpty else { throw .unknownPackages(matched.unmatched.map { $0.text }) }
    return unlisted
  }
}

extension CatalogCursor {
  /// A package's first component says where it is.
  fileprivate func polygons(
    of ids: SortedIDs, noting matched: inout MatchedIDs, _ body: (PackageID, PolygonCorners?) -> Void
  ) throws(Failure) -> UInt32 {
    var unlisted: UInt32 = 0
    var last: PackageID?
    while !StopSignal.isRaised {
      if let part {
        if ids.mayBe(in: part) {
          if try enter() { continue }
          matched.note(part)
          unlisted = unlisted.saturatingSum(part.packages)
        }
        try advance()
        continue
      }
      guard let entry else { return unlisted }
      try advance()
      if last != entry.name.id, ids.includes(entry.name.id) {
        matched.note(entry.name.id)
        body(entry.name.id, entry.description.geography.corners)
      }
      last = entry.name.id
    }
    throw .cancelled
  }
}
