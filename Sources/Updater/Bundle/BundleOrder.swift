internal import Platform

/// Where a file stands in a bundle: roots by their versions, the other metadata, the catalog, then the payloads in
/// the order of the catalog.
///
/// It is the order in which a device asks for them. A file of no other kind stands before all of them, and is passed
/// over.
struct BundleOrder: Comparable {
  private let kind: UInt64
  /// Of a root.
  private let version: UInt64

  init(_ name: String) {
    let parts = name.parts(separatedBy: "/", limit: 2)
    let directory = parts[0].utf8
    if directory.elementsEqual("metadata".utf8), parts.count == 2 {
      let version = BundleOrder.rootVersion(parts[1])
      (kind, self.version) = version.map { (1, $0) } ?? (2, 0)
    } else {
      kind =
        directory.elementsEqual("catalogs".utf8)
        ? 3 : directory.elementsEqual("components".utf8) || directory.elementsEqual("payloads".utf8) ? 4 : 0
      version = 0
    }
  }

  /// Nil if the file is no root.
  private static func rootVersion(_ file: String) -> UInt64? {
    let parts = file.parts(separatedBy: ".", limit: 2)
    guard parts.count == 2, parts[1].utf8.elementsEqual("root.json".utf8) else { return nil }
    return UInt64(ascii: parts[0].utf8)
  }

  static func < (a: BundleOrder, b: BundleOrder) -> Bool { (a.kind, a.version) < (b.kind, b.version) }
}
