internal import Catalog
internal import InPlace
internal import MapModel
internal import MapTree
package import Platform
internal import Store
internal import Transport

/// An update in place that has begun: it is finished before anything else is done (`docs/design.md`, In place).
extension Updater {
  /// Ends one that has come to its end, and undoes one that has given nothing up.
  func settleInPlace(in store: borrowing LockedStore) throws(Failure) {
    do throws(Failure) {
      guard let update = try InPlaceUpdate(opening: store) else { return }
      switch try update.next(in: store.reading) {
      case .undo: try update.undo(in: store)
      case .end: try store.endInPlace()
      case .make, .commit: return
      }
    } catch {
      // The next operation salvages what is left of it.
      guard case .badManifest = error else { throw error }
    }
  }

  /// One is under way.
  package func isPending() throws(Failure) -> Bool {
    let store = try Store(opening: configuration.root)
    return try InPlaceState(of: store) != nil
  }

  /// Refuses what has to have all maps of one release while one is under way.
  func refuseInPlace(_ store: borrowing Store) throws(Failure) {
    if let state = try InPlaceState(of: store) { throw .inPlacePending(release: state.target?.release.text) }
  }

  /// Finishes one that an earlier process has begun; nil if there is none.
  func resumeInPlace(
    in store: borrowing LockedStore, figures: inout RunFigures
  ) throws(Failure) -> Outcome? {
    let target: CatalogedRelease
    let base: Generation
    do throws(Failure) {
      guard let update = try InPlaceUpdate(opening: store) else { return nil }
      try update.synchronize()
      target = update.target
      base = try update.openBase()
    } catch {
      guard case .badManifest = error else { throw error }
      try salvage(in: store)
      return nil
    }
    events.publish(.notice(.inPlaceResumed(target.release)))
    var run = Run(
      .update(), from: base, to: target, context: try RunContext(store.reading), updater: self)
    defer { figures = run.figures }
    return try finishInPlace(&run, in: store)
  }

  /// Carries out what follows after there is no way back; nil if there is nothing, or the server has lost the release.
  func finishInPlace(_ run: inout Run, in store: borrowing LockedStore) throws(Failure) -> Outcome? {
    do throws(Failure) {
      let before = try installedRelease()?.release
      guard let update = try InPlaceUpdate(opening: store) else { return nil }
      let missing = try finish(update, by: &run, in: store)
      return missing.isEmpty
        ? .changed(from: before, to: run.target.release) : .incomplete(from: before, to: run.target.release)
    } catch {
      switch error {
      // It cannot be cancelled any more: it waits.
      case .cancelled: throw heartbeat.stopReason?.isResumed ?? false ? error : .stopped
      case .stopped, .notDurable: throw error
      default:
        guard try isWithdrawn(run.target, error) else { throw .inPlaceStopped(error) }
        try salvage(in: store)
        return nil
      }
    }
  }

  /// Makes every component and commits the new generation.
  ///
  /// - Returns: the packages that it does not have; their download is in the queue.
  private func finish(
    _ update: consuming InPlaceUpdate, by run: inout Run, in store: borrowing LockedStore
  ) throws(Failure) -> [PackageID] {
    try update.takeStored(in: store)
    var cursor = try JournalCursor(update)
    while case .make(let index) = update.progress.next(isCommitted: false) {
      try heartbeat.throwIfStopped()
      let found = try cursor.seek(index) { (passed) throws(Failure) in
        try update.removeRemains(of: passed)
      }
      guard let entry = found else { break }
      try make(entry, by: &run, in: &update, store)
      run.figures.sample(min(update.leastAvailable, try run.space(store.reading).available))
    }
    try haveCatalog(of: update)
    events.publish(.committing)
    let current = try store.reading.current()
    let missing = try update.missingPackages(current)
    try owe(missing)
    try heartbeat.uninterrupted { () throws(Failure) in
      try run.commit(update, over: current, without: missing, in: store)
    }
    return missing
  }

  // MARK: - A component

