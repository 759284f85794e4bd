internal import Platform
internal import Store

/// Space and inodes, before the first byte is downloaded.
extension Run {
  /// Where `plan` finds room.
  func room(for plan: Plan, in store: borrowing Store) throws(UpdateError) -> Room {
    let space = try space(store)
    if configuration.fits(plan, in: space) { return .beside }
    guard configuration.lowSpace >= .dropPrevious else { return .none }
    let other = try wrap(store: store.spaceOfOtherGenerations())
    let freed = Space(
      available: space.available.saturatingSum(other.bytes), block: space.block,
      files: space.files.map { $0.saturatingSum(other.files) })
    return configuration.fits(plan, in: freed) ? .withoutPrevious(freed: other.bytes) : .none
  }

  /// Has room for `plan`, and removes generations for it if the configuration allows that; refuses a plan that the file
  /// system has no room for.
  mutating func makeRoom(for plan: Plan, in store: borrowing LockedStore) throws(UpdateError) {
    let room = try room(for: plan, in: store.reading)
    if case .withoutPrevious(let freed) = room {
      events.publish(.notice(.previousRemoved(freed: freed)))
      _ = try wrap(store: store.removeOtherGenerations())
    }
    let space = try space(store.reading)
    figures.sample(space.available)
    // Asked again: a reader may hold what was to be removed.
    let available = configuration.available(of: space)
    guard plan.peakDisk <= available else {
      throw .outOfSpace(needed: plan.peakDisk, available: available, path: store.reading.path)
    }
    if let files = space.files, plan.peakFiles > files {
      throw .outOfFiles(needed: plan.peakFiles, available: files, path: store.reading.path)
    }
  }
}

extension Configuration {
  /// What of the file system an update may use.
  func available(of space: Space) -> UInt64 { space.available - min(space.available, spaceReserve) }

  /// There are bytes and inodes enough.
  fileprivate func fits(_ plan: Plan, in space: Space) -> Bool {
    plan.peakDisk <= available(of: space) && plan.peakFiles <= space.files ?? .max
  }
}
