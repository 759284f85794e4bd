internal import Crypto
internal import MapModel
internal import Platform

/// Writes a manifest line by line (`docs/format/store.md`, Manifest).
struct ManifestWriter: ~Copyable {
  private let file: File
  private var hasher: Hasher

  /// - previous: the generation that was current before this one, where `rollback` goes; 0 if there was none.
  init(_ file: consuming File, release: CatalogedRelease, previous: UInt64) throws(StoreError) {
    var hasher: Hasher
    do throws(HasherError) { hasher = try Hasher() } catch { throw .noMemory }
    try ManifestWriter.write(
      "\(ManifestFormat.firstLine)\nrelease \(release.release.number) \(release.release.label)\n"
        + "catalog \(release.catalog.digest.hex) \(release.catalog.size)\nprevious \(previous)\n", to: file,
      hasher: &hasher)
    self.file = file
    self.hasher = hasher
  }

  mutating func add(_ component: InstalledComponent) throws(StoreError) {
    let numbers = "\(component.release) \(component.size) \(component.digest.hex)"
    let index = component.index.map { " \($0.size) \($0.digest.hex)" } ?? ""
    let line = "component \(component.name.text) \(numbers)\(index)\n"
    try ManifestWriter.write(line, to: file, hasher: &hasher)
  }

  /// Writes the checksum and flushes the file.
  consuming func finish() throws(StoreError) {
    let digest: Digest
    do throws(HasherError) { digest = try hasher.finish() } catch { throw .noMemory }
    try storing { () throws(FileError) in
      try file.write("end \(digest.hex)\n")
      try file.synchronize()
    }
  }

  private static func write(_ text: String, to file: borrowing File, hasher: inout Hasher) throws(StoreError)
  {
    let bytes = Array(text.utf8)
    do throws(HasherError) { try hasher.update(bytes.span.bytes) } catch { throw .noMemory }
    try storing { () throws(FileError) in try file.write(bytes.span.bytes) }
  }
}
