package import Catalog
internal import CatalogWriting
internal import Codec
internal import CodecEncoding
internal import Crypto
package import MapModel

/// A catalog as it is served, with parts of two levels: each lists so many packages, and each above it two parts.
package struct DividedCatalog {
  package let bytes: [UInt8]
  /// Of both levels.
  package private(set) var parts: [(part: CatalogPart, bytes: [UInt8])] = []

  /// - `packagesOfPart`: nil for a catalog without parts.
  /// - `hasOutlinesOnly`: parts end after their outlines, as no part may.
  package init(
    _ entries: [CatalogEntry], of release: Release, packagesOfPart: Int?, hasOutlinesOnly: Bool = false
  ) throws {
    var writer = CatalogWriter(release, hasParts: packagesOfPart != nil)
    if let packagesOfPart {
      let leaves = try DividedCatalog.packages(entries).pieces(of: packagesOfPart).map { packages in
        let (first, last) = (packages[0][0].name.id, packages[packages.count - 1][0].name.id)
        let isFlat = Set(packages.map { $0[0].name.id.parent }).count == 1
        let sums = DividedCatalog.sums(Array(packages.joined()))
        return try DividedCatalog.part(
          from: first, to: last, level: 0, packages: packages.count, isFlat: isFlat, sums: sums
        ) {
          $0.openOutline()
          for entry in packages.joined() { $0.add(outlined: entry) }
          $0.closeOutline()
          guard !hasOutlinesOnly else { return }
          for entry in packages.joined() { $0.add(entry) }
        }
      }
      let branches = try leaves.pieces(of: 2).map { leaves in
        let (first, last) = (leaves[0].part.first, leaves[leaves.count - 1].part.last)
        let packages = leaves.reduce(0) { $0 + Int($1.part.packages) }
        let listed = entries.filter { first <= $0.name.id && $0.name.id <= last }
        return try DividedCatalog.part(
          from: first, to: last, level: 1, packages: packages, isFlat: false,
          sums: DividedCatalog.sums(listed)
        ) { for leaf in leaves { $0.add(leaf.part) } }
      }
      for branch in branches { writer.add(branch.part) }
      parts = leaves + branches
    } else {
      for entry in entries { writer.add(entry) }
    }
    writer.finish()
    bytes = try DividedCatalog.xz(Array(writer.takeText().utf8))
  }

  private static func packages(_ entries: [CatalogEntry]) -> [[CatalogEntry]] {
    var packages: [[CatalogEntry]] = []
    for entry in entries {
      if packages.last?.last?.name.id == entry.name.id {
        packages[packages.count - 1].append(entry)
      } else {
        packages.append([entry])
      }
    }
    return packages
  }

  private static func sums(_ entries: [CatalogEntry]) -> [CatalogPart.GroupSums] {
    Dictionary(grouping: entries, by: \.name.dataGroup).sorted { $0.key < $1.key }.map { name, entries in
      var sums = CatalogPart.GroupSums(name)
      sums.components = UInt32(entries.count)
      sums.size = entries.reduce(0) { $0 + $1.size }
      sums.download = entries.reduce(0) { $0 + min($1.fullDownload, $1.size) }
      sums.indexSize = entries.reduce(0) { $0 + $1.description.indexSize }
      return sums
    }
  }

  private static func part(
    from first: PackageID, to last: PackageID, level: UInt64, packages: Int, isFlat: Bool,
    sums: [CatalogPart.GroupSums], _ body: (inout CatalogWriter) -> Void
  ) throws -> (part: CatalogPart, bytes: [UInt8]) {
    var writer = CatalogWriter()
    body(&writer)
    writer.finish()
    let bytes = try xz(Array(writer.takeText().utf8))
    let digest = try Hasher.digest(of: bytes.span.bytes)
    let part = CatalogPart(
      from: first, to: last, level: level, packages: UInt32(packages), isFlat: isFlat,
      url: "catalogs/\(digest.hex).update.xz",
      file: CatalogReference(digest: digest, size: UInt64(bytes.count)), groups: sums)
    return (part, bytes)
  }

  package static func xz(_ bytes: [UInt8]) throws -> [UInt8] {
    var encoder = try LZMAEncoder(xzPreset: 0, dictionarySize: 64 << 10)
    var output = [UInt8](repeating: 0, count: bytes.count + 4096)
    var span = output.mutableSpan
    var space = span.mutableBytes
    let counts = try encoder.encode(bytes.span.bytes, into: &space, isLast: true)
    return Array(output[..<counts.written])
  }
}

extension Array {
  fileprivate func pieces(of count: Int) -> [[Element]] {
    stride(from: 0, to: self.count, by: count).map { Array(self[$0..<Swift.min($0 + count, self.count)]) }
  }
}
