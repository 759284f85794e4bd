internal import Catalog
internal import MapModel

/// The named regions of a release, each found by its id.
struct RegionNames: Sendable {
  private var regions: [PackageID: Region] = [:]

  /// Regions without a name are left out.
  init(_ regions: [Region] = []) { add(regions) }

  /// Adds those that are not known yet.
  mutating func add(_ found: [Region]) {
    for region in found where !region.names.isEmpty && regions[region.id] == nil {
      regions[region.id] = region
    }
  }

  /// The ids of all regions above some packages.
  static func above(_ ids: [PackageID]) -> Set<PackageID> { Set(ids.flatMap { $0.regions(below: nil) }) }

  /// The regions above `id`, the outermost first.
  func above(_ id: PackageID) -> [Region] { id.regions(below: nil).compactMap { regions[$0] } }
}
