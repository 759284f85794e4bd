internal import Catalog
internal import MapModel
internal import Platform
internal import Store

extension Run {
  /// Puts installed maps into staging that have lost only their indexes: those are made again, and nothing is downloaded.
  func reuseIntactMaps(_ store: borrowing LockedStore) throws(Failure) {
    if generation.isEmpty { return }
    var walk = try walk(store.reading)
    while let step = try walk.next(from: generation) {
      try heartbeat.throwIfStopped()
      guard case .fetch(let entry, let base) = step, let lost = base.lost, lost.digest == entry.digest,
        damage.part(lost, in: generation.number) != .component
      else { continue }
      guard try !store.staging.reading.isComplete(lost.digest, size: lost.size),
        try generation.hasFile(lost),
        try generation.isIntact(lost, shouldStop: heartbeat.shouldStop)
      else { continue }
      try store.staging.add(lost, from: generation)
    }
  }
}
