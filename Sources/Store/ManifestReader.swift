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
    var lines = try SealedLines(
      of: ManifestFormat.fileName, in: directory, format: ManifestFormat.firstLine,
      limit: StoreLimits.manifestLine)
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

  /// Reads what comes before the components.
  private static func readHead(
    _ lines: inout SealedLines
  ) throws(Failure) -> (release: CatalogedRelease, previous: UInt64) {
    let head = [try lines.next(), try lines.next()]
    let previous = try lines.next()
    guard let release = CatalogedRelease(head), previous.count == 2, previous[0] == "previous",
      let number = UInt64(ascii: previous[1].utf8)
    else { throw lines.damaged }
    return (release, number)
  }
}
