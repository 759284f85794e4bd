internal import Catalog
internal import InPlace
internal import MapTree
internal import Platform
internal import Store

/// The space that an update in place takes.
extension Run {
  /// Refuses what does not fit, with the reason; what fits loses its way back.
  ///
  /// - Returns: the free space that all of the update takes from its start on, in bytes.
  func makeRoom(
    for draft: borrowing InPlaceDraft, in store: borrowing LockedStore
  ) throws(Failure) -> UInt64 {
    let other = try store.reading.spaceOfOtherGenerations()
    _ = try check(draft, adding: other.bytes, names: .none, in: store)
    let before = try space(store.reading).available
    _ = try store.removeOtherGenerations()
    // Asked again: a reader may hold what was to be removed.
    let peak = try check(draft, adding: 0, names: .all, in: store)
    let after = try space(store.reading).available
    return figures.taken(before).saturatingSum(peak - min(peak, after - min(after, before)))
  }

  /// - `given`: what removing generations gives back, in bytes.
  /// - Returns: what the rest takes, in bytes.
  private func check(
    _ draft: borrowing InPlaceDraft, adding given: UInt64, names: SpaceBudget.Names,
    in store: borrowing LockedStore
  ) throws(Failure) -> UInt64 {
    let space = try space(store.reading).adding(given)
    let available = try configuration.available(of: space, giving: given)
    let budget = try draft.budget(from: generation, space, available: available, names: names)
    let path = store.reading.path
    guard budget.peak <= available else {
      if budget.linked > 0 {
        throw .mapsShared(budget.linked, needed: budget.peak, available: available, path: path)
      }
      let downloads = figures.taken(try self.space(store.reading).available)
      throw .outOfSpace(
        needed: budget.peak.saturatingSum(downloads), available: available.saturatingSum(downloads),
        path: path)
    }
    if budget.punched > 0, try !store.staging.canPunch() {
      throw .noHoles(needed: budget.peak, available: available, path: path)
    }
    return budget.peak
  }

  /// What the update would take in place, before its payloads are there: an estimate.
  func estimateInPlace(
    _ plan: Plan, in store: borrowing Store
  ) throws(Failure) -> InPlaceEstimate {
    let other = try store.spaceOfOtherGenerations()
    let space = try space(store).adding(other.bytes)
    let available = try configuration.available(of: space, giving: other.bytes)
    var budget = SpaceBudget(
      space, available: available - min(available, plan.storedDownload), names: .none)
    var walk = try walk(store)
    while let step = try walk.next(from: generation) {
      try heartbeat.throwIfStopped()
      var entry = JournalEntry(step)
      if case .fetch(let new, let base) = step { entry = try estimate(new, from: base, space, in: store) }
      if let entry { try budget.add(entry, from: generation) }
    }
    return InPlaceEstimate(
      disk: plan.storedDownload.saturatingSum(budget.peak), beside: budget.beside, consuming: budget.consuming
    )
  }

  private func estimate(
    _ entry: CatalogEntry, from base: InstalledBase, _ space: Space, in store: borrowing Store
  ) throws(Failure) -> JournalEntry {
    let installed = base.replaced
    let options = stager.options(for: entry, installed: base.current)
    let payload = try stager.payload(for: entry, options: options, in: store.staging)
    var peak = ConsumingPeak(space, given: payload.base == nil ? installed?.size ?? 0 : 0)
    let steps = payload.steps(to: entry)
    for step in steps { peak.add(step, reads: nil) }
    let isElsewhere = installed.map { $0.name != entry.name } ?? false
    return JournalEntry(
      making: InstalledComponent(entry), by: steps, insteadOf: isElsewhere ? nil : installed,
      extra: peak.bytes)
  }
}

/// What an update would take in place.
package struct InPlaceEstimate: Equatable {
  /// Bytes of the file system at the worst moment.
  package let disk: UInt64
  /// Components that are made beside their old files, and in the place of those.
  package let beside: Int
  package let consuming: Int
}

extension Space {
  /// With so many bytes more that are available.
  func adding(_ bytes: UInt64) -> Space {
    Space(available: available.saturatingSum(bytes), block: block, files: files)
  }
}
