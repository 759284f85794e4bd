internal import Platform

/// The line of one map in a manifest (`docs/format/store.md`, Manifest): what it says, not yet whether that is valid.
package struct ManifestLine: Equatable {
  package let id: String
  package let group: String
  /// The release that last changed the map.
  package let release: UInt64
  package let size: UInt64
  /// SHA-256, as hexadecimal digits.
  package let digest: String
  /// Where the map lies below `maps`, with a slash at the end if it is many files; nil for a `.dat` file, whose place
  /// follows from id and data group.
  package let file: String?
  /// Size and digest of its index; nil if it has none.
  package let index: Index?

  package struct Index: Equatable {
    package let size: UInt64
    package let digest: String
  }

  /// Nil if the words are not those of a map.
  package init?(_ words: [String]) {
    guard words.count >= 6, let release = UInt64(ascii: words[3].utf8),
      let size = UInt64(ascii: words[4].utf8)
    else { return nil }
    let index: [String]
    switch (words[0], words.count) {
    case ("component", 6), ("component", 8): (index, file) = (Array(words[6...]), nil)
    case ("file", 8...):
      // A path may have spaces.
      index = words[6] == "-" ? [] : words[6].parts(separatedBy: ":")
      file = Array(words[7...]).joined(by: " ")
    default: return nil
    }
    if index.isEmpty {
      self.index = nil
    } else {
      guard index.count == 2, let size = UInt64(ascii: index[0].utf8) else { return nil }
      self.index = Index(size: size, digest: index[1])
    }
    (id, group, digest) = (words[1], words[2], words[5])
    self.release = release
    self.size = size
  }

  /// Where the map lies below its generation.
  package var path: String { "maps/\(file ?? "\(id)/\(group).dat")" }
  /// It is many files, and `path` is their directory, with a slash at the end.
  package var isDirectory: Bool { file?.utf8.last == UInt8(ascii: "/") }
}
