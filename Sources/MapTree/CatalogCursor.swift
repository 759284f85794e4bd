package import Catalog
internal import MapModel
internal import Store

/// One catalog of a merge walk: the next entry and the regions that contain it.
package struct CatalogCursor: ~Copyable {
  private var reader: CatalogReader<XZSource>?
  package private(set) var entry: CatalogEntry?
  private(set) var regions: [Region] = []

  /// - `reader`: nil for a catalog without entries.
  package init(_ reader: consuming CatalogReader<XZSource>?) throws(MapTreeError) {
    self.reader = reader
    try advance()
  }

  package mutating func advance() throws(MapTreeError) {
    guard var open = reader.take() else {
      entry = nil
      return
    }
    do throws(CatalogError) { entry = try open.next() } catch { throw MapTreeError(error) }
    regions = open.regions
    reader = consume open
  }

  /// Returns the next entry and advances, if it is the component `name`.
  mutating func take(_ name: ComponentName) throws(MapTreeError) -> CatalogEntry? {
    guard let found = entry, found.name == name else { return nil }
    try advance()
    return found
  }

  /// Whether the next entry belongs to the package `id`.
  func isAt(_ id: PackageID) -> Bool { entry?.name.id == id }

  /// The names of a region that contains the next entry.
  func names(of region: PackageID) -> [LocalizedName]? {
    regions.first { $0.id == region }?.names
  }
}
