package import Catalog
internal import MapModel
package import Platform

extension CatalogCursor {
  /// Calls `body` with the first component of each package, which gives the geometry of that, and goes past all others.
  ///
  /// - `mayHave`: whether a part whose packages lie in this box is looked into.
  consuming func forEachPackage(
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
}

extension ListingSources {
  /// Some package says where it is; without one, nothing is found at any place.
  ///
  /// - `detail`: that of the search that has found nothing.
  @inline(never)
  package mutating func hasPlaces(_ detail: Detail) throws(Failure) -> Bool {
    var catalog = try CatalogCursor(openBasis(detail), parts: parts)
    while !StopSignal.isRaised {
      if let part = catalog.part {
        if part.bounds != nil { return true }
      } else if let entry = catalog.entry {
        if entry.description.geography.hasPlace { return true }
      } else {
        return false
      }
      try catalog.advance()
    }
    throw .cancelled
  }
}
