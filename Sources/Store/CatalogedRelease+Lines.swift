internal import Crypto
package import MapModel
internal import Platform

// Two lines that several files of a store have: a release, and the catalog that lists its components.

extension CatalogedRelease {
  /// Each with its line feed.
  var lines: String {
    "release \(release.number) \(release.label)\ncatalog \(catalog.digest.hex) \(catalog.size)\n"
  }

  /// Nil if the first two are others.
  init?(_ lines: [[String]]) {
    guard lines.count >= 2, lines[0].count == 3, lines[0][0] == "release",
      let number = UInt64(ascii: lines[0][1].utf8), let catalog = CatalogReference("catalog", lines[1])
    else { return nil }
    self.init(Release(number: number, label: lines[0][2]), catalog: catalog)
  }
}

extension CatalogReference {
  /// Nil if the words are not `name`, a digest and a size.
  package init?(_ name: String, _ words: [String]) {
    guard words.count == 3, words[0] == name, let digest = Digest(hex: words[1]),
      let size = UInt64(ascii: words[2].utf8)
    else { return nil }
    self.init(digest: digest, size: size)
  }
}
