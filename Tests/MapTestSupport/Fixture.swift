package import Catalog
internal import CatalogWriting
internal import Codec
internal import CodecEncoding
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
  package static func catalog(_ entries: [CatalogEntry], in scratch: Scratch) throws -> CatalogReader<
    XZSource
  > {
    var writer = CatalogWriter(release)
    for entry in entries { writer.add(entry) }
    writer.finish()
    let bytes = Array(writer.takeText().utf8)
    var encoder = try LZMAEncoder(xzPreset: 0, dictionarySize: 64 << 10)
    var output = [UInt8](repeating: 0, count: bytes.count + 4096)
    var span = output.mutableSpan
    var space = span.mutableBytes
    let counts = try encoder.encode(bytes.span.bytes, into: &space, isLast: true)
    try scratch.write("catalog", Array(output[..<counts.written]))
    return try CatalogReader(try File(opening: "\(scratch.path)/catalog"))
  }
}
