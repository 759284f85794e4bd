internal import MapModel
internal import Platform
internal import Store

/// Space and inodes, before the first byte is downloaded.
extension Run {
  /// Where `plan` finds room if `lowSpace` is configured.
  func room(
    for plan: Plan, in store: borrowing Store, allowing lowSpace: LowSpace
  ) throws(Failure) -> Room {
    let space = try space(store)
    if try fits(plan, in: space) { return .beside }
    let standby = try spaceOfOtherStandby(store)
    let cleared = space.adding(standby)
    if standby > 0, try fits(plan, in: cleared, giving: standby) { return .withoutStandby(freed: standby) }
    guard lowSpace >= .dropPrevious else { return .none }
    // The way back of a generation on trial is not given up.
    guard try Succession.running(in: store, configuration.trial) == nil else { return .none }
    let other = try store.spaceOfOtherGenerations()
    let freed = Space(
      available: cleared.available.saturatingSum(other.bytes), block: space.block,
      files: space.files.map { $0.saturatingSum(other.files) })
    let given = standby.saturatingSum(other.bytes)
    if try fits(plan, in: freed, giving: given) { return .withoutPrevious(freed: other.bytes) }
    let available = try configuration.available(of: freed, giving: given)
    guard lowSpace >= .inPlace, !plan.changesTrees, plan.download <= available else { return .none }
    return try canUpdateInPlace(store) ? .inPlace : .none
  }

  /// Bytes that `plan` lacks where only the current generation is left; nil if those may not go, or if it is not bytes
  /// that it lacks.
  func shortage(of plan: Plan, in store: borrowing Store) throws(Failure) -> UInt64? {
    guard configuration.lowSpace >= .dropPrevious,
      try Succession.running(in: store, configuration.trial) == nil
    else { return nil }
    let standby = try spaceOfOtherStandby(store)
    let other = try store.spaceOfOtherGenerations()
    let given = standby.saturatingSum(other.bytes)
    let space = try space(store).adding(given)
    if let files = space.files, plan.peakFiles > files.saturatingSum(other.files) { return nil }
    let available = try configuration.available(of: space, giving: given)
    return plan.peakDisk > available ? plan.peakDisk - available : nil
  }

  /// There are bytes and inodes enough.
  ///
  /// - `freed`: bytes in `space` that the store would give back first.
  private func fits(_ plan: Plan, in space: Space, giving freed: UInt64 = 0) throws(Failure) -> Bool {
    let available = try available(for: plan, of: space, giving: freed)
    return plan.peakDisk <= available && plan.peakFiles <= space.files ?? .max
  }

  /// What of the file system `plan` may use; a limit of the store keeps nobody from making it smaller, and what is left free
  /// keeps nobody from giving more back.
  private func available(
    for plan: Plan, of space: Space, giving freed: UInt64 = 0
  ) throws(Failure) -> UInt64 {
    guard plan.fetched == 0 else { return try configuration.available(of: space, giving: freed) }
    if case .uninstall = operation { return space.available }
    return configuration.beyondReserve(of: space)
  }

  /// Bytes of what stands by and is not what the operation makes: it goes first.
  private func spaceOfOtherStandby(_ store: borrowing Store) throws(Failure) -> UInt64 {
    guard let standby = try store.standby(), standby.release != target else { return 0 }
    return try store.space(of: standby)
  }

  /// Removes what stands by, with what is staged for it alone.
  private func removeStandby(_ store: borrowing LockedStore) throws(Failure) {
    guard let standby = try store.reading.standby() else { return }
    // What the operation makes is only made anew.
    if standby.release != target { events.publish(.notice(.standbyRemoved(standby.release.release))) }
    try store.removeStandby()
    try removeUnneededFiles(store)
  }

  /// The first setting with which `plan` finds room; nil if it finds none.
  func sufficient(for plan: Plan, in store: borrowing Store) throws(Failure) -> LowSpace? {
    for setting in LowSpace.all
    where try room(for: plan, in: store, allowing: setting) != .none { return setting }
    return nil
  }

  /// The operation can consume the installed maps: an update of them to another release, without indexes.
  private func canUpdateInPlace(_ store: borrowing Store) throws(Failure) -> Bool {
    guard configuration.index.command == nil, case .update = operation else { return false }
    guard let current = try generation.release() else { return false }
    return current != target
  }

  /// Has room for `plan`, and removes generations for it if the configuration allows that; refuses a plan that the file
  /// system has no room for.
  mutating func makeRoom(for plan: Plan, in store: borrowing LockedStore) throws(Failure) -> Room {
    let room = try room(for: plan, in: store.reading, allowing: configuration.lowSpace)
    try copyUp(for: room, in: store)
    switch room {
    case .beside, .none: break
    case .withoutStandby: try removeStandby(store)
    case .withoutPrevious(let freed):
      try removeStandby(store)
      events.publish(.notice(.previousRemoved(freed: freed)))
      _ = try store.removeOtherGenerations()
    case .inPlace:
      if try store.staging.canPunch() {
        events.publish(.notice(.inPlace))
        // It has names for the maps that are to be consumed; what is staged of this release stays.
        try removeStandby(store)
        // If the downloads fit, nothing is given up before it is known that the rest does.
        if plan.download > (try configuration.available(of: space(store.reading))) {
          _ = try store.removeOtherGenerations()
        }
        figures.sample(try space(store.reading).available)
        return room
      }
    }
    let space = try space(store.reading)
    figures.sample(space.available)
    // Asked again: a reader may hold what was to be removed.
    let available = try available(for: plan, of: space)
    guard plan.peakDisk <= available else {
      throw .outOfSpace(needed: plan.peakDisk, available: available, path: store.reading.path)
    }
    if let files = space.files, plan.peakFiles > files {
      throw .outOfFiles(needed: plan.peakFiles, available: files, path: store.reading.path)
    }
    return room
  }

  /// On an overlay, has the maps that get another name, or are consumed, in the upper layer.
  ///
  /// That takes space which nothing tells before: if there is too little, it is known before the first download.
  private func copyUp(for room: Room, in store: borrowing LockedStore) throws(Failure) {
    guard try store.reading.isOverlay() else { return }
    var walk = try walk(store.reading)
    while let step = try walk.next(from: generation) {
      try heartbeat.throwIfStopped()
      switch step {
      case .keep(_, let component), .link(_, let component): try copyUp(component, in: store)
      case .fetch(_, let base) where room == .inPlace:
        if let component = base.replaced { try copyUp(component, in: store) }
      case .fetch, .remove, .withdraw, .ignore: break
      }
    }
  }

  private func copyUp(_ component: InstalledComponent, in store: borrowing LockedStore) throws(Failure) {
    do throws(Failure) { try store.copyUp(component, of: generation) } catch {
      guard case .file(let cause) = error else { throw error }
      // What is lost is found out elsewhere.
      if !cause.errno.isOfAbsence { throw error.beforeWriting }
    }
  }
}
