internal import Catalog
internal import MapModel
internal import Store

/// A catalog that is walked through beside others: its next entry, and the regions around it.
struct CatalogCursor: ~Copyable {
  private var reader: CatalogReader<XZSource>?
  private(set) var entry: CatalogEntry?
  private(set) var regions: [Region] = []

  /// `reader`: nil is a catalog without entries.
  init(_ reader: consuming CatalogReader<XZSource>?) throws(UpdateError) {
    self.reader = reader
    try advance()
  }

  mutating func advance() throws(UpdateError) {
    guard var open = reader.take() else {
      entry = nil
      return
    }
    do throws(CatalogError) { entry = try open.next() } catch { throw .catalog(error) }
    regions = open.regions
    reader = consume open
  }

  /// Takes the entry if it is the component `name`.
  mutating func take(_ name: ComponentName) throws(UpdateError) -> CatalogEntry? {
    guard let found = entry, found.name == name else { return nil }
    try advance()
    return found
  }

  /// The next entry is of the package `id`.
  func isAt(_ id: String) -> Bool { entry?.name.id.utf8.elementsEqual(id.utf8) ?? false }

  /// The names of a region around the next entry.
  func names(of region: String) -> [LocalizedName]? {
    regions.first { $0.id.utf8.elementsEqual(region.utf8) }?.names
  }
}

/// A manifest that is walked through beside catalogs.
struct ManifestCursor: ~Copyable {
  private var reader: ManifestReader?
  private(set) var component: InstalledComponent?

  /// `reader`: nil if nothing is installed.
  init(_ reader: consuming ManifestReader?) throws(UpdateError) {
    self.reader = reader
    try advance()
  }

  private mutating func advance() throws(UpdateError) {
    guard var open = reader.take() else {
      component = nil
      return
    }
    do throws(StoreError) { component = try open.next() } catch { throw .store(error) }
    reader = consume open
  }

  /// Takes the component if it is `name`.
  mutating func take(_ name: ComponentName) throws(UpdateError) -> InstalledComponent? {
    guard let found = component, found.name == name else { return nil }
    try advance()
    return found
  }

  /// The next component is of the package `id`.
  func isAt(_ id: String) -> Bool { component?.id.utf8.elementsEqual(id.utf8) ?? false }
}
