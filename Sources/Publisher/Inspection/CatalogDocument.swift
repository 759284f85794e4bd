package import Catalog
package import MapModel

/// A catalog or a part of one, as far as it is in one file.
package struct CatalogDocument: Equatable, Sendable {
  /// Nil for a part.
  package let release: Release?
  package private(set) var components: [CatalogEntry] = []
  package private(set) var parts: [CatalogPart] = []
  package private(set) var regions: [Region] = []

  init<Source: ByteSource & ~Copyable>(
    _ source: consuming Source, path: String, isPart: Bool
  ) throws(CatalogError) {
    var reader = try CatalogReader(source, path: path, detail: .full, as: isPart ? .part : .catalog)
    release = isPart ? nil : reader.release
    var above: [Region] = []
    while let item = try reader.nextItem() {
      regions += reader.regions.filter { !above.contains($0) }
      above = reader.regions
      switch item {
      case .component(let entry): components.append(entry)
      case .part(let part): parts.append(part)
      }
    }
  }
}
