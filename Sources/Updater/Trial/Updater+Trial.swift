package import MapModel
package import Platform
internal import Store

/// Releases on trial: counted at each start, left if they fail (`docs/design.md`, Trial).
extension Updater {
  /// Counts this start if the current generation is on trial, and goes back from it if that fails.
  ///
  /// Nil if it is not on trial, or stays because there is no way back.
  ///
  /// 1. A departure that was decided before a power loss is finished.
  /// 2. A trial that has used up its starts has failed.
  /// 3. This start is counted; from here on it counts, however it ends.
  /// 4. The health command may still object.
  func assessTrial(of release: Release, in store: borrowing LockedStore) throws(Failure) -> Readiness? {
    let settings = configuration.trial
    guard settings.isOn, let current = try store.reading.currentGeneration() else { return nil }
    let record = store.reading.trialRecord()
    guard var trial = record.trial(of: current) else { return nil }
    if let departure = record.departure(from: current, of: release.number) {
      return try leave(release, trial, because: departure.reason, in: store)
    }
    guard trial.starts < settings.starts else {
      return try leave(release, trial, because: .starts(trial.starts), in: store)
    }
    trial.starts += 1
    changeTrialRecord(in: store) { $0.set(trial, of: current, current: current) }
    let check = HealthCheck(
      settings: settings.health, release: release, trial: trial, events: events, heartbeat: heartbeat)
    if let reason = try check.run(in: store) {
      return try leave(release, trial, because: reason, in: store)
    }
    return .onTrial(release, starts: trial.starts, of: settings.starts)
  }

  /// Goes back from a release whose trial has failed; nil if there is no way back.
  ///
  /// 1. That the release is blocked is written down: the decision.
  /// 2. The confirmed generation becomes current. If the power fails before that, the next start does it.
  private func leave(
    _ release: Release, _ trial: Trial, because reason: BlockedRelease.Reason, in store: borrowing LockedStore
  ) throws(Failure) -> Readiness? {
    let target: Release
    switch try store.reading.whole(trial.wayBack) {
    case .none:
      events.publish(.notice(.noWayBack(release, reason)))
      changeTrialRecord(in: store) { $0.confirm(release.number) }
      return nil
    case .some(let generation): target = try generation.manifest().release.release
    }
    block(release, leaving: trial.generation, because: reason, in: store)
    try store.makeCurrent(trial.wayBack, of: target)
    return .rolledBack(from: release, to: target, reason)
  }

  /// Blocks a release, before the device leaves the generation that has it.
  func block(
    _ release: Release, leaving generation: UInt64, because reason: BlockedRelease.Reason,
    in store: borrowing LockedStore
  ) {
    let entry = BlockedRelease(release, generation: generation, time: Clock.now, reason: reason)
    // A departure that is only being finished keeps its time.
    if store.reading.trialRecord().departure(from: generation, of: release.number)?.reason == reason {
      return
    }
    changeTrialRecord(in: store) { $0.block(entry) }
  }

  /// Changes the record; going on without it is better than to keep a device from its maps.
  private func changeTrialRecord(in store: borrowing LockedStore, _ body: (inout TrialRecord) -> Void) {
    do throws(Failure) { try store.changeTrialRecord(body) } catch {
      events.publish(.notice(.trialNotRecorded(reason: error.cause)))
    }
  }

  /// Why the device does not install a release by itself; nil if it may.
  func block(of release: Release) throws(Failure) -> BlockedRelease? {
    do throws(Failure) {
      return try Store(opening: configuration.root).trialRecord().block(of: release.number)
    } catch {
      if case .noStore = error { return nil }
      throw error
    }
  }

  /// Ends a trial: the release stays, and what a rollback would need is removed.
  package func confirm() throws(Failure) -> Confirmation {
    let store = try openStore()
    let isOnTrial = try store.reading.trial() != nil
    let release = try store.reading.isCurrentLost() ? nil : currentRelease(in: store)
    // First, so that a trial never loses its way back; on a full file system, once there is room.
    var isRecorded = false
    if let release {
      do throws(Failure) {
        try store.changeTrialRecord { $0.confirm(release.number) }
        isRecorded = true
      } catch {
        guard error.disposition == .outOfSpace else { throw error }
      }
    }
    let hasRemoved = try store.removeOtherGenerations()
    if let release, !isRecorded {
      try store.changeTrialRecord { $0.confirm(release.number) }
    }
    if let release, isOnTrial { events.publish(.trial(release, .confirmed)) }
    return Confirmation(trial: isOnTrial ? release : nil, hasRemoved: hasRemoved)
  }

  private func currentRelease(in store: borrowing LockedStore) throws(Failure) -> Release? {
    try store.reading.currentRelease()?.release
  }
}

/// What `confirm` did.
package struct Confirmation: Equatable {
  /// The release whose trial it ended; nil if none was on trial.
  package let trial: Release?
  /// There was another generation than the current one.
  package let hasRemoved: Bool
}
