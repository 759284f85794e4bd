internal import Platform

/// Where the file of a component lies below a generation's `maps`: parts between slashes, such as "europe/malta/base.mbtiles".
package struct ComponentPath: BytewiseName {
  package let text: String

  /// Bytes of a path, bytes of a part (the limit of most file systems), and parts at most.
  package static var maximumSize: Int { 512 }
  package static var maximumPart: Int { 255 }
  package static var maximumDepth: Int { 24 }

  /// Nil if `text` is not one: a path that cannot leave its directory, and that can be printed.
  package init?(_ text: String) {
    guard Identifier.isFilePath(text) else { return nil }
    self.text = text
  }

  private init(known text: String) { self.text = text }

  /// Where a component lies whose file says itself what it is.
  package static func described(_ id: PackageID, _ dataGroup: DataGroup) -> ComponentPath {
    ComponentPath(known: "\(id)/\(dataGroup).dat")
  }

  /// The directories on the way to it, the outermost first.
  package var directories: [String] {
    var directories: [String] = []
    let bytes = Array(text.utf8)
    for (length, byte) in bytes.enumerated() where byte == UInt8(ascii: "/") {
      directories.append(String(decoding: bytes.prefix(length), as: UTF8.self))
    }
    return directories
  }

  /// The part after the last slash.
  package var lastPart: String { text.parts(separatedBy: "/").last ?? text }
}
