internal import MapModel
internal import Platform
internal import Releases

extension ServedRelease {
  /// The release, and the one that devices go back to from it as a release of its own: all catalogs that it lists.
  var catalogs: [ServedRelease] {
    guard let back = recall?.back else { return [self] }
    return [self, ServedRelease(back.release, catalog: back.catalog)]
  }

  /// Devices in general take it: it is not recalled, not for some of them only, and in effect.
  func isForAll(at now: Int64) -> Bool { recall == nil && rollout >= 100 && effective ?? 0 <= now }
}

extension [ServedRelease] {
  /// The recalled releases that devices have no newer one to go to from, each with the older one that they go back to.
  func waysBack(at now: Int64 = Clock.now) -> [(from: ServedRelease, to: ServedRelease)] {
    compactMap { release in
      guard release.recall != nil, !contains(where: { $0.number > release.number && $0.isForAll(at: now) })
      else { return nil }
      return last { $0.number < release.number && $0.isForAll(at: now) }.map { (release, $0) }
    }
  }
}
