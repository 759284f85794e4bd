internal import Crypto
package import MapModel
internal import Platform

/// Reads a manifest component by component, in constant memory.
package struct ManifestReader: ~Copyable {
  private var lines: SealedLines
  private var isAtEnd = false
  /// The release, with the compressed catalog that lists its components and lies beside the manifest.
  package let release: CatalogedRelease
  /// The generation that was current before this one, where `rollback` goes; 0 if there was none.
  package let previous: UInt64

  init(_ directory: borrowing Directory) throws(StoreError) {
    var lines = try ManifestReader.open(directory)
    let (release, previous) = try ManifestReader.readHead(&lines)
    self.lines = lines
    self.release = release
    self.previous = previous
  }

  /// The next component; nil after the last.
  package mutating func next() throws(StoreError) -> InstalledComponent? {
    if isAtEnd { return nil }
    let words = try lines.next()
    if words.first == "end" {
      isAtEnd = true
      return nil
    }
    guard words.count == 6 || words.count == 8, words[0] == "component",
      let name = ComponentName(words[1], dataGroup: words[2]),
      let release = UInt64(ascii: words[3].utf8),
      let size = UInt64(ascii: words[4].utf8), let digest = Digest(hex: words[5])
    else { throw lines.damaged }
    var component = InstalledComponent(
      name, release: release, size: size, digest: digest)
    if words.count == 8 {
      guard let size = UInt64(ascii: words[6].utf8), let digest = Digest(hex: words[7]) else {
        throw lines.damaged
      }
      component.index = InstalledIndex(size: size, digest: digest)
    }
    return component
  }

  private static func open(_ directory: borrowing Directory) throws(StoreError) -> SealedLines {
    try SealedLines(format: ManifestFormat.firstLine, limit: StoreLimits.manifestLine) {
      () throws(StoreError) in
      do throws(FileError) {
        let file = try directory.open(ManifestFormat.fileName)
        _ = try file.size()  // a directory can be opened, and not be read
        return file
      } catch {
        throw error.errno.isOfAbsence ? .badManifest(path: error.path, line: 0) : .file(error)
      }
    }
  }

  /// Reads what comes before the components.
  private static func readHead(
    _ lines: inout SealedLines
  ) throws(StoreError) -> (release: CatalogedRelease, previous: UInt64) {
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
