internal import Catalog
internal import CatalogWriting
internal import Crypto
internal import MapModel

/// Adds up what a part of a catalog says of its packages.
struct PartSums {
  private(set) var packages: UInt32 = 0
  private(set) var bounds: Bounds?
  /// The packages so far are directly below the same region, or below none.
  private(set) var isFlat = true
  private var parent: PackageID??
  private var sums: [DataGroup: CatalogPart.GroupSums] = [:]

  /// In the order of their names.
  var groups: [CatalogPart.GroupSums] { sums.values.sorted { $0.name < $1.name } }

  /// Adds the components of one package.
  mutating func add(_ package: ArraySlice<CatalogEntry>) {
    packages += 1
    let above = package.first?.name.id.parent
    if let parent, parent != above { isFlat = false }
    parent = .some(above)
    for entry in package {
      include(entry.description.geography)
      change(entry.name.dataGroup) {
        $0.components += 1
        $0.size += entry.size
        $0.download += entry.fullDownload
        $0.indexSize += entry.description.indexSize
      }
    }
  }

  mutating func add(_ part: CatalogPart) {
    packages += part.packages
    isFlat = false
    include(part.bounds)
    for group in part.groups {
      change(group.name) {
        $0.components += group.components
        $0.size += group.size
        $0.download += group.download
        $0.indexSize += group.indexSize
      }
    }
  }

  private mutating func change(_ name: DataGroup, _ body: (inout CatalogPart.GroupSums) -> Void) {
    body(&sums[name, default: CatalogPart.GroupSums(name)])
  }

  /// A polygon without a box may be anywhere.
  private mutating func include(_ geography: Geography) {
    include(geography.bounds ?? (geography.polygons.isEmpty ? nil : .globe))
  }

  private mutating func include(_ other: Bounds?) {
    guard let other else { return }
    bounds = bounds.map { $0.union(other) } ?? other
  }
}

extension CatalogPart {
  /// Where the file with this digest is, relative to the repository.
  static func url(of digest: Digest) -> String { "catalogs/\(digest.hex).update.xz" }
}
