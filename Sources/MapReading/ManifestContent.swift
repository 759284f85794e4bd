internal import Platform

/// What a manifest says, all of it.
///
/// Its digest is not compared: that is what the updater does before it trusts one. A reader needs the lines, to the last.
struct ManifestContent {
  let release: UInt64
  let label: String
  let maps: [ManifestLine]

  /// Reads the manifest in `directory`; throws `badManifest` if it is missing, of another format, or not whole.
  init(of directory: borrowing Directory) throws(Failure) {
    let path = "\(directory.path)/manifest"
    let file: File
    do throws(Failure) { file = try directory.open("manifest") } catch {
      throw error.errno?.isOfAbsence == true ? .badManifest(path: path, line: 0) : error
    }
    var lines = LineReader(file, limit: MapReadingLimits.line)
    var maps: [ManifestLine] = []
    var named: (number: UInt64, label: String)?
    guard try ManifestContent.next(&lines) == ["tinyupdater-manifest", "1"] else {
      throw .badManifest(path: path, line: 1)
    }
    while true {
      guard let words = try ManifestContent.next(&lines) else {
        throw .badManifest(path: path, line: lines.number)
      }
      if words[0] == "end" { break }
      if words[0] == "release", words.count == 3, let number = UInt64(ascii: words[1].utf8) {
        named = (number, words[2])
      } else if words[0] == "file" || words[0] == "component" {
        guard let map = ManifestLine(words) else { throw .badManifest(path: path, line: lines.number) }
        maps.append(map)
      }
    }
    guard let named else { throw .badManifest(path: path, line: lines.number) }
    (release, label) = named
    self.maps = maps
  }

  /// The words of the next line; nil if there is none that is whole.
  private static func next(_ lines: inout LineReader) throws(Failure) -> [String]? {
    guard let line = try lines.next(), line.isWhole else { return nil }
    return line.text.parts(separatedBy: " ", limit: MapReadingLimits.words)
  }
}
