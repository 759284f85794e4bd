package import MapModel
internal import Platform
internal import Releases

/// What the publisher says of the installed release and of newer ones, as far as the device knows.
package struct ReleaseTerms {
  /// The recalled ones among them.
  package private(set) var recalled: [RecalledRelease] = []
  /// From when on the installed maps are not to be used any more, in seconds since 1970; nil: never.
  package private(set) var expires: Int64?
  /// That time has come, by the time that decides about signatures as well.
  package private(set) var isExpired = false

  /// Nothing is known.
  package init() {}

  /// Metadata that cannot be read say nothing.
  package init(_ configuration: Configuration, installed: Release?) {
    var (recalled, expires): ([RecalledRelease], Int64?) = ([], nil)
    do throws(Failure) {
      try ReleaseFinder.forEachRemembered(in: configuration.root) { release in
        if release.release == installed { expires = release.expires }
        guard let recall = release.recall, release.number >= installed?.number ?? 0 else { return }
        recalled.append(RecalledRelease(release.release, recall))
      }
      (self.recalled, self.expires) = (recalled, expires)
      if let expires { isExpired = try ReleaseFinder.now(configuration) >= expires }
    } catch {}
  }
}
