package import Catalog
package import MapModel
package import Platform

extension ListingSources {
  /// The packages of the release that is listed that lie in the corridor, at least in part, in the order of their ids.
  ///
  /// - `limit`: more are refused.
  package mutating func packages(in corridor: Corridor, limit: Int) throws(Failure) -> [PackageID] {
    var catalog = try CatalogCursor(openBasis(.near(corridor)), parts: parts)
    var found: [PackageID] = []
    // The first component gives the geometry of its package.
    var last: PackageID?
    while !StopSignal.isRaised {
      if let part = catalog.part {
        var isRead = false
        if part.bounds.map({ corridor.mayMeet($0) }) ?? false { isRead = try catalog.enter() }
        if !isRead { try catalog.advance() }
        continue
      }
      guard let entry = catalog.entry else { return found }
      try catalog.advance()
      let isFirst = last != entry.name.id
      last = entry.name.id
      guard isFirst, entry.description.geography.isNear(corridor) else { continue }
      guard found.count < limit else { throw .tooManyNear(limit: limit) }
      found.append(entry.name.id)
    }
    throw .cancelled
  }
}
