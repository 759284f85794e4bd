internal import Catalog

/// Patches of the previous release that are still served, so that devices with releases older than the bases of this one
/// can update in small steps.
///
/// A patch to the older component becomes a hop, and the patch from that component is the last one of a chain.
struct CarriedPatches {
  /// The patches that `entry`, which has patches from its own bases, inherits from `previous`.
  ///
  /// - `isServed`: the container is in the repository. Useless patches are left out: chains that are not smaller
  ///   than a patch from the same base, or not worthwhile.
  static func patches(
    for entry: CatalogEntry, from previous: CatalogEntry?,
    isServed: (Container) throws(PublisherError) -> Bool
  ) throws(PublisherError) -> [Patch] {
    guard let previous else { return [] }
    var candidates: [Patch] = []
    for patch in previous.patches {
      guard let patch = carried(patch, from: previous, to: entry), try isServed(patch.container) else {
        continue
      }
      candidates.append(patch)
    }
    var all = entry
    all.patches = entry.patches + candidates
    var kept: [Patch] = []
    for candidate in candidates {
      let missing = bestPatches(from: candidate, in: all).filter {
        !entry.patches.contains($0) && !kept.contains($0)
      }
      if kept.count + missing.count <= PublisherLimits.carriedPatches { kept += missing }
    }
    return kept
  }

  /// The patch as an entry of the next release lists it; nil if it is not needed there.
  private static func carried(_ patch: Patch, from previous: CatalogEntry, to entry: CatalogEntry) -> Patch? {
    let isSame = previous.digest == entry.digest
    let to = patch.to ?? (isSame ? nil : Intermediate(digest: previous.digest, size: previous.size))
    // Devices that have the component need no path to it, and a chain through it ends there.
    guard patch.from != entry.digest, to?.digest != entry.digest else { return nil }
    let carried = Patch(from: patch.from, to: to, container: patch.container)
    return entry.patches.contains(carried) ? nil : carried
  }

  /// The patches that a device with the candidate's base downloads; none if a full download is better.
  private static func bestPatches(from candidate: Patch, in entry: CatalogEntry) -> [Patch] {
    let direct = entry.patches.first { $0.from == candidate.from && $0.to == nil }
    let chain = entry.chains(from: candidate.from).first
    let best: [Patch]
    switch (direct, chain) {
    case (.some(let direct), .some(let chain)):
      best = chain.download < direct.container.size ? chain : [direct]
    case (.some(let direct), .none): best = [direct]
    case (.none, .some(let chain)): best = chain
    case (.none, .none): best = []
    }
    return PayloadPolicy.keepsPatch(best.download, insteadOf: entry.fullDownload) ? best : []
  }
}
