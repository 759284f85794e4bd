internal import Catalog
internal import CatalogWriting
internal import Codec
internal import CodecEncoding
internal import Crypto
internal import MapModel
internal import Platform
internal import Releases

/// Writes the catalog of a release as it is served, and checks that it can be read.
struct CatalogFile: ~Copyable {
  private let file: File
  private var encoder: LZMAEncoder
  private var output = Buffer(count: 64 << 10)

  /// The LZMA2 dictionary, in bytes: the maximum of `docs/format/catalog.md`.
  private static var dictionary: UInt32 { 1 << 20 }

  /// Writes `entries` to the unfinished file `name` and reads it back; afterwards it can be published.
  static func write(
    _ entries: [CatalogEntry], regions: RegionNames, of release: Release, rollout: UInt64, to name: String,
    in workspace: borrowing Workspace
  ) throws(PublisherError) -> ServedRelease {
    var catalog = try CatalogFile(try workspace.create(name))
    var writer = CatalogWriter(release)
    for (index, entry) in entries.enumerated() {
      let previous = index > 0 ? entries[index - 1].name.id : nil
      for region in regions.beginning(at: entry.name.id, after: previous) { writer.add(region) }
      writer.add(entry)
      try catalog.append(writer.takeText())
    }
    writer.finish()
    try catalog.append(writer.takeText())
    try catalog.finish()
    let path = workspace.path(name)
    let written = try FileDigest.of(path)
    guard written.size <= CatalogLimits.catalogFile else {
      throw .input(.catalogTooLarge(bytes: written.size))
    }
    try check(path, against: entries, regions: regions, of: release)
    return ServedRelease(
      release, catalog: CatalogReference(digest: written.digest, size: written.size),
      minimumApplication: entries.map(\.description.minimumReader).max() ?? 0, rollout: rollout)
  }

  private init(_ file: consuming File) throws(PublisherError) {
    let path = file.path
    do throws(CodecError) {
      encoder = try LZMAEncoder(xzPreset: 9, dictionarySize: CatalogFile.dictionary)
    } catch {
      throw .library(.compression(path: path, error))
    }
    self.file = file
  }

  private mutating func append(_ text: String) throws(PublisherError) {
    let bytes = Array(text.utf8)
    var done = 0
    while done < bytes.count {
      done += try encode(bytes.span.bytes.extracting(done...), isLast: false)
    }
  }

  private mutating func finish() throws(PublisherError) {
    while !encoder.isFinished { _ = try encode(RawSpan(), isLast: true) }
  }

  /// Returns the number of bytes that were consumed.
  private mutating func encode(_ bytes: RawSpan, isLast: Bool) throws(PublisherError) -> Int {
    let counts: CodedBytes
    do throws(CodecError) {
      counts = try CatalogFile.encode(bytes, with: &encoder, into: &output, isLast: isLast)
    } catch { throw .library(.compression(path: file.path, error)) }
    try onFile { () throws(FileError) in try file.write(output.bytes.extracting(0..<counts.written)) }
    return counts.read
  }

  // Two parts of `self` at a time: the compiler keeps them apart only as arguments.
  private static func encode(
    _ bytes: RawSpan, with encoder: inout LZMAEncoder, into output: inout Buffer, isLast: Bool
  ) throws(CodecError) -> CodedBytes {
    var space = output.mutableBytes
    return try encoder.encode(bytes, into: &space, isLast: isLast)
  }

  /// Reads the catalog as a device does and compares it with the intended entries.
  private static func check(
    _ path: String, against entries: [CatalogEntry], regions: RegionNames, of release: Release
  ) throws(PublisherError) {
    let file = try onFile { () throws(FileError) in try File(opening: path) }
    do throws(CatalogError) {
      var reader = try CatalogReader(file, detail: .full)
      var isSame = reader.release == release
      var index = 0
      while let entry = try reader.next() {
        isSame =
          isSame && index < entries.count && text(of: entry) == text(of: entries[index])
          && reader.regions == regions.above(entry.name.id)
        index += 1
      }
      if isSame && index == entries.count { return }
    } catch {
      if case .file(let error) = error { throw .file(error) }
    }
    throw .repository(.catalogNotReadBack(path: path))
  }

  private static func text(of entry: CatalogEntry) -> String {
    var writer = CatalogWriter(Release(number: 0, label: ""))
    writer.add(entry)
    return writer.takeText()
  }
}
