internal import Catalog
internal import MapModel

/// The named regions of a release, each found by its id.
struct RegionNames: Sendable {
  private let regions: [PackageID: Region]

  /// Regions without a name are left out.
  init(_ regions: [Region] = []) {
    var found: [PackageID: Region] = [:]
    for region in regions where !region.names.isEmpty { found[region.id] = region }
    self.regions = found
  }

  /// The ids of all regions above some packages.
  static func above(_ ids: [PackageID]) -> Set<PackageID> { Set(ids.flatMap { $0.regions(below: nil) }) }

  /// The regions above `id`, the outermost first.
  func above(_ id: PackageID) -> [Region] { id.regions(below: nil).compactMap { regions[$0] } }
}
