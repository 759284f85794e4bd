internal import Catalog
internal import MapModel
internal import Platform
internal import Store
internal import Transport

/// What is lost of a store, and where it comes from again.
extension Updater {
  // MARK: - The current generation

  /// Names the newest generation that is whole; nil if there is none.
  ///
  /// After a rollback that is the one that was left: nothing but the lost link said otherwise.
  func relink(_ store: borrowing LockedStore) throws(Failure) -> Readiness? {
    guard let whole = try store.reading.newestWhole() else {
      // A stray link would stay in the way of the next one.
      try store.forgetCurrent()
      return try store.reading.hasMaps() ? noteLoss() : nil
    }
    try store.makeCurrent(whole.number, of: whole.release.release)
    return .relinked(whole.release.release)
  }

  /// Says what had to be repaired before an operation could begin.
  func publishRepair(_ readiness: Readiness?) {
    switch readiness {
    case .rebuilt(let release, let count): events.publish(.notice(.rebuilt(release, components: count)))
    case .relinked(let release): events.publish(.notice(.relinked(release)))
    case .ready, .adopted, .fellBack, .onTrial, .rolledBack, .incomplete, .lost, .empty, .none: break
    }
  }

  /// The generation before the current one, empty if it cannot be read; what is lost can come by a patch from its files.
  func previousGeneration(_ store: borrowing Store) throws(Failure) -> Generation {
    do throws(Failure) {
      guard let generation = try store.previous() else { return Generation() }
      return generation
    } catch {
      guard case .noMemory = error else { return Generation() }
      throw error
    }
  }

  // MARK: - The catalog

  /// The catalog of the current generation, or a part of it that lists what is installed, is missing or is not the one
  /// that it should be.
  func isCatalogLost(of generation: borrowing Generation) throws(Failure) -> Bool {
    if generation.isEmpty { return false }
    guard let file = try openIntactCatalog(of: generation) else { return true }
    let parts = CatalogParts(of: configuration.root, installed: generation)
    let catalog: CatalogReader<XZSource>
    do throws(CatalogError) { catalog = try CatalogReader(file, detail: .sizes) } catch { return true }
    return try !forEachPart(of: catalog, in: parts, for: .installed) { (part) throws(Failure) in
      try generation.hasIntact(part.file, shouldStop: heartbeat.shouldStop)
    }
  }

  private func openIntactCatalog(of generation: borrowing Generation) throws(Failure) -> File? {
    do throws(Failure) {
      let catalog = try generation.manifest().release.catalog
      var file: File?
      do throws(Failure) { file = try generation.openCatalog() } catch { return nil }
      guard let found = file.take() else { return nil }
      guard
        try Verification.matches(
          found, digest: catalog.digest, size: catalog.size, shouldStop: heartbeat.shouldStop)
      else { return nil }
      return try generation.openCatalog()
    } catch {
      if case .file = error { return nil }
      throw error
    }
  }

  func fetchLostCatalog(_ target: CatalogedRelease, for operation: Operation) throws(Failure) {
    do throws(Failure) {
      try fetchCatalog(target, for: CatalogNeed(operation), installed: .lost)
    } catch {
      throw try explain(error, of: operation, at: target.release)
    }
  }

  // MARK: - Repair

  /// What is known to be damaged, if a repair has anything to do; nil if all that it is about is whole.
  ///
  /// Verifies what the repair is about, unless the last verification came to its end and noted some of it. What is found counts even where it could not be noted.
  /// The release is then known to be one that the publisher has signed.
  func damageToMend(
    _ operation: Operation, of generation: borrowing Generation, isCatalogLost: Bool
  ) throws(Failure) -> DamageNote? {
    var verifier = try Verifier(configuration.root, events: events, heartbeat: heartbeat)
    // Of the empty one, `chooseTarget` says what that means.
    if let release = try generation.release() {
      let isDamaged = try isDamaged(generation, ids: operation.ids, accordingTo: &verifier)
      guard isDamaged || isCatalogLost else { return nil }
      try authenticate(release)
    }
    return verifier.damage
  }

  private func isDamaged(
    _ generation: borrowing Generation, ids: [PackageID], accordingTo verifier: inout Verifier
  ) throws(Failure) -> Bool {
    guard try verifier.hasVerified(generation) else {
      return try verifier.verify(generation, ids: ids).damaged > 0
    }
    var manifest = try generation.manifest()
    while let component = try manifest.next() {
      guard ids.isEmpty || ids.includes(component.name.id) else { continue }
      if verifier.damage.part(component, in: generation.number) != nil { return true }
    }
    return try verifier.verify(generation, ids: ids).damaged > 0
  }

  /// Makes sure that signed metadata lists the release: that on the device, or else that of the repository.
  private func authenticate(_ installed: CatalogedRelease) throws(Failure) {
    do throws(Failure) {
      if try ReleaseFinder.remembered(installed.catalog.digest, in: configuration.root) != nil { return }
    } catch {
      guard error.isLoss else { throw error }
    }
    guard try learn(installed).hasInstalled else { throw .notRepairable(release: installed.release.text) }
  }

  /// What an error of `operation` means: a file that a server no longer has of an installed release cannot be repaired.
  func explain(
    _ error: Failure, of operation: Operation, at release: Release
  ) throws(Failure) -> Failure {
    guard operation.isRepair, error.absentURL != nil, try repository.isServed() else { return error }
    return .notRepairable(release: release.text)
  }
}