  /// Makes a component; where what is stored for it does not do, by another download.
  private func make(
    _ entry: JournalEntry, by run: inout Run, in update: inout InPlaceUpdate, _ store: borrowing LockedStore
  ) throws(Failure) {
    // A limit of the store was heeded before; nothing is to stop what has begun.
    let limits = InPlaceUpdate.Limits(memory: run.stager.memory, reserve: configuration.spaceReserve)
    while true {
      do throws(Failure) {
        try update.make(entry, limits: limits, shouldStop: heartbeat.shouldStop)
        return events.publish(.component(entry.name, .made(size: entry.new?.size ?? 0)))
      } catch {
        switch error {
        case .payloadLost(let url):
          if let step = entry.step(url), try run.storeAgain(step, of: entry, in: update) { continue }
        case .badPayload(let url):
          events.publish(.notice(.unusable(url: url)))
          if let step = entry.step(url) { run.stager.exclude(step.container, in: store.staging) }
        case .baseLost: break
        default: throw repository.showing(error)
        }
      }
      try haveCatalog(of: update)
      let new = try find(entry.name, in: update)
      guard try run.stageOtherwise(new, for: entry, in: update) else {
        return try update.settle(entry, as: .lost)
      }
      try update.files.synchronizeNames()
    }
  }

  // MARK: - The catalog

  /// The server says that it does not have the catalog of the release any more.
  private func isWithdrawn(_ target: CatalogedRelease, _ error: Failure) throws(Failure) -> Bool {
    guard let url = error.absentURL else { return false }
    guard repository.isURL(url, of: target.catalogURL) else { return false }
    return try repository.isServed()
  }

  /// Has the target's catalog among the files of the update, as far as it lists what is installed.
  private func haveCatalog(of update: borrowing InPlaceUpdate) throws(Failure) {
    let target = update.target
    if try !hasIntact(target.catalog, among: update.files) {
      if try !linkCached(target.catalog, to: update.files) {
        try fetch(target.catalog, at: target.catalogURL, to: update.files)
      }
    }
    guard !update.parts.isEmpty else { return }
    let cached = CatalogParts(of: configuration.root, installed: Generation())
    var catalog = try openCatalog(of: update)
    while let item = try wrap(catalog: catalog.nextItem()) {
      guard case .part(let part) = item, update.parts.contains(part.file) else { continue }
      if try !hasIntact(part.file, among: update.files) {
        if try cached.hasIntact(part.file, shouldStop: heartbeat.shouldStop) {
          try cached.link(part.file, to: update.files.reading)
        } else {
          try fetch(part.file, at: part.url, to: update.files)
        }
      }
      guard part.level > 0 else { continue }
      let file = try update.files.reading.open(part.file.digest)
      do throws(CatalogError) { try catalog.enter(part, file) } catch { throw Failure(error) }
    }
  }

  /// The file is there as it should be; any other with its name is removed.
  private func hasIntact(
    _ file: CatalogReference, among files: borrowing LockedStaging
  ) throws(Failure) -> Bool {
    let isIntact = try files.reading.isIntact(
      file.digest, size: file.size, shouldStop: heartbeat.shouldStop)
    if !isIntact { try files.remove(file.digest) }
    return isIntact
  }

  private func linkCached(
    _ file: CatalogReference, to files: borrowing LockedStaging
  ) throws(Failure) -> Bool {
    guard let cache = try CatalogCache.open(configuration.root) else { return false }
    guard try cache.files.isIntact(file.digest, size: file.size, shouldStop: heartbeat.shouldStop) else {
      return false
    }
    try cache.files.link(file.digest, to: files.reading)
    return true
  }

  private func fetch(
    _ file: CatalogReference, at url: String, to files: borrowing LockedStaging
  ) throws(Failure) {
    try WholeFile(url: url, size: file.size, digest: file.digest)
      .stage(in: files, from: repository, events: events, heartbeat: heartbeat)
  }

  private func openCatalog(
    of update: borrowing InPlaceUpdate
  ) throws(Failure) -> CatalogReader<XZSource> {
    let file = try update.files.reading.open(update.target.catalog.digest)
    do throws(CatalogError) { return try CatalogReader(file) } catch { throw Failure(error) }
  }

  /// The catalog's entry of a component that the update makes.
  private func find(
    _ name: ComponentName, in update: borrowing InPlaceUpdate
  ) throws(Failure) -> CatalogEntry {
    let catalog = try openCatalog(of: update)
    let cursor = try CatalogCursor.open(catalog, parts: CatalogParts(ofUpdateIn: configuration.root))
    while true {
      if let part = cursor.part, part.first <= name.id, name.id <= part.last, try cursor.enter() {
        continue
      }
      if let entry = cursor.entry, entry.name == name { return entry }
      guard cursor.part != nil || cursor.entry != nil else { throw .unknownPackages([name.id.text]) }
      try cursor.advance()
    }
  }
}
