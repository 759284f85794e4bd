package import Catalog
package import MapModel
package import Platform
package import Store

/// One catalog of a merge walk: the next component or part, and the regions that contain it.
package final class CatalogCursor {
  private var reader: CatalogReader<XZSource>?
  private let parts: CatalogParts?
  /// The next component; nil at the end, and before a part.
  package private(set) var entry: CatalogEntry?
  /// The next part; nil before a component.
  package private(set) var part: CatalogPart?
  private(set) var regions: [Region] = []
  /// The parts that were entered.
  package private(set) var entered: [CatalogReference] = []

  /// - `reader`: nil for a catalog without entries.
  /// - `parts`: where its parts are.
  package static func open(
    _ reader: consuming CatalogReader<XZSource>?, parts: CatalogParts?
  ) throws(Failure) -> CatalogCursor {
    let cursor = CatalogCursor(reader, parts)
    try cursor.advance()
    return cursor
  }

  // It does not throw: without a runtime library, an object whose initialiser throws is not freed.
  private init(_ reader: consuming CatalogReader<XZSource>?, _ parts: CatalogParts?) {
    self.reader = reader
    self.parts = parts
  }

  /// Passes over the next component, or over all of the next part.
  package func advance() throws(Failure) {
    (entry, part) = (nil, nil)
    guard var open = reader.take() else { return }
    do throws(CatalogError) {
      switch try open.nextItem() {
      case .component(let next): entry = next
      case .part(let next): part = next
      case .none: break
      }
    } catch { throw Failure(error) }
    regions = open.regions
    reader = consume open
  }

  /// The part is on this device.
  func has(_ part: CatalogPart) throws(Failure) -> Bool {
    try parts?.has(part.file) ?? false
  }

  /// Continues with the items of the next part; false if the part is not on this device.
  ///
  /// - `byOutline`: with what listings show of them (`CatalogEntry.outlined`), if the part has it.
  package func enter(byOutline: Bool = false) throws(Failure) -> Bool {
    guard let part, let parts, var open = reader.take() else { return false }
    var found = try parts.open(part.file)
    guard let file = found.take() else {
      reader = consume open
      return false
    }
    do throws(CatalogError) { try open.enter(part, file, byOutline: byOutline) } catch {
      throw Failure(error)
    }
    reader = consume open
    entered.append(part.file)
    try advance()
    return true
  }

  /// Returns the next entry and advances, if it is the component `name`.
  func take(_ name: ComponentName) throws(Failure) -> CatalogEntry? {
    guard let found = entry, found.name == name else { return nil }
    try advance()
    return found
  }

  /// Whether the next entry belongs to the package `id`.
  func isAt(_ id: PackageID) -> Bool { entry?.name.id == id }

  /// The names of a region that contains the next entry or part.
  func names(of region: PackageID) -> [LocalizedName]? {
    regions.first { $0.id == region }?.names
  }
}
