package import Crypto
internal import Platform

/// A release that a repository serves, and its catalog.
package struct ServedRelease: Equatable {
  package let release: Release
  package let catalog: Digest
  /// Bytes of the catalog as it is served.
  package let size: UInt64

  package init(release: Release, catalog: Digest, size: UInt64) {
    self.release = release
    self.catalog = catalog
    self.size = size
  }

  /// Where the catalog lies in the repository.
  package var url: String { "catalogs/\(catalog.hex).update.xz" }
}

/// The document `releases.xml`: where to look for the newest catalog.
///
/// It vouches for nothing.
package enum Releases {
  /// The name of the document in a repository.
  package static var fileName: String { "releases.xml" }

  /// All releases, the newest last.
  package static func read<Source: ByteSource & ~Copyable>(
    _ source: consuming Source, path: String
  ) throws(CatalogError) -> [ServedRelease] {
    var reader = try XMLReader(source, path: path)
    try reader.root("releases").checkVersion()
    var releases: [ServedRelease] = []
    while true {
      switch try reader.next() {
      case .start("release", let list):
        let attributes = XMLAttributes(list, path: path, line: reader.line)
        let served = ServedRelease(
          release: try attributes.release(number: "number"),
          catalog: try attributes.digest("catalog"),
          size: try attributes.number("size"))
        if let last = releases.last, last.release.number >= served.release.number {
          throw attributes.refused(.unsorted(id: served.release.label))
        }
        guard served.size <= Limits.catalogFile, releases.count < Limits.releases else {
          throw attributes.refused(.tooLarge)
        }
        releases.append(served)
        try reader.skipElement()
      case .start: try reader.skipElement()
      case .end: break
      case .finish: return releases
      }
    }
  }

  /// The whole document.
  package static func document(_ releases: [ServedRelease]) -> String {
    var writer = XMLWriter()
    writer.open("releases", [("version", "1")])
    for served in releases {
      writer.element(
        "release",
        [
          ("number", "\(served.release.number)"), ("label", served.release.label),
          ("catalog", served.catalog.hex), ("size", "\(served.size)"),
        ])
    }
    writer.close("releases")
    return writer.text
  }
}
