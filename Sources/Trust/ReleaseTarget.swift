package import Crypto

/// A catalog as a target of the repository's top-level role, with what `custom` says of its release.
///
///     "catalogs/4.update.xz": {"length": …, "hashes": {"sha256": …}, "custom": {"release": 4, "label": "2024-06-30",
///      "minimumApplication": 3, "rollout": 25}}
package struct ReleaseTarget: Equatable {
  package var number: UInt64
  package var label: String
  /// The oldest application version that can read all of its maps; 0, the default: any.
  package var minimumApplication: UInt64
  /// How many of a hundred devices it is for; 100 is the default.
  package var rollout: UInt64
  package var catalog: Digest
  /// Bytes of the catalog as it is served.
  package var size: UInt64

  package init(
    number: UInt64, label: String, minimumApplication: UInt64 = 0, rollout: UInt64 = 100, catalog: Digest,
    size: UInt64
  ) {
    self.number = number
    self.label = label
    self.minimumApplication = minimumApplication
    self.rollout = rollout
    self.catalog = catalog
    self.size = size
  }

  /// Nil for a target that is no catalog.
  package init?(_ target: TargetFile, custom: JSONValue?) {
    guard let custom, let number = custom.member("release")?.whole.flatMap({ UInt64(exactly: $0) }),
      number > 0,
      target.path == ReleaseTarget.path(number), let label = custom.member("label")?.text,
      let hash = target.hashes.first(where: { $0.algorithm == .sha256 }), let catalog = Digest(hex: hash.hex)
    else { return nil }
    let minimum = custom.member("minimumApplication")?.whole ?? 0
    let rollout = custom.member("rollout")?.whole ?? 100
    guard let minimum = UInt64(exactly: minimum), (0...100).contains(rollout) else { return nil }
    self.init(
      number: number, label: label, minimumApplication: minimum, rollout: UInt64(rollout), catalog: catalog,
      size: target.length)
  }

  /// The path of the target.
  package var path: Name { ReleaseTarget.path(number) }

  /// Where it lies in the repository: one with consistent snapshots.
  package var url: String { "catalogs/\(catalog.hex).\(number).update.xz" }

  private static func path(_ number: UInt64) -> Name { Name("catalogs/\(number).update.xz") }
}
