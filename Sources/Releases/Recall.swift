internal import Crypto
internal import JSONReading
package import MapModel
internal import Platform

/// What takes a release back: no device takes it any more, and those that have it leave it.
///
///     "recalled": {"because": "the ferries are missing",
///                  "back": {"release": 3, "label": "2024-03-31", "length": …, "hashes": {"sha256": …}}}
package struct Recall: Equatable, Sendable {
  /// Why, in a line for people.
  package let reason: String
  /// The release that devices go back to, by a catalog that has patches from the recalled one; nil: by its own catalog.
  package var back: CatalogedRelease?

  /// Bytes of the longest reason.
  package static var longestReason: Int { 300 }

  /// Nil if the reason is none that can be shown.
  package init?(because reason: String, back: CatalogedRelease? = nil) {
    guard (1...Recall.longestReason).contains(reason.utf8.count),
      !reason.unicodeScalars.contains(where: { $0.isControl })
    else { return nil }
    self.reason = reason
    self.back = back
  }

  /// Nil if it is none.
  init?(_ value: JSONValue) {
    var back: CatalogedRelease?
    if let release = value.member("back") {
      back = CatalogedRelease(release)
      guard back != nil else { return nil }
    }
    guard let reason = value.member("because")?.text else { return nil }
    self.init(because: reason, back: back)
  }
}

extension CatalogedRelease {
  fileprivate init?(_ value: JSONValue) {
    guard let number = value.member("release")?.whole.flatMap({ UInt64(exactly: $0) }), number > 0,
      let label = value.member("label")?.text, Identifier.isLabel(label),
      let size = value.member("length")?.whole.flatMap({ UInt64(exactly: $0) }),
      let hash = value.member("hashes")?.member("sha256")?.text, let digest = Digest(hex: hash)
    else { return nil }
    self.init(Release(number: number, label: label), catalog: CatalogReference(digest: digest, size: size))
  }
}
