internal import MapModel
internal import Store

/// The way back to the maps before.
extension Updater {
  /// Makes the generation before the current one current again.
  package func rollBack() -> OperationReport {
    let start = begin("rollback")
    let ending: OperationReport.Ending
    do throws(UpdateError) { ending = .done(try switchBack()) } catch { ending = .failed(error) }
    let report = report(of: start, ending: ending)
    close(report)
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
    try store.makeCurrent(number, of: release)
    return .changed(from: from?.release, to: release)
  }

  /// Gives up the way back: deletes every generation but the current one, and those that are being read.
  ///
  /// - Returns: there was one.
  package func confirm() throws(UpdateError) -> Bool {
    let store = try openStore()
    return try wrap(store: store.removeOtherGenerations())
  }
}
