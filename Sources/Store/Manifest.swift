package import Crypto
package import MapModel
internal import Platform

/// A component of a generation.
package struct InstalledComponent: Equatable {
  package let id: String
  package let dataGroup: String
  /// The release that last changed it.
  package let release: UInt64
  package let size: UInt64
  package let digest: Digest
  /// What the index command has made of it on this device; nil: it has none.
  package var index: InstalledIndex?

  package init(
    id: String, dataGroup: String, release: UInt64, size: UInt64, digest: Digest, index: InstalledIndex? = nil
  ) {
    self.id = id
    self.dataGroup = dataGroup
    self.release = release
    self.size = size
    self.digest = digest
    self.index = index
  }

  package var name: ComponentName { ComponentName(id: id, dataGroup: dataGroup) }

  /// Where it lies below the generation.
  package var path: String { "maps/\(id)/\(dataGroup).dat" }
  /// Where its index lies, if it has one.
  package var indexPath: String { "maps/\(id)/\(dataGroup).index" }
}

/// The index of a component.
package struct InstalledIndex: Equatable {
  package let size: UInt64
  package let digest: Digest

  package init(size: UInt64, digest: Digest) {
    self.size = size
    self.digest = digest
  }
}

/// The names that the formats of a generation use.
enum ManifestFormat {
  static var firstLine: String { "tinyupdater-manifest 1" }
  static var fileName: String { "manifest" }
  static var catalogName: String { "catalog" }
  /// Bytes of one line: an id, a data group, numbers and two digests.
  static var maximumLine: Int { 512 }
}

/// Writes a manifest line by line (`docs/format/store.md`, Manifest).
struct ManifestWriter: ~Copyable {
  private let file: File
  private var hasher: Hasher

  /// - previous: the generation that was current before this one, where `rollback` goes; 0 if there was none.
  init(_ file: consuming File, _ release: CatalogedRelease, previous: UInt64) throws(StoreError) {
    var hasher: Hasher
    do throws(HasherError) { hasher = try Hasher() } catch { throw .noMemory }
    try ManifestWriter.write(
      "\(ManifestFormat.firstLine)\nrelease \(release.release.number) \(release.release.label)\n"
        + "catalog \(release.catalog.digest.hex) \(release.catalog.size)\nprevious \(previous)\n", file,
      &hasher)
    self.file = file
    self.hasher = hasher
  }

  mutating func add(_ component: InstalledComponent) throws(StoreError) {
    let numbers = "\(component.release) \(component.size) \(component.digest.hex)"
    let index = component.index.map { " \($0.size) \($0.digest.hex)" } ?? ""
    let line = "component \(component.id) \(component.dataGroup) \(numbers)\(index)\n"
    try ManifestWriter.write(line, file, &hasher)
  }

  /// Writes the checksum and leaves the file on the medium.
  consuming func finish() throws(StoreError) {
    let digest: Digest
    do throws(HasherError) { digest = try hasher.finish() } catch { throw .noMemory }
    do throws(FileError) {
      try file.write("end \(digest.hex)\n")
      try file.synchronize()
    } catch { throw .file(error) }
  }

  private static func write(_ text: String, _ file: borrowing File, _ hasher: inout Hasher) throws(StoreError)
  {
    let bytes = Array(text.utf8)
    do throws(HasherError) { try hasher.update(bytes.span.bytes) } catch { throw .noMemory }
    do throws(FileError) { try file.write(bytes.span.bytes) } catch { throw .file(error) }
  }
}
