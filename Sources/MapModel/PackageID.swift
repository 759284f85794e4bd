/// The id of a package, or of a region above packages: parts between slashes, such as "europe/malta".
package struct PackageID: BytewiseName {
  package let text: String

  /// Nil if `text` is not an id: it has to be a path that cannot leave its directory, of 8 parts and 200 bytes at most.
  package init?(_ text: String) {
    guard text.utf8.count <= 200, Identifier.isPath(text, parts: 8) else { return nil }
    self.text = text
  }

  /// The first `length` bytes of an id, which end before a slash.
  private init(_ id: PackageID, upTo length: Int) {
    text = String(decoding: Array(id.text.utf8.prefix(length)), as: UTF8.self)
  }

  /// It is a region, and `id` lies below it.
  package func isAbove(_ id: PackageID) -> Bool {
    id.text.utf8.starts(with: text.utf8)
      && id.text.utf8.dropFirst(text.utf8.count).first == UInt8(ascii: "/")
  }

  /// It is `id`, or a region above it.
  package func contains(_ id: PackageID) -> Bool { self == id || isAbove(id) }

  /// The region above it; nil at the top.
  package var parent: PackageID? { regions(below: nil).last }

  /// The regions above both, the outermost first.
  package func regions(sharedWith other: PackageID) -> [PackageID] {
    regions(below: nil).filter { $0.isAbove(other) }
  }

  /// The part after the last slash.
  package var lastPart: String {
    String(decoding: Array(text.utf8.dropFirst(parent.map { $0.text.utf8.count + 1 } ?? 0)), as: UTF8.self)
  }

  /// The regions above it and below `outer`, the outermost first; without `outer` all that are above it.
  package func regions(below outer: PackageID?) -> [PackageID] {
    let start = outer.map { $0.text.utf8.count } ?? 0
    var regions: [PackageID] = []
    for (length, byte) in text.utf8.enumerated() where byte == UInt8(ascii: "/") && length > start {
      regions.append(PackageID(self, upTo: length))
    }
    return regions
  }
}

extension [PackageID] {
  /// One of them is `id`, or a region above it.
  package func includes(_ id: PackageID) -> Bool { contains { $0.contains(id) } }
}
