package import Crypto
package import JSONReading
package import MapModel
internal import Platform
package import Trust

/// A release that a repository serves: a target of its top-level role that is a catalog.
///
///     "catalogs/4.update.xz": {"length": …, "hashes": {"sha256": …}, "custom": {"release": 4, "label": "2024-06-30",
///      "minimumApplication": 3, "rollout": 25, "effective": "2024-07-01T00:00:00Z",
///      "expires": "2025-07-01T00:00:00Z", "recalled": {…}}}
package struct ServedRelease: Equatable, Sendable {
  package let cataloged: CatalogedRelease
  /// The oldest application version that can read all of its maps; 0, the default: any.
  package let minimumApplication: UInt64
  /// The share of devices that it is for, in percent; 100 is the default.
  package var rollout: UInt64
  /// From when on its maps may be current, in seconds since 1970; nil: from now on.
  package var effective: Int64?
  /// From when on its maps are not to be used any more; nil: never.
  package var expires: Int64?
  /// Why and how devices leave it; nil: it has not been recalled.
  package var recall: Recall?

  package init(
    _ release: Release, catalog: CatalogReference, minimumApplication: UInt64 = 0, rollout: UInt64 = 100,
    effective: Int64? = nil, expires: Int64? = nil
  ) {
    cataloged = CatalogedRelease(release, catalog: catalog)
    self.minimumApplication = minimumApplication
    self.rollout = rollout
    self.effective = effective
    self.expires = expires
  }

  /// Reads a target; nil if it is not a catalog.
  package init?(_ target: TargetFile, custom: JSONValue?) {
    guard let custom, let number = custom.member("release")?.whole.flatMap({ UInt64(exactly: $0) }),
      number > 0, target.path == ServedRelease.path(number), let label = custom.member("label")?.text,
      let hash = target.hashes.first(where: { $0.algorithm == .sha256 }), let digest = Digest(hex: hash.hex)
    else { return nil }
    let minimum = custom.member("minimumApplication")?.whole ?? 0
    let rollout = custom.member("rollout")?.whole ?? 100
    guard let minimum = UInt64(exactly: minimum), (0...100).contains(rollout) else { return nil }
    guard let effective = custom.time("effective"), let expires = custom.time("expires") else { return nil }
    self.init(
      Release(number: number, label: label), catalog: CatalogReference(digest: digest, size: target.length),
      minimumApplication: minimum, rollout: UInt64(rollout), effective: effective, expires: expires)
    if let value = custom.member("recalled") {
      recall = Recall(value)
      guard recall != nil else { return nil }
    }
  }

  package var release: Release { cataloged.release }
  package var catalog: CatalogReference { cataloged.catalog }
  package var number: UInt64 { release.number }
  package var label: String { release.label }
  package var catalogURL: String { cataloged.catalogURL }

  /// The release that this catalog lists, if the target names it: its own, or the one that devices go back to from it.
  package func listed(by catalog: Digest) -> CatalogedRelease? {
    if cataloged.catalog.digest == catalog { return cataloged }
    guard let back = recall?.back, back.catalog.digest == catalog else { return nil }
    return back
  }

  /// The path of the target.
  package var path: Name { ServedRelease.path(number) }

  private static func path(_ number: UInt64) -> Name { Name("catalogs/\(number).update.xz") }
}

extension JSONValue {
  /// A member that is a time, in seconds since 1970; nil in it if there is none, nil if it is something else.
  fileprivate func time(_ name: String) -> Int64?? {
    guard let value = member(name) else { return .some(nil) }
    guard let seconds = value.text.flatMap({ Clock.seconds(ofTimestamp: $0) }) else { return nil }
    return seconds
  }
}
