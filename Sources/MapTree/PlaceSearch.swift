internal import Catalog
internal import MapModel
internal import Platform

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
