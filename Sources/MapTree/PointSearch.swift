package import Catalog
package import MapModel
package import Platform

extension ListingSources {
  /// The smallest package that contains the point; nil if none does.
  ///
  /// Searches the release that is listed, then the newest known one. Of packages with equal areas, the first by id wins.
  package mutating func smallestPackage(around point: Point) throws(Failure) -> PackageID? {
    let listed = try CatalogCursor.open(openBasis(.covering(point)), parts: parts)
    if let id = try smallest(in: listed, around: point) { return id }
    let newest = try CatalogCursor.open(openNewest(.covering(point)), parts: parts)
    return try smallest(in: newest, around: point)
  }

  private func smallest(
    in catalog: CatalogCursor, around point: Point
  ) throws(Failure) -> PackageID? {
    var smallest: (id: PackageID, area: Double)?
    try catalog.forEachPackage(where: { $0.contains(point) }) { (entry) throws(Failure) in
      guard let area = entry.description.geography.area(around: point) else { return }
      if area < smallest?.area ?? .infinity { smallest = (entry.name.id, area) }
    }
    return smallest?.id
  }
}
