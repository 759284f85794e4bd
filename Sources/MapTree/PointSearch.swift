package import Catalog
package import MapModel
package import Platform

extension ListingSources {
  /// The smallest package that contains the point; nil if none does.
  ///
  /// Searches the release that is listed, then the newest known one. Of packages with equal areas, the first by id wins.
  package mutating func smallestPackage(around point: Point) throws(Failure) -> PackageID? {
    if let id = try smallest(in: try CatalogCursor(openBasis(.covering(point)), parts: parts), around: point)
    {
      return id
    }
    return try smallest(in: try CatalogCursor(openNewest(.covering(point)), parts: parts), around: point)
  }

  private func smallest(
    in catalog: consuming CatalogCursor, around point: Point
  ) throws(Failure) -> PackageID? {
    var smallest: (id: PackageID, area: Double)?
    // The first component gives the geometry of its package.
    var last: PackageID?
    while !StopSignal.isRaised {
      if let part = catalog.part {
        var isRead = false
        if part.bounds?.contains(point) ?? false { isRead = try catalog.enter() }
        if !isRead { try catalog.advance() }
        continue
      }
      guard let entry = catalog.entry else { return smallest?.id }
      try catalog.advance()
      let isFirst = last != entry.name.id
      last = entry.name.id
      guard isFirst, let area = entry.description.geography.area(around: point) else { continue }
      if area < smallest?.area ?? .infinity { smallest = (entry.name.id, area) }
    }
    throw .cancelled
  }
}
