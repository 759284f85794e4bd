internal import Catalog
internal import Crypto
internal import MapModel
internal import MapTree
internal import Platform

/// What a report says of one package of a release; sizes are in bytes.
struct PackageFigures: Sendable {
  /// How a package compares with the previous release.
  enum State: String, CaseIterable, Sendable { case new, changed, unchanged, gone }

  let id: PackageID
  /// In English, else in the first language that there is; without names that of the region or country.
  let name: String
  let groups: [DataGroup]
  private(set) var state: State
  /// Components that differ from those of the previous release.
  let changed: Int
  /// Of all components on a device; of a package that is gone, as it was.
  let size: UInt64
  let fullDownload: UInt64
  /// What a device downloads that has the package of one, two, … releases before; nil where there was none.
  let updates: [UInt64?]
  let geography: Geography

  /// - `components`: of the package.
  /// - `bases`: the releases before, the nearest first.
  init(_ id: PackageID, _ components: ArraySlice<CatalogEntry>, after bases: [CatalogIndex]) {
    self.id = id
    let geographies = components.map(\.description.geography)
    name =
      geographies.lazy.compactMap { Language.english.name(of: $0.names) }.first
      ?? components.first.flatMap { first in
        [first.description.region, first.description.country].first { !$0.isEmpty }
      } ?? id.lastPart
    groups = components.map(\.name.dataGroup).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    size = components.reduce(0) { $0.saturatingSum($1.size) }
    fullDownload = components.reduce(0) { $0.saturatingSum($1.fullDownload) }
    changed = components.count { bases.first?[$0.name]?.digest != $0.digest }
    let before = bases.first?.components(of: id) ?? []
    state =
      before.isEmpty ? .new : changed == 0 && before.count == components.count ? .unchanged : .changed
    updates = bases.map { base in
      guard base.hasPackage(id) else { return nil }
      return components.reduce(0) { $0.saturatingSum(base.payload(for: $1)?.download ?? 0) }
    }
    geography =
      geographies.first { !$0.polygons.isEmpty } ?? geographies.first { $0.bounds != nil } ?? Geography()
  }

  /// The packages of a release in the order of their ids, then those that are gone.
  static func all(of catalog: CatalogIndex, after bases: [CatalogIndex]) -> [PackageFigures] {
    let gone = (bases.first?.entries[...].packages ?? []).filter { package in
      package.first.map { !catalog.hasPackage($0.name.id) } ?? false
    }
    return figures(of: catalog.entries[...].packages, after: bases)
      + figures(of: gone, after: []).map {
        var figures = $0
        figures.state = .gone
        return figures
      }
  }

  private static func figures(
    of packages: [ArraySlice<CatalogEntry>], after bases: [CatalogIndex]
  ) -> [PackageFigures] {
    packages.compactMap { package in
      package.first.map { PackageFigures($0.name.id, package, after: bases) }
    }
  }
}
