internal import Catalog
internal import CatalogWriting
internal import Crypto
internal import MapModel
internal import Platform

/// The components of one release, in order, to be looked up by name.
struct CatalogIndex: Sendable {
  let entries: [CatalogEntry]
  /// The parts of the catalog, of all levels; none of a small one.
  let parts: [CatalogPart]
  /// The packages that others have taken the place of.
  let replaced: [Replacement]
  let regions: RegionNames
  /// Where the bytes are, under the first name that has them.
  private let places: [Digest: Int]

  /// - `entries`: in order of their names.
  init(
    _ entries: [CatalogEntry] = [], parts: [CatalogPart] = [], replaced: [Replacement] = [],
    regions: RegionNames = RegionNames()
  ) {
    self.entries = entries
    self.parts = parts
    self.regions = regions
    self.replaced = replaced
    places = Dictionary(entries.indices.map { (entries[$0].digest, $0) }) { first, _ in first }
  }

  /// The component with these bytes, under whatever name.
  func component(with digest: Digest) -> CatalogEntry? { places[digest].map { entries[$0] } }

  /// The parts whose sums in the catalog are not those of their components.
  var wrongSums: [CatalogPart] {
    parts.filter { part in
      var sums = PartSums()
      let start = place(of: part.first)
      for package in entries[start...].prefix(while: { $0.name.id <= part.last }).packages {
        sums.add(package)
      }
      let isAround = sums.bounds.map { bounds in part.bounds.map { $0.union(bounds) == $0 } ?? false } ?? true
      let isFlat = sums.isFlat && part.level == 0
      return part.packages != sums.packages || part.isFlat != isFlat || part.groups != sums.groups
        || !isAround
    }
  }

  /// The index of the first component that is not before those of `id`.
  private func place(of id: PackageID) -> Int { entries.partitionPoint { $0.name.id < id } }

  /// A patch leads from a component of `other` to one of these.
  func hasPatches(from other: CatalogIndex) -> Bool {
    entries.contains { entry in other[entry.name].map { entry.patch(from: $0.digest) != nil } ?? false }
  }

  /// The components of a package; empty without such a package.
  func components(of id: PackageID) -> ArraySlice<CatalogEntry> {
    entries[place(of: id)...].prefix { $0.name.id == id }
  }

  /// One of the components belongs to the package.
  func hasPackage(_ id: PackageID) -> Bool { !components(of: id).isEmpty }

  subscript(name: ComponentName) -> CatalogEntry? {
    let place = entries.partitionPoint { $0.name < name }
    return place < entries.count && entries[place].name == name ? entries[place] : nil
  }
}

// A component that has another name in the next release.
extension CatalogIndex {
  /// The likely predecessor of a component: the one of its name, or a file of the same package and data group.
  ///
  /// - `id`: the package, if not its own.
  func predecessor(of name: ComponentName, in id: PackageID? = nil) -> CatalogEntry? {
    if id == nil, let same = self[name] { return same }
    let group = components(of: id ?? name.id).filter {
      $0.name.dataGroup == name.dataGroup && $0.name.file.isTree == name.file.isTree
    }
    if let same = group.first(where: { $0.name.isCalled(as: name) }) { return same }
    if let same = group.first(where: { $0.name.hasEnding(of: name) }) { return same }
    guard id == nil else { return nil }
    return group.count == 1 ? group.first : nil
  }

  /// The components of this release that have no successor among `names`, which are in order.
  ///
  /// A file may be called otherwise than before, as long as its data group does not have fewer files.
  func gone(in names: [ComponentName]) -> [ComponentName] {
    let new = Set(names)
    let added = Dictionary(grouping: names.filter { self[$0] == nil }, by: \.front).mapValues(\.count)
    let lost = Dictionary(grouping: entries.map(\.name).filter { !new.contains($0) }, by: \.front)
    return lost.flatMap { front, names in names.dropFirst(added[front] ?? 0) }.sorted()
  }
}

extension CatalogEntry {
  /// A document lists it as `other`.
  ///
  /// - `byOutline`: or in brief; parts of older releases have no outline.
  func isListed(as other: CatalogEntry, byOutline: Bool) -> Bool {
    byOutline && other == outlined || text == other.text
  }

  private var text: String {
    var writer = CatalogWriter(Release(number: 0, label: ""))
    writer.add(self)
    return writer.takeText()
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

extension ComponentName {
  fileprivate func isCalled(as other: ComponentName) -> Bool {
    Identifier.isSame(file.lastPart, other.file.lastPart)
  }

  fileprivate func hasEnding(of other: ComponentName) -> Bool {
    Identifier.isSame(DataFileName(file.lastPart).ending, DataFileName(other.file.lastPart).ending)
  }
}
