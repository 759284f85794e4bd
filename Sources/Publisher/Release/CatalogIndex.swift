internal import Catalog
internal import Crypto
internal import MapModel

/// The components of one release, in order, to be looked up by name.
struct CatalogIndex: Sendable {
  let entries: [CatalogEntry]

  /// - Parameter entries: in order of their names.
  init(_ entries: [CatalogEntry] = []) { self.entries = entries }

  /// A patch leads from a component of `other` to one of these.
  func hasPatches(from other: CatalogIndex) -> Bool {
    entries.contains { entry in other[entry.name].map { entry.patch(from: $0.digest) != nil } ?? false }
  }

  /// One of the components belongs to the package.
  func hasPackage(_ id: PackageID) -> Bool {
    var range = 0..<entries.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if entries[middle].name.id == id { return true }
      range = entries[middle].name.id < id ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return false
  }

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
