internal import Platform

/// A file of an archive.
package struct ArchiveEntry: Equatable {
  /// Relative to the archive, with slashes; without `.` and `..`.
  package let name: String
  /// In bytes.
  package let size: UInt64
  /// Where its header begins in the archive.
  package let offset: UInt64

  /// The name of an entry as it is given back, without `./` at its front; nil if it is none that a repository has.
  static func name(_ text: String) -> String? {
    var bytes = text.utf8[...]
    while bytes.starts(with: "./".utf8) { bytes = bytes.dropFirst(2) }
    guard !bytes.isEmpty, bytes.count <= ArchiveLimits.name,
      bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") })
    else { return nil }
    let name = String(decoding: Array(bytes), as: UTF8.self)
    for part in name.parts(separatedBy: "/") where part.isEmpty || part == "." || part == ".." { return nil }
    return name
  }
}
