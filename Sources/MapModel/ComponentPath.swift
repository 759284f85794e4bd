internal import Platform

/// Where the file of a component lies below a generation's `maps`: parts between slashes, such as "europe/malta/base.mbtiles".
///
/// With a slash at its end it is the directory of a component that consists of many files.
package struct ComponentPath: BytewiseName {
  package let text: String

  /// Bytes of a path, bytes of a part (the limit of most file systems), and parts at most.
  package static var maximumSize: Int { 512 }
  package static var maximumPart: Int { 255 }
  package static var maximumDepth: Int { 24 }

  /// Nil if `text` is not one: a path that cannot leave its directory, and that can be printed.
  package init?(_ text: String) {
    let isTree = text.utf8.last == UInt8(ascii: "/")
    let path = isTree ? String(decoding: Array(text.utf8.dropLast()), as: UTF8.self) : text
    guard Identifier.isFilePath(path) else { return nil }
    self.text = text
  }

  private init(known text: String) { self.text = text }

  /// Where a component lies whose file says itself what it is.
  package static func described(_ id: PackageID, _ dataGroup: DataGroup) -> ComponentPath {
    ComponentPath(known: "\(id)/\(dataGroup).dat")
  }

  /// The component consists of many files.
  package var isTree: Bool { text.utf8.last == UInt8(ascii: "/") }

  /// The same without a slash at the end.
  package var place: String { isTree ? String(decoding: Array(text.utf8.dropLast()), as: UTF8.self) : text }

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
  package var lastPart: String { place.parts(separatedBy: "/").last ?? text }
}
