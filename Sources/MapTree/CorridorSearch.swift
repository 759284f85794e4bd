package import Catalog
package import MapModel
package import Platform

extension ListingSources {
  /// The packages of the release that is listed that lie in the corridor, at least in part, in the order of their ids.
  ///
  /// - `limit`: more are refused.
  package mutating func packages(in corridor: Corridor, limit: Int) throws(Failure) -> [PackageID] {
    let catalog = try CatalogCursor.open(openBasis(.near(corridor)), parts: parts)
    var found: [PackageID] = []
    try catalog.forEachPackage(where: corridor.mayMeet) { (entry) throws(Failure) in
      guard entry.description.geography.isNear(corridor) else { return }
      guard found.count < limit else { throw .tooManyNear(limit: limit) }
      found.append(entry.name.id)
    }
    return found
  }
}
