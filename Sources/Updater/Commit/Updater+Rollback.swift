internal import MapModel
internal import Store

/// The way back to the maps before.
extension Updater {
  /// Makes the generation before the current one current again.
  ///
  /// The release that is left is blocked, so that the next automatic update does not undo it.
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
    try refuseInPlace(store.reading)
    let isLost = try wrap(store: store.reading.isCurrentLost())
    let from = try isLost ? nil : wrap(store: store.reading.currentRelease())
    let (number, release): (UInt64, Release)
    switch try wrap(store: store.reading.previous()) {
    case .none: throw UpdateError(StoreError.nothingToRollBack)
    case .some(let generation):
      (number, release) = (generation.number, try wrap(store: generation.manifest().release.release))
    }
    if let from, from.release.number > release.number,
      let left = try wrap(store: store.reading.currentGeneration())
    {
      block(from.release, leaving: left, because: .rollback, in: store)
    }
    try store.makeCurrent(number, of: release)
    return .changed(from: from?.release, to: release)
  }
}
