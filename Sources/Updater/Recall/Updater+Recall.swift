internal import Catalog
internal import MapModel
internal import Platform
internal import Releases
internal import Store

/// The way out of a release that is recalled (`docs/design.md`, Recall).
extension Updater {
  /// The release that a device with `current`, which is recalled, goes to.
  ///
  /// A newer one, if it is not blocked; else the one that it has kept; else the newest older one. Nil: there is none.
  func wayOut(
    of current: CatalogedRelease, by offer: Offer, for operation: Operation
  ) throws(Failure) -> (release: CatalogedRelease, leaving: TargetChoice.Leaving)? {
    if let newest = offer.usable, newest.number > current.release.number {
      let isNamed = operation.release?.names(newest.release) ?? false
      let blocked = try block(of: newest.release)
      if isNamed || blocked == nil { return (newest.cataloged, .byUpdate) }
    }
    if case .update = operation, let kept = try keptRelease(before: current.release) {
      return (kept, .byRollback)
    }
    return offer.wayBack.map { ($0, .byUpdate) }
  }

  /// The release of the generation before, if that is older than `current` and not recalled as well.
  private func keptRelease(before current: Release) throws(Failure) -> CatalogedRelease? {
    let store = try Store(opening: configuration.root)
    guard let generation = try store.previous() else { return nil }
    let kept = try generation.manifest().release
    return kept.release.number < current.number && recall(of: kept.release) == nil ? kept : nil
  }

  /// Which release an operation goes to from `current`, which is recalled, with its catalog ready.
  func chooseWayOut(
    of current: CatalogedRelease, _ recall: Recall, by offer: Offer, for operation: Operation
  ) throws(Failure) -> TargetChoice {
    let reason = recall.reason
    events.publish(.recalled(RecalledRelease(current.release, recall)))
    guard let (target, leaving) = try wayOut(of: current, by: offer, for: operation) else {
      throw .recalledWithoutOther(release: current.release.text, reason: reason)
    }
    // What stands by is newer: back there is only a switch.
    if operation.mode == .staged, target.release.number < current.release.number {
      throw .recalled(release: current.release.text, reason: reason)
    }
    if let name = operation.release, !name.names(target.release) {
      throw refusal(of: name, newest: target.release)
    }
    if leaving == .byUpdate { try fetchCatalog(target, for: CatalogNeed(operation)) }
    return TargetChoice(target: target, leaving: leaving, announced: offer.announced)
  }

  /// Why the release that a user has named cannot be had: it is recalled, or the repository has none of that name for this
  /// device.
  func refusal(of name: ReleaseName, newest: Release) -> Failure {
    var refusal = Failure.notOffered("\(name)", newest: newest.text)
    do throws(Failure) {
      try ReleaseFinder.forEachRemembered(in: configuration.root) {
        guard let recall = $0.recall, name.names($0.release) else { return }
        refusal = .recalled(release: $0.release.text, reason: recall.reason)
      }
    } catch {}
    return refusal
  }

  /// Leaves the current release, which is recalled, for the one before, which is kept.
  func leaveRecalled(_ store: borrowing LockedStore) throws(Failure) -> Outcome {
    let from = try store.reading.currentRelease()?.release
    let (number, release) = try previous(in: store.reading)
    try heartbeat.throwIfStopped()
    events.publish(.committing)
    try heartbeat.uninterrupted { () throws(Failure) in try store.makeCurrent(number, of: release) }
    return .changed(from: from, to: release)
  }

  // MARK: - What is known without a network

  /// What the publisher says of a release, as far as the device knows; nil: nothing.
  ///
  /// Metadata that cannot be read say nothing, and keep no device from its maps.
  func terms(of release: Release) -> ServedRelease? {
    do throws(Failure) { return try readableTerms(of: release) } catch { return nil }
  }

  /// The same; throws what keeps the metadata from being read.
  func readableTerms(of release: Release) throws(Failure) -> ServedRelease? {
    var found: ServedRelease?
    try ReleaseFinder.forEachRemembered(in: configuration.root) {
      if $0.release == release { found = $0 }
    }
    return found
  }

  /// Why a release is recalled, as far as the device knows; nil: it is not.
  func recall(of release: Release) -> RecalledRelease? {
    terms(of: release)?.recall.map { RecalledRelease(release, $0) }
  }

  /// Removes what stands by if its release is recalled; that one.
  func removeRecalledStandby(in store: borrowing LockedStore) throws(Failure) -> RecalledRelease? {
    guard let standby = try store.reading.standby(), let recalled = recall(of: standby.release.release)
    else { return nil }
    try store.removeStandby()
    events.publish(.recalled(recalled))
    return recalled
  }
}
