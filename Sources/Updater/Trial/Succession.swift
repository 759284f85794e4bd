internal import MapModel
internal import Platform
internal import Store

/// What a new generation is to the current one: where a rollback goes from it, and whether it is on trial.
struct Succession {
  let predecessor: LockedStore.Predecessor
  /// The trial of a newer release begins with it.
  let beginsTrial: Bool
  /// Nil: it is not on trial.
  private let trial: (wayBack: UInt64, starts: UInt64)?

  /// Of a generation that an operation makes of the current one.
  ///
  /// While the current one is on trial, the way back stays the generation that was confirmed last. A newer release begins
  /// a trial of its own; a generation of the same release continues the one that is on. A repaired generation takes the
  /// place of the damaged one, with its way back. To an older release a device only goes from one that is recalled, to
  /// which nothing leads back.
  init(
    to target: Release, in store: borrowing Store, _ settings: TrialSettings, isRepair: Bool
  ) throws(Failure) {
    let running = try Succession.running(in: store, settings)
    let installed = try store.currentRelease()?.release
    let isNewer = installed.map { target.number > $0.number } ?? false
    if let installed, target.number < installed.number {
      (predecessor, trial, beginsTrial) = (.nowhere, nil, false)
    } else if let running {
      (predecessor, trial) = (.generation(running.wayBack), (running.wayBack, isNewer ? 0 : running.starts))
      beginsTrial = isNewer
    } else if settings.isOn, isNewer, let current = try store.currentGeneration() {
      (predecessor, trial, beginsTrial) = (.current, (current, 0), true)
    } else {
      (predecessor, trial, beginsTrial) = (isRepair ? .replacingCurrent : .current, nil, false)
    }
  }

  /// Of a generation that is rebuilt from the current one, whose manifest is lost.
  init(rebuildingIn store: borrowing Store, _ settings: TrialSettings) throws(Failure) {
    beginsTrial = false
    if let running = try Succession.running(in: store, settings) {
      (predecessor, trial) = (.generation(running.wayBack), (running.wayBack, running.starts))
    } else {
      (predecessor, trial) = (.nowhere, nil)
    }
  }

  /// The trial of the current generation, if there is a way back from it.
  static func running(
    in store: borrowing Store, _ settings: TrialSettings
  ) throws(Failure) -> Trial? {
    guard settings.isOn, let trial = try store.trial() else { return nil }
    return try store.whole(trial.wayBack) != nil ? trial : nil
  }

  /// Writes down whether the generation is on trial, before it becomes current.
  ///
  /// The record names the generation, so until then it means nothing; the trial of the current one stays beside it.
  func record(_ generation: UInt64, in store: borrowing LockedStore) throws(Failure) {
    let trial = trial.map { Trial(of: generation, wayBack: $0.wayBack, starts: $0.starts) }
    let current = try store.reading.currentGeneration()
    try store.changeTrialRecord {
      $0.set(trial, of: generation, current: current)
      $0.returns(to: generation)
    }
  }
}
