internal import MapModel
internal import Platform
internal import Store

/// The way back to the maps before.
extension Updater {
  /// Makes the generation before the current one current again.
  ///
  /// The release that is left is blocked, so that the next automatic update does not undo it.
  package func rollBack() -> OperationReport {
    reported("rollback") { (_) throws(Failure) in .done(try switchBack()) }
  }

  private func switchBack() throws(Failure) -> Outcome {
    let store = try openStore()
    try refuseInPlace(store.reading)
    let isLost = try store.reading.isCurrentLost()
    let from = try isLost ? nil : store.reading.currentRelease()
    let (number, release) = try previous(in: store.reading)
    if let recall = recall(of: release) { throw .recalled(release: release.text, reason: recall.reason) }
    if let from, from.release.number > release.number,
      let left = try store.reading.currentGeneration()
    {
      block(from.release, leaving: left, because: .rollback, in: store)
    }
    try store.makeCurrent(number, of: release)
    return .changed(from: from?.release, to: release)
  }

  /// The generation that a rollback goes to.
  func previous(in store: borrowing Store) throws(Failure) -> (number: UInt64, release: Release) {
    switch try store.previous() {
    case .none: throw Failure.nothingToRollBack
    case .some(let generation): (generation.number, try generation.manifest().release.release)
    }
  }
}
