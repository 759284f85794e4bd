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
  private static var format: String { "tinyupdater-newest 1" }

  var text: String {
    var text = "\(KnownRelease.format)\n\(newest.lines)"
    if let announced {
      let release = announced.release
      text += "announced \(release.number) \(release.label) \(announced.minimumApplication)\n"
    }
    return text + "end\n"
  }

  /// Nil if the text is damaged.
  static func parse(_ text: String) -> KnownRelease? {
    guard let lines = SealedText.lines(ofEnded: text, format: KnownRelease.format), lines.count <= 3,
      let newest = CatalogedRelease(lines)
    else { return nil }
    guard lines.count == 3 else { return KnownRelease(newest) }
    let words = lines[2]
    guard words.count == 4, words[0] == "announced", let number = UInt64(ascii: words[1].utf8),
      let minimum = UInt64(ascii: words[3].utf8)
    else { return nil }
    return KnownRelease(
      newest,
      announced: AnnouncedRelease(Release(number: number, label: words[2]), minimumApplication: minimum))
  }
}
