internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Reporting

extension Report.Package {
  /// The packages of a release in the order of their ids, then those that are gone.
  ///
  /// - `bases`: the releases before, the nearest first.
  static func all(
    of catalog: CatalogIndex, after bases: [CatalogIndex], places: inout PlaceTable
  ) -> [Report.Package] {
    let gone = (bases.first?.entries[...].packages ?? []).filter { package in
      package.first.map { !catalog.hasPackage($0.name.id) } ?? false
    }
    var packages: [Report.Package] = []
    for components in catalog.entries[...].packages {
      if let package = Report.Package(components, after: bases, places: &places) { packages.append(package) }
    }
    for components in gone {
      guard var package = Report.Package(components, after: [], places: &places) else { continue }
      package.state = .gone
      packages.append(package)
    }
    return packages
  }

  /// Nil without components.
  init?(_ components: ArraySlice<CatalogEntry>, after bases: [CatalogIndex], places: inout PlaceTable) {
    guard let first = components.first else { return nil }
    let id = first.name.id
    let geographies = components.map(\.description.geography)
    let fallback = [first.description.region, first.description.country].first { !$0.isEmpty }
    let changed = components.count { bases.first?[$0.name]?.digest != $0.digest }
    let before = bases.first?.components(of: id) ?? []
    self.init(
      id.text,
      name: geographies.lazy.compactMap { Language.english.name(of: $0.names) }.first ?? fallback
        ?? id.lastPart,
      dataGroups: components.map(\.name.dataGroup.text).reduce(into: []) {
        if $0.last != $1 { $0.append($1) }
      },
      state: before.isEmpty
        ? .new : changed == 0 && before.count == components.count ? .unchanged : .changed,
      components: components.count, changed: changed,
      size: components.reduce(0) { $0.saturatingSum($1.size) },
      fullDownload: components.reduce(0) { $0.saturatingSum($1.fullDownload) },
      updates: bases.map { base in
        guard base.hasPackage(id) else { return nil }
        return components.reduce(0) { $0.saturatingSum(base.payload(for: $1)?.download ?? 0) }
      })
    place = places.index(
      of: geographies.first { !$0.polygons.isEmpty } ?? geographies.first { $0.bounds != nil } ?? Geography())
  }
}
