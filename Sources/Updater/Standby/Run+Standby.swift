internal import Catalog
internal import InPlace
internal import MapModel
internal import MapTree
internal import Platform
internal import Store

extension Run {
  /// What stands by is what the operation would make: nothing is left to be done but the switch.
  ///
  /// What has been found damaged since, or is selected otherwise, makes it another one.
  func isReady(_ plan: Plan, in store: borrowing Store) throws(Failure) -> Bool {
    guard let standby = try store.readyStandby(), standby.release == target else { return false }
    guard let number = standby.generation else { return plan.download == 0 }
    guard damage.isEmpty, let made = try store.whole(number) else { return false }
    var manifest = try made.manifest()
    var walk = try walk(store)
    while let step = try walk.next(from: generation) {
      guard let entry = step.resulting else { continue }
      guard let component = try manifest.next(), component.name == entry.name,
        component.digest == entry.digest
      else { return false }
    }
    return try manifest.next() == nil
  }

  /// Has what an update in place takes stand by for the time when it is activated: nothing of the maps is changed.
  mutating func standByInPlace(
    _ draft: borrowing InPlaceDraft, from effective: Int64?, in store: borrowing LockedStore
  ) throws(Failure) {
    let peak = try makeRoom(for: draft, in: store)
    figures.plan?.takePeak(inPlace: peak)
    guard let base = try store.reading.currentGeneration() else { return }
    try store.announce(
      Standby(target, generation: nil, base: base, time: Clock.now, effective: effective))
    events.publish(.notice(.stagedInPlace(target.release)))
  }
}

extension PlanStep {
  /// The component that the new generation has by this step; nil if that is none.
  fileprivate var resulting: CatalogEntry? {
    switch self {
    case .keep(let entry, _), .link(let entry, _), .fetch(let entry, _): entry
    case .withdraw, .remove, .ignore: nil
    }
  }
}
