internal import MapModel
internal import Platform

/// Writes a manifest line by line (`docs/format/store.md`, Manifest).
struct ManifestWriter: ~Copyable {
  private var lines: SealedWriter

  /// - previous: the generation that was current before this one, where `rollback` goes; 0 if there was none.
  init(_ file: consuming File, release: CatalogedRelease, previous: UInt64) throws(Failure) {
    var lines = try SealedWriter(file)
    try lines.write("\(ManifestFormat.firstLine)\n\(release.lines)previous \(previous)\n")
    self.lines = lines
  }

  mutating func add(_ component: InstalledComponent) throws(Failure) {
    try lines.write(component.manifestLine)
  }

  /// Writes the checksum and flushes the file.
  consuming func finish() throws(Failure) {
    let file = try lines.finish()
    try file.synchronize()
  }
}
