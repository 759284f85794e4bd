package import Catalog
package import MapModel
internal import Platform

extension ListingSources {
  /// The smallest package that contains the point; nil if none does.
  ///
  /// Looks at the release that is listed, and only where that has none at the newest known one.
  /// Of several of one size it is the first in the order of the ids.
  package mutating func smallestPackage(around point: Point) throws(UpdateError) -> String? {
    let basis = try openBasis(.covering(point))
    if let id = try ListingSources.smallest(in: basis, around: point) { return id }
    let newest = try openNewest(.covering(point))
    return try ListingSources.smallest(in: newest, around: point)
  }

  private static func smallest(
    in reader: consuming CatalogReader<XZSource>?, around point: Point
  ) throws(UpdateError) -> String? {
    guard var reader = reader.take() else { return nil }
    var smallest: (id: String, area: Double)?
    // The first component of a package says where it is.
    var last = ""
    while !StopSignal.isRaised {
      let next: CatalogEntry?
      do throws(CatalogError) { next = try reader.next() } catch { throw .catalog(error) }
      guard let entry = next else { return smallest?.id }
      let isFirst = !last.utf8.elementsEqual(entry.name.id.utf8)
      last = entry.name.id
      guard isFirst, let area = entry.description.geography.area(around: point) else { continue }
      if area < smallest?.area ?? .infinity { smallest = (entry.name.id, area) }
    }
    throw .cancelled
  }
}
