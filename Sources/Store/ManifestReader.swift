internal import Crypto
package import MapModel
package import Platform

/// Reads a manifest component by component, in constant memory.
package struct ManifestReader: ~Copyable {
  private var lines: SealedLines
  private var isAtEnd = false
  /// The release, with the compressed catalog that lists its components and lies beside the manifest.
  package let release: CatalogedRelease
  /// The generation that was current before this one, where `rollback` goes; 0 if there was none.
  package let previous: UInt64

  /// Where the next line begins.
  var position: UInt64 { lines.position }

  init(_ directory: borrowing Directory) throws(Failure) {
    var lines = try ManifestReader.open(directory)
    let (release, previous) = try ManifestReader.readHead(&lines)
    self.lines = lines
    self.release = release
    self.previous = previous
  }

  /// The next component; nil after the last.
  package mutating func next() throws(Failure) -> InstalledComponent? {
    if isAtEnd { return nil }
    let words = try lines.next()
    if words.first == "end" {
      isAtEnd = true
      return nil
    }
    guard let component = InstalledComponent(manifest: words) else { throw lines.damaged }
    return component
  }

  private static func open(_ directory: borrowing Directory) throws(Failure) -> SealedLines {
    try SealedLines(format: ManifestFormat.firstLine, limit: StoreLimits.manifestLine) {
      () throws(Failure) in
      do throws(Failure) {
        let file = try directory.open(ManifestFormat.fileName)
        _ = try file.size()  // a directory can be opened, and not be read
        return file
      } catch {
        throw error.errno?.isOfAbsence == true
          ? .badManifest(path: "\(directory.path)/\(ManifestFormat.fileName)", line: 0) : error
      }
    }
  }

  /// Reads what comes before the components.
  private static func readHead(
    _ lines: inout SealedLines
  ) throws(Failure) -> (release: CatalogedRelease, previous: UInt64) {
    let release = try lines.next()
    let catalog = try lines.next()
    let previous = try lines.next()
    guard release.count == 3, release[0] == "release", let number = UInt64(ascii: release[1].utf8),
      catalog.count == 3, catalog[0] == "catalog", let digest = Digest(hex: catalog[1]),
      let size = UInt64(ascii: catalog[2].utf8), previous.count == 2, previous[0] == "previous",
      let previousNumber = UInt64(ascii: previous[1].utf8)
    else { throw lines.damaged }
    let cataloged = CatalogedRelease(
      Release(number: number, label: release[2]), catalog: CatalogReference(digest: digest, size: size))
    return (cataloged, previousNumber)
  }
}
