internal import InPlace
internal import MapModel
package import Platform
internal import Releases
internal import Store
internal import Trust

/// The start of a device, without a network.
extension Updater {
  /// Has the maps ready: removes what power loss left, adopts the base map where nothing is installed, and rebuilds a
  /// lost manifest.
  package func makeReady() throws(Failure) -> Readiness {
    let started = Clock.milliseconds
    let store = try openStore()
    let readiness = try makeReady(store)
    events.publish(.ready(readiness))
    guard readiness.isChange else { return readiness }
    var entry = HistoryEntry(
      time: Clock.now, command: "boot", result: readiness.word, exitCode: readiness.code.rawValue,
      from: readiness.left?.number ?? 0, to: readiness.release?.number ?? 0, downloaded: 0,
      peakResident: MemoryBudget.peakResident ?? 0, milliseconds: Clock.milliseconds - started)
    entry.text = readiness.reason
    record(entry)
    if let release = readiness.release { events.publish(.changed(from: readiness.left, to: release)) }
    return readiness
  }

  private func makeReady(_ store: borrowing LockedStore) throws(Failure) -> Readiness {
    let repaired = try repairCurrent(in: store)
    guard try store.reading.hasCurrent() else {
      // An update in place has kept more than the base map.
      guard try InPlaceState(of: store.reading) == nil else { return repaired ?? .empty }
      let adopted = try adoptAlone(in: store)
      return adopted == .empty ? repaired ?? .empty : adopted
    }
    guard let release = try store.reading.currentRelease()?.release else {
      return repaired ?? .empty
    }
    store.removeInstalledFromStaging()
    removeUnreferencedFiles(store, staged: .kept)
    var assessed = try assessTrial(of: release, in: store)
    if case .rolledBack = assessed { return assessed ?? .empty }
    if let missing = try missingMaps(in: store.reading) {
      publishRepair(repaired)
      return .incomplete(release, missing)
    }
    // What is on trial is judged first.
    guard assessed == nil, let next = activateAtStart(store) else {
      return repaired ?? assessed ?? .ready(release)
    }
    assessed = try assessTrial(of: next, in: store)
    return assessed ?? .ready(next)
  }

  /// The maps that the device owes; nil if it owes none.
  private func missingMaps(in store: borrowing Store) throws(Failure) -> Readiness.Missing? {
    if let state = try InPlaceState(of: store) { return .replaced(by: state.target?.release) }
    guard let queue = try OperationQueue.open(configuration.root) else { return nil }
    let owed = try queue.operations().filter { $0.operation.isOwed }.flatMap { $0.operation.ids }
    return owed.isEmpty ? nil : .owed(owed.count)
  }

  // MARK: - The base map

  private func adoptAlone(in store: borrowing LockedStore) throws(Failure) -> Readiness {
    guard try Updater.isThere(configuration.base) else { return .empty }
    // Tells other processes that a catalog is in use.
    let worker = try OperationQueue(making: configuration.root).beginWork()
    defer { withExtendedLifetime(worker) {} }
    return try adopt(in: store)
  }

  /// Installs what came with the device: every package whose payloads are all in the base map.
  ///
  /// The caller works on the queue.
  func adopt(in store: borrowing LockedStore) throws(Failure) -> Readiness {
    let base = configuration.base
    guard try Updater.isThere(base) else { return .empty }
    let adopter = try Updater(configuration.provisioning(from: base), events: events, heartbeat: heartbeat)
    let queue = try OperationQueue(making: configuration.root)
    let isShared = try !queue.operations().isEmpty
    let ids = try adopter.completePackages()
    guard !ids.isEmpty else { return .empty }
    defer { removeUnreferencedFiles(store, staged: isShared ? .kept : .removable) }
    var figures = RunFigures()
    // What is lost is known.
    let outcome = try adopter.carryOutNext(.install(ids), in: store, staged: .kept, figures: &figures)
    return outcome.change.map { .adopted($0.to) } ?? .empty
  }

  /// There is a base map; a directory without metadata is none.
  private static func isThere(_ base: String) throws(Failure) -> Bool {
    do throws(Failure) {
      return try Directory(opening: base).status(of: "metadata")?.kind == .directory
    } catch {
      if error.errno == .notADirectory { return try File(opening: base).isRegular() }
      guard error.errno == .noEntry else { throw error }
      return false
    }
  }

  // MARK: - A lost manifest

  /// Names the newest generation again where the link to it is lost, rebuilds a lost manifest, or goes back to a
  /// generation that is whole; nil if there is nothing to repair, or nothing to repair it with.
  func repairCurrent(in store: borrowing LockedStore) throws(Failure) -> Readiness? {
    if try store.reading.isLinkLost() { return try relink(store) }
    guard try store.reading.isCurrentLost() else { return nil }
    do throws(Failure) {
      let generation = try store.reading.current()
      if generation.isEmpty { return .empty }
      let target = try signedTarget(of: generation)
      let succession = try Succession(rebuildingIn: store.reading, configuration.trial)
      return try store.rebuild(generation, at: target, as: succession)
    } catch {
      guard error.isLoss else { throw error }
      events.publish(.notice(.notRebuilt(reason: error.sentence)))
    }
    return try fallBack(in: store)
  }

  /// The release of a generation, by its catalog: one that the metadata lists that was trusted last.
  private func signedTarget(of generation: borrowing Generation) throws(Failure) -> CatalogedRelease {
    let file = try generation.openCatalog()
    let path = file.path
    let digest = try Verification.digest(of: file, shouldStop: heartbeat.shouldStop)
    let hasParts = try generation.hasIntactParts(shouldStop: heartbeat.shouldStop)
    guard hasParts, let release = try ReleaseFinder.remembered(digest, in: configuration.root) else {
      throw .wrongDigest(url: path)
    }
    return release
  }

  /// Goes back to the newest generation that is whole; without one, the device is as if it was new.
  private func fallBack(in store: borrowing LockedStore) throws(Failure) -> Readiness {
    guard let whole = try store.reading.newestWhole() else {
      try store.forgetCurrent()
      return noteLoss()
    }
    try store.makeCurrent(whole.number, of: whole.release.release)
    return .fellBack(whole.release.release)
  }

  /// Nothing of what was installed can be used: the base map may take its place.
  func noteLoss() -> Readiness {
    events.publish(.notice(.mapsLost))
    return .lost
  }
}
