internal import Crypto
package import MapModel
internal import Platform

/// The newest release that this device knows of: what `list` shows without a network.
package struct KnownRelease: Equatable {
  package let newest: CatalogedRelease
  /// A newer one that needs a newer application, if there is one.
  package let announced: AnnouncedRelease?

  package init(_ newest: CatalogedRelease, announced: AnnouncedRelease? = nil) {
    self.newest = newest
    self.announced = announced
  }
}

// The file `newest` (`docs/format/store.md`, Newest known release).

extension KnownRelease {
  var text: String {
    let (release, catalog) = (newest.release, newest.catalog)
    var text = "tinyupdater-newest 1\nrelease \(release.number) \(release.label)\n"
    text += "catalog \(catalog.digest.hex) \(catalog.size)\n"
    if let announced {
      let release = announced.release
      text += "announced \(release.number) \(release.label) \(announced.minimumApplication)\n"
    }
    return text + "end\n"
  }

  /// Nil if the text is damaged.
  static func parse(_ text: String) -> KnownRelease? {
    let lines = text.parts(separatedBy: "\n", limit: 8).map { $0.parts(separatedBy: " ", limit: 6) }
    guard lines.count == 5 || lines.count == 6, lines[0] == ["tinyupdater-newest", "1"],
      lines[1].count == 3, lines[1][0] == "release", let number = UInt64(ascii: lines[1][1].utf8),
      lines[2].count == 3, lines[2][0] == "catalog", let digest = Digest(hex: lines[2][1]),
      let size = UInt64(ascii: lines[2][2].utf8), lines[lines.count - 2] == ["end"]
    else { return nil }
    let newest = CatalogedRelease(
      Release(number: number, label: lines[1][2]), catalog: CatalogReference(digest: digest, size: size))
    guard lines.count == 6 else { return KnownRelease(newest) }
    let words = lines[3]
    guard words.count == 4, words[0] == "announced", let number = UInt64(ascii: words[1].utf8),
      let minimum = UInt64(ascii: words[3].utf8)
    else { return nil }
    return KnownRelease(
      newest,
      announced: AnnouncedRelease(Release(number: number, label: words[2]), minimumApplication: minimum))
  }
}
