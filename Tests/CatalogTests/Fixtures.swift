import CatalogWriting
import Codec
import CodecEncoding
import Crypto
import MapModel
import Platform
import TestSupport
import Testing

@testable import Catalog

/// Bytes in memory, handed out in pieces as a slow file would.
struct BytesSource: ByteSource {
  private let bytes: [UInt8]
  private let piece: Int
  private var offset = 0

  init(_ text: String, piece: Int = .max) { self.init(Array(text.utf8), piece: piece) }

  init(_ bytes: [UInt8], piece: Int = .max) {
    self.bytes = bytes
    self.piece = piece
  }

  mutating func read(into buffer: inout MutableRawSpan) throws(CatalogError) -> Int {
    let count = min(buffer.byteCount, piece, bytes.count - offset)
    buffer.withUnsafeMutableBytes { $0.copyBytes(from: bytes[offset..<offset + count]) }
    offset += count
    return count
  }
}

/// A directory that is there for the length of a test.
final class Scratch {
  private let name = "catalog-\(UInt64.random(in: 0 ... .max))"
  var path: String { "/tmp/\(name)" }

  init() throws(Failure) { try Directory(opening: "/tmp").makeDirectory(name) }

  deinit {
    do throws(Failure) { try Directory(opening: "/tmp").removeTree(name) } catch {
      Issue.record("\(error.sentence)")
    }
  }

  /// Writes a file and opens it.
  func file(_ bytes: [UInt8], name: String = "file") throws(Failure) -> File {
    let file = try File(opening: "\(path)/\(name)", to: .replace)
    try file.write(bytes.span.bytes)
    try file.seek(to: 0)
    return file
  }
}

/// The pieces that the tests are made of.
enum Fixture {
  static let release = Release(number: 3, label: "2023-11-30")

  /// The description in `docs/format/catalog.md`.
  static var description: Description {
    var description = Description(
      name: ComponentName(id: "europe/malta", dataGroup: "base"), group: "Europe", country: "Malta",
      region: "",
      release: release, dataSize: 4)
    description.geography.names = [
      LocalizedName(language: "", text: "Malta"), LocalizedName(language: "fr", text: "Malte"),
    ]
    description.geography.bounds = bounds
    description.geography.polygons = ["35.8413,14.5458 35.8332,14.5382"]
    return description
  }

  static var bounds: Bounds? {
    Bounds(
      south: Degrees(tenMillionths: 358_064_600), west: Degrees(tenMillionths: 141_836_100),
      north: Degrees(tenMillionths: 360_824_400), east: Degrees(tenMillionths: 145_761_500))
  }

  static let document = """
    <?xml version="1.0" encoding="UTF-8"?>
    <component version="1" id="europe/malta" data-group="base" group="Europe" country="Malta" region="" \
    release="3" label="2023-11-30" data-size="4" index-size="0" minimum-reader="0">
      <name>Malta</name>
      <name xml:lang="fr">Malte</name>
      <bounds south="35.80646" west="14.18361" north="36.08244" east="14.57615"/>
      <polygon>35.8413,14.5458 35.8332,14.5382</polygon>
    </component>

    """

  static func digest(_ byte: UInt8) -> Digest {
    Digest([UInt8](repeating: byte, count: 32).span.bytes) ?? Digest()
  }

  static func container(_ byte: UInt8, size: UInt64) -> Container {
    Container(url: "payloads/\(digest(byte).hex).patch", size: size, head: digest(byte), memory: 1_310_720)
  }

  static func entry(_ id: PackageID, dataGroup: DataGroup = "base") -> CatalogEntry {
    var description = description
    description.name = ComponentName(id: id, dataGroup: dataGroup)
    return CatalogEntry(
      description: description, url: "components/\(digest(1).hex).dat", size: 500, digest: digest(1),
      packed: container(2, size: 300),
      patches: [
        Patch(from: digest(3), container: container(4, size: 40)),
        Patch(from: digest(5), container: container(6, size: 60)),
      ])
  }

  static func catalog(_ entries: [CatalogEntry]) -> String {
    var writer = CatalogWriter(release)
    for entry in entries { writer.add(entry) }
    writer.finish()
    return writer.takeText()
  }

  /// All entries of a catalog in memory.
  static func read(_ text: String, detail: Detail = .full) throws(CatalogError) -> [CatalogEntry] {
    var reader = try CatalogReader(BytesSource(text), path: "catalog", detail: detail)
    var entries: [CatalogEntry] = []
    while let entry = try reader.next() { entries.append(entry) }
    return entries
  }

  /// `text` as one `.xz` stream.
  static func packed(_ text: String) throws -> [UInt8] {
    var encoder = try LZMAEncoder(xzPreset: 0, dictionarySize: 64 << 10)
    let bytes = Array(text.utf8)
    var output = [UInt8](repeating: 0, count: bytes.count + 4096)
    var span = output.mutableSpan
    var space = span.mutableBytes
    let counts = try encoder.encode(bytes.span.bytes, into: &space, isLast: true)
    return Array(output[..<counts.written])
  }

  /// Every prefix of `bytes`, and `bytes` with one byte changed in several ways.
  static func mutations(of bytes: [UInt8]) -> [[UInt8]] {
    var mutations: [[UInt8]] = bytes.indices.map { Array(bytes[..<$0]) }
    for index in bytes.indices {
      for mask: UInt8 in [0x01, 0x10, 0x80, 0xff] {
        var mutation = bytes
        mutation[index] ^= mask
        mutations.append(mutation)
      }
    }
    return mutations
  }
}
