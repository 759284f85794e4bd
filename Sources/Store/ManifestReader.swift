internal import Crypto
package import MapModel
internal import Platform

/// Reads a manifest component by component, in constant memory.
///
/// The checksum is at the end, so `init` reads the whole file once before it trusts anything.
package struct ManifestReader: ~Copyable {
  private var lines: LineReader
  private var isAtEnd = false
  /// The release, with the compressed catalog that lists its components and lies beside the manifest.
  package let release: CatalogedRelease
  /// The generation that was current before this one, where `rollback` goes; 0 if there was none.
  package let previous: UInt64

  init(_ directory: borrowing Directory) throws(StoreError) {
    try ManifestReader.check(ManifestReader.open(directory))
    var lines = LineReader(try ManifestReader.open(directory), limit: StoreLimits.manifestLine)
    let (release, previous) = try ManifestReader.readHead(&lines)
    self.lines = lines
    self.release = release
    self.previous = previous
  }

  /// The next component; nil after the last.
  package mutating func next() throws(StoreError) -> InstalledComponent? {
    if isAtEnd { return nil }
    let words = try ManifestReader.words(&lines)
    if words.first == "end" {
      isAtEnd = true
      return nil
    }
    guard words.count == 6 || words.count == 8, words[0] == "component",
      let name = ComponentName(words[1], dataGroup: words[2]),
      let release = UInt64(ascii: words[3].utf8),
      let size = UInt64(ascii: words[4].utf8), let digest = Digest(hex: words[5])
    else { throw .badManifest(path: lines.path, line: lines.number) }
    var component = InstalledComponent(
      name, release: release, size: size, digest: digest)
    if words.count == 8 {
      guard let size = UInt64(ascii: words[6].utf8), let digest = Digest(hex: words[7]) else {
        throw .badManifest(path: lines.path, line: lines.number)
      }
      component.index = InstalledIndex(size: size, digest: digest)
    }
    return component
  }

  private static func open(_ directory: borrowing Directory) throws(StoreError) -> File {
    do throws(FileError) {
      let file = try directory.open(ManifestFormat.fileName)
      _ = try file.size()  // a directory can be opened, and not be read
      return file
    } catch {
      throw error.errno.isOfAbsence ? .badManifest(path: error.path, line: 0) : .file(error)
    }
  }

  /// Reads what comes before the components.
  private static func readHead(
    _ lines: inout LineReader
  ) throws(StoreError) -> (release: CatalogedRelease, previous: UInt64) {
    _ = try words(&lines)
    let release = try words(&lines)
    let catalog = try words(&lines)
    let previous = try words(&lines)
    guard release.count == 3, release[0] == "release", let number = UInt64(ascii: release[1].utf8),
      catalog.count == 3, catalog[0] == "catalog", let digest = Digest(hex: catalog[1]),
      let size = UInt64(ascii: catalog[2].utf8), previous.count == 2, previous[0] == "previous",
      let previousNumber = UInt64(ascii: previous[1].utf8)
    else { throw .badManifest(path: lines.path, line: lines.number) }
    let cataloged = CatalogedRelease(
      Release(number: number, label: release[2]), catalog: CatalogReference(digest: digest, size: size))
    return (cataloged, previousNumber)
  }

  private static func words(_ lines: inout LineReader) throws(StoreError) -> [String] {
    let line = try storing { () throws(FileError) in try lines.next() }
    guard let line, line.isWhole else { throw .badManifest(path: lines.path, line: lines.number) }
    return line.text.parts(separatedBy: " ", limit: 9)
  }

  /// Reads the whole file and compares its last line with the digest of all lines before.
  private static func check(_ file: consuming File) throws(StoreError) {
    var lines = LineReader(file, limit: StoreLimits.manifestLine)
    do throws(HasherError) {
      var hasher = try Hasher()
      while let line = next(&lines), line.isWhole {
        if lines.number == 1 && line.text != ManifestFormat.firstLine { break }
        if line.bytes.starts(with: "end ".utf8) {
          guard line.text == "end \(try hasher.finish().hex)", next(&lines) == nil else { break }
          return
        }
        let bytes = line.bytes + [10]
        try hasher.update(bytes.span.bytes)
      }
    } catch { throw .noMemory }
    throw .badManifest(path: lines.path, line: lines.number)
  }

  /// A line that cannot be read ends the check as one that is missing does.
  private static func next(_ lines: inout LineReader) -> LineReader.Line? {
    do throws(FileError) { return try lines.next() } catch { return nil }
  }
}
