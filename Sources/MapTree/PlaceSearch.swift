package import Catalog
internal import MapModel
package import Platform

extension CatalogCursor {
  /// Calls `body` with the first component of each package, which gives the geometry of that, and goes past all others.
  ///
  /// - `mayHave`: whether a part whose packages lie in this box is looked into.
  func forEachPackage(
    where mayHave: (Bounds) -> Bool, _ body: (CatalogEntry) throws(Failure) -> Void
  ) throws(Failure) {
    var last: PackageID?
    while !StopSignal.isRaised {
      if let part {
        var isRead = false
        if part.bounds.map(mayHave) ?? false { isRead = try enter() }
        if !isRead { try advance() }
        continue
      }
      guard let entry else { return }
      try advance()
      if last != entry.name.id { try body(entry) }
      last = entry.name.id
    }
    throw .cancelled
  }

  /// Some package from here on says where it is.
  fileprivate func hasPlace() throws(Failure) -> Bool {
    while !StopSignal.isRaised {
      if let part {
        if part.bounds != nil { return true }
      } else if let entry {
        if entry.description.geography.hasPlace { return true }
      } else {
        return false
      }
      try advance()
    }
    throw .cancelled
  }
}

extension ListingSources {
  /// Some package of the listed release, or of the newest known one, says where it is; without one, nothing is found at
  /// any place.
  ///
  /// - `detail`: that of the search that has found nothing.
  @inline(never)
  package mutating func hasPlaces(_ detail: Detail) throws(Failure) -> Bool {
    let basis = try CatalogCursor.open(openBasis(detail), parts: parts)
    if try basis.hasPlace() { return true }
    return try CatalogCursor.open(openNewest(detail), parts: parts).hasPlace()
  }
}
