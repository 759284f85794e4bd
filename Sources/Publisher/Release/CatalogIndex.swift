internal import Catalog
internal import CatalogWriting
internal import Crypto
internal import MapModel

/// The components of one release, in order, to be looked up by name.
struct CatalogIndex: Sendable {
  let entries: [CatalogEntry]
  /// The parts of the catalog, of all levels; none of a small one.
  let parts: [CatalogPart]
  /// The runs with which the files of parts begin, if they do.
  let runs: [PackageID: [PackageRun]]

  /// - `entries`: in order of their names.
  /// - `runs`: by the first package of the part.
  init(
    _ entries: [CatalogEntry] = [], parts: [CatalogPart] = [], runs: [PackageID: [PackageRun]] = [:]
  ) {
    self.entries = entries
    self.parts = parts
    self.runs = runs
  }

  /// The parts whose sums in the catalog, or in their runs, are not those of their components.
  var wrongSums: [CatalogPart] {
    parts.filter { part in
      var sums = PartSums()
      let start = place(of: part.first)
      for package in entries[start...].prefix(while: { $0.name.id <= part.last }).packages {
        sums.add(package)
      }
      let isAround = sums.bounds.map { bounds in part.bounds.map { $0.union(bounds) == $0 } ?? false } ?? true
      let isFlat = sums.isFlat && part.level == 0
      // Parts of older releases have no runs.
      let isRight = part.runs == 0 || runs[part.first] == sums.usefulRuns
      return part.packages != sums.packages || part.isFlat != isFlat || part.groups != sums.groups
        || !isAround || !isRight
    }
  }

  /// The index of the first component that is not before those of `id`.
  private func place(of id: PackageID) -> Int {
    var range = 0..<entries.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = entries[middle].name.id < id ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// A patch leads from a component of `other` to one of these.
  func hasPatches(from other: CatalogIndex) -> Bool {
    entries.contains { entry in other[entry.name].map { entry.patch(from: $0.digest) != nil } ?? false }
  }

  /// The components of a package; empty if there is no such package.
  func components(of id: PackageID) -> ArraySlice<CatalogEntry> {
    entries[place(of: id)...].prefix { $0.name.id == id }
  }

  /// One of the components belongs to the package.
  func hasPackage(_ id: PackageID) -> Bool { !components(of: id).isEmpty }

  subscript(name: ComponentName) -> CatalogEntry? {
    var range = 0..<entries.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if entries[middle].name == name { return entries[middle] }
      range = entries[middle].name < name ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }
}

extension ArraySlice<CatalogEntry> {
  /// The components of each package.
  var packages: [ArraySlice<CatalogEntry>] {
    var packages: [ArraySlice<CatalogEntry>] = []
    var start = startIndex
    for index in indices where index + 1 == endIndex || self[index + 1].name.id != self[index].name.id {
      packages.append(self[start...index])
      start = index + 1
    }
    return packages
  }
}
