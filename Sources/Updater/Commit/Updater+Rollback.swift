internal import MapModel
internal import Platform
internal import Store

/// The way back to the maps before.
extension Updater {
  /// Makes the generation before the current one current again.
  package func rollBack() throws(UpdateError) -> OperationReport {
    let started = Clock.milliseconds
    events.begin()
    let outcome: Outcome
    do throws(UpdateError) { outcome = try switchBack() } catch {
      record(rollbackReport(.failed(error), since: started).historyEntry(reserve: configuration.spaceReserve))
      throw error
    }
    let report = rollbackReport(.done(outcome), since: started)
    record(report.historyEntry(reserve: configuration.spaceReserve))
    if case .changed(let from, let to) = outcome { events.publish(.changed(from: from, to: to)) }
    return report
  }

  private func switchBack() throws(UpdateError) -> Outcome {
    let store = try openStore()
    let isLost = try wrap(store: store.reading.isCurrentLost())
    let from = try isLost ? nil : wrap(store: store.reading.currentRelease())
    let (number, release): (UInt64, Release)
    switch try wrap(store: store.reading.previous()) {
    case .none: throw UpdateError(StoreError.nothingToRollBack)
    case .some(let generation):
      (number, release) = (generation.number, try wrap(store: generation.manifest().release.release))
    }
    try store.makeCurrent(number, release)
    return .changed(from: from?.release, to: release)
  }

  private func rollbackReport(
    _ ending: OperationReport.Ending, since started: UInt64
  ) -> OperationReport {
    OperationReport(
      "rollback", nil, ending, RunFigures(), ConnectionFailures(), downloaded: 0,
      milliseconds: Clock.milliseconds - started)
  }

  /// Gives up the way back: deletes every generation but the current one, and those that are being read.
  ///
  /// - Returns: there was one.
  package func confirm() throws(UpdateError) -> Bool {
    let store = try openStore()
    return try wrap(store: store.removeOtherGenerations())
  }
}
