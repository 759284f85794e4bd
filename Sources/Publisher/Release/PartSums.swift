internal import Catalog
internal import CatalogWriting
internal import Crypto
internal import MapModel

/// Adds up what a part of a catalog says of its packages.
struct PartSums {
  private(set) var packages: UInt32 = 0
  private(set) var bounds: Bounds?
  private var sums = GroupTable()
  /// Packages that are directly below the same region, one after the other.
  private var runs: [(first: PackageID, last: PackageID, packages: UInt32, sums: GroupTable)] = []
  private var hasParts = false

  /// In the order of their names.
  var groups: [CatalogPart.GroupSums] { sums.all }

  /// The packages so far are directly below the same region, or below none.
  var isFlat: Bool { !hasParts && runs.count <= 1 }

  /// The runs that a part begins with: none if its own sums say as much, or if they would be many.
  var usefulRuns: [PackageRun] {
    guard !hasParts, !isFlat, runs.count <= Int(packages) / PartSums.leastOfRun else { return [] }
    return runs.map { PackageRun(from: $0.first, to: $0.last, packages: $0.packages, groups: $0.sums.all) }
  }

  /// How many packages a run must have, on average, to be worth its bytes.
  private static var leastOfRun: Int { 2 }

  /// Adds the components of one package.
  mutating func add(_ package: ArraySlice<CatalogEntry>) {
    guard let id = package.first?.name.id else { return }
    packages += 1
    if runs.last?.last.parent != id.parent || runs.isEmpty { runs.append((id, id, 0, GroupTable())) }
    let run = runs.count - 1
    runs[run].last = id
    runs[run].packages += 1
    for entry in package {
      include(entry.description.geography)
      sums.add(entry)
      runs[run].sums.add(entry)
    }
  }

  mutating func add(_ part: CatalogPart) {
    packages += part.packages
    hasParts = true
    include(part.bounds)
    for group in part.groups { sums.add(group) }
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

/// Sums of components by data group.
private struct GroupTable {
  private var sums: [DataGroup: CatalogPart.GroupSums] = [:]

  /// In the order of their names.
  var all: [CatalogPart.GroupSums] { sums.values.sorted { $0.name < $1.name } }

  mutating func add(_ entry: CatalogEntry) {
    var group = CatalogPart.GroupSums(entry.name.dataGroup)
    group.components = 1
    group.size = entry.size
    group.download = entry.fullDownload
    group.indexSize = entry.description.indexSize
    add(group)
  }

  mutating func add(_ group: CatalogPart.GroupSums) {
    var sum = sums[group.name, default: CatalogPart.GroupSums(group.name)]
    sum.components += group.components
    sum.size += group.size
    sum.download += group.download
    sum.indexSize += group.indexSize
    sums[group.name] = sum
  }
}

extension CatalogPart {
  /// Where the file with this digest is, relative to the repository.
  static func url(of digest: Digest) -> String { "catalogs/\(digest.hex).update.xz" }
}
