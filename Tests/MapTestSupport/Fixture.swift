package import Catalog
package import Crypto
package import MapModel
internal import Platform
package import Store
package import TestSupport

/// The pieces that these tests are made of.
package enum Fixture {
  package static func digest(_ text: String) throws -> Digest {
    try Hasher.digest(of: Array(text.utf8).span.bytes)
  }

  package static func installed(
    _ id: PackageID, _ dataGroup: DataGroup = "base", _ version: String = "old", size: UInt64 = 10
  ) throws -> InstalledComponent {
    InstalledComponent(
      ComponentName(id: id, dataGroup: dataGroup), release: 1, size: size,
      digest: try digest("\(id) \(dataGroup) \(version)"))
  }

  package static func container(
    _ name: String, size: UInt64, memory: UInt64, recompressed: UInt64 = 0
  ) throws -> Container {
    let head = try digest(name)
    return Container(
      url: "payloads/\(head.hex).patch", size: size, head: head, memory: memory, recompressed: recompressed)
  }

  /// An entry of the version `version`, without containers.
  package static func entry(
    _ id: PackageID, _ dataGroup: DataGroup = "base", _ version: String = "new", size: UInt64 = 1000,
    indexSize: UInt64 = 0
  ) throws -> CatalogEntry {
    let digest = try digest("\(id) \(dataGroup) \(version)")
    let description = Description(
      name: ComponentName(id: id, dataGroup: dataGroup), group: "", country: "", region: "", release: release,
      dataSize: 1, indexSize: indexSize)
    return CatalogEntry(
      description: description, url: "components/\(digest.hex).dat", size: size, digest: digest)
  }

  package static let release = Release(number: 2, label: "two")

  /// A catalog as it is served, opened.
  ///
  /// - `packagesOfPart`: nil for a catalog without parts, as in `DividedCatalog`.
  package static func catalog(
    _ entries: [CatalogEntry], in scratch: Scratch, packagesOfPart: Int? = nil
  ) throws -> CatalogReader<XZSource> {
    let catalog = try DividedCatalog(entries, of: release, packagesOfPart: packagesOfPart)
    try scratch.write("catalog", catalog.bytes)
    for (part, bytes) in catalog.parts {
      try scratch.write("catalogs/parts/\(part.file.digest.hex)", bytes)
    }
    return try CatalogReader(try File(opening: "\(scratch.path)/catalog"))
  }

  /// The parts of the catalogs that were made in `scratch`.
  package static func parts(in scratch: Scratch) -> CatalogParts {
    CatalogParts(of: scratch.path, installed: Generation())
  }
}
