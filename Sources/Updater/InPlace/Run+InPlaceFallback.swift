internal import Catalog
internal import InPlace
internal import MapModel
internal import MapTree
internal import Platform
internal import Store

/// What an update in place does where a stored payload, or what it is applied to, is lost.
extension Run {
  /// Has the lost container of a step stored again; false if there is none that can be used.
  func storeAgain(
    _ step: PayloadStep, of entry: JournalEntry, in update: borrowing InPlaceUpdate
  ) throws(Failure) -> Bool {
    do throws(Failure) {
      _ = try stager.store(step, in: update.files)
      return true
    } catch {
      if case .lost = stager.fault(error, of: entry.steps) {
        guard try stager.repository.isServed() else { throw error }
        events.publish(.notice(.notServed(url: step.container.url)))
        return false
      }
      guard error.disposition == .contentRejected else { throw error }
      events.publish(.notice(.unusable(url: step.container.url)))
      return false
    }
  }

  /// Brings a component by another download, beside its old file as long as that is whole.
  ///
  /// - Returns: false if it does not come, and what it was to replace is of no use any more.
  mutating func stageOtherwise(
    _ new: CatalogEntry, for entry: JournalEntry, in update: borrowing InPlaceUpdate
  ) throws(Failure) -> Bool {
    var base: InstalledComponent?
    if let old = entry.old {
      if try update.isIntact(old, shouldStop: heartbeat.shouldStop) {
        base = old
      } else {
        events.publish(.notice(.damagedBase(entry.name)))
        try update.removeOld(old)
      }
    }
    do throws(Failure) {
      do throws(Failure) { try stage(new, insteadOf: base, for: entry, in: update) } catch {
        guard let old = base, error.disposition == .outOfSpace, try storePacked(new, in: update) else {
          throw error
        }
        base = nil
        try update.removeOld(old)
        try stage(new, insteadOf: nil, for: entry, in: update)
      }
      return true
    } catch {
      guard try isFinal(error, hasBase: base != nil) else { throw error }
      events.publish(.notice(.notMade(entry.name, reason: error.sentence)))
      return false
    }
  }

  private mutating func stage(
    _ new: CatalogEntry, insteadOf base: InstalledComponent?, for entry: JournalEntry,
    in update: borrowing InPlaceUpdate
  ) throws(Failure) {
    try stage(
      new, base: base.map { .current($0) } ?? .none, isInstalled: replaces(entry.old), in: update.files,
      waiting: 0)
  }

  /// Where there is no room beside an old file, what replaces it is stored before that goes; false if it comes unpacked.
  private func storePacked(
    _ new: CatalogEntry, in update: borrowing InPlaceUpdate
  ) throws(Failure) -> Bool {
    let options = stager.options(for: new, installed: nil)
    guard case .packed = options.full, let step = options.full.steps(to: new).first else { return false }
    _ = try stager.store(step, in: update.files)
    return true
  }

  /// Waiting for the component would keep all maps from being there.
  ///
  /// - `hasBase`: the old file is whole, and goes for nothing but a new one, or a server that says that there is none.
  private func isFinal(_ error: Failure, hasBase: Bool) throws(Failure) -> Bool {
    if hasBase && !error.isAbsentOnServer { return false }
    if hasBase { return try stager.repository.isServed() }
    if case .noPatch = error { return true }
    return switch error.disposition {
    case .retryLater, .contentRejected, .outOfSpace: true
    case .busy, .stopped, .cancelled, .fatal: false
    }
  }
}
