internal import Catalog
internal import MapModel

/// The named regions of a release, each found by its id.
struct RegionNames: Sendable {
  private let regions: [[UInt8]: Region]

  /// Regions without a name are left out.
  init(_ regions: [Region] = []) {
    var found: [[UInt8]: Region] = [:]
    for region in regions where !region.names.isEmpty { found[Array(region.id.utf8)] = region }
    self.regions = found
  }

  /// The ids of all regions above some packages.
  static func above(_ ids: [String]) -> Set<[UInt8]> {
    var regions: Set<[UInt8]> = []
    for id in ids {
      let id = Array(id.utf8)
      for index in id.indices where id[index] == UInt8(ascii: "/") { regions.insert(Array(id[..<index])) }
    }
    return regions
  }

  /// The regions above `id`, the outermost first.
  func above(_ id: String) -> [Region] {
    let id = Array(id.utf8)
    return id.indices.filter { id[$0] == UInt8(ascii: "/") }.compactMap { regions[Array(id[..<$0])] }
  }

  /// The regions above `id` that are not above `previous`, the component before: those that begin here.
  func beginning(at id: String, after previous: String?) -> [Region] {
    above(id).filter { region in !(previous.map { Identifier.isRegion(region.id, above: $0) } ?? false) }
  }
}
