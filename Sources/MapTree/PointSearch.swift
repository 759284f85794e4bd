package import Catalog
package import MapModel
internal import Platform

extension ListingSources {
  /// The smallest package that contains the point; nil if none does.
  ///
  /// Searches the release that is listed, then the newest known one. Of packages with equal areas, the first by id wins.
  package mutating func smallestPackage(around point: Point) throws(MapTreeError) -> PackageID? {
    let basis = try openBasis(.covering(point))
    if let id = try ListingSources.smallest(in: basis, around: point) { return id }
    let newest = try openNewest(.covering(point))
    return try ListingSources.smallest(in: newest, around: point)
  }

  private static func smallest(
    in reader: consuming CatalogReader<XZSource>?, around point: Point
  ) throws(MapTreeError) -> PackageID? {
    guard var reader = reader.take() else { return nil }
    var smallest: (id: PackageID, area: Double)?
    // The first component gives the geometry of its package.
    var last: PackageID?
    while !StopSignal.isRaised {
      let next: CatalogEntry?
      do throws(CatalogError) { next = try reader.next() } catch { throw MapTreeError(error) }
      guard let entry = next else { return smallest?.id }
      let isFirst = last != entry.name.id
      last = entry.name.id
      guard isFirst, let area = entry.description.geography.area(around: point) else { continue }
      if area < smallest?.area ?? .infinity { smallest = (entry.name.id, area) }
    }
    throw .cancelled
  }
}
