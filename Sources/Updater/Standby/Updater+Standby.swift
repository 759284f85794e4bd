internal import Catalog
package import MapModel
package import Platform
internal import Releases
internal import Store

/// A release that stands by: what an update leaves that is not to switch, until it is activated.
extension Updater {
  /// The update makes its release stand by, instead of the current one.
  ///
  /// What changes within a release, such as the choice of data groups, does not wait.
  func isDeferred(_ operation: Operation, from current: Release?, to choice: TargetChoice) -> Bool {
    guard let current, let target = choice.target?.release, target.number > current.number else {
      return false
    }
    // A recalled release is left as soon as possible.
    if choice.leaving != nil { return operation.mode == .staged }
    // Who names it wants it now.
    if choice.effective != nil, operation.release == nil { return true }
    switch operation.mode {
    case .atOnce: return false
    case .staged: return true
    case .automatic: return configuration.automatic.activation != .atOnce
    }
  }

  /// What is staged is not to go when `operation` does not need it: a release stands by.
  ///
  /// An update decides that anew, for all packages. What cannot be read may say that one does.
  func isKept(forStandby store: borrowing Store, _ operation: Operation) -> Bool {
    if case .update = operation { return false }
    do throws(Failure) { return try store.readableStandby() != nil } catch { return true }
  }

  /// The generation that stands by, empty if there is none.
  func standbyGeneration(_ store: borrowing Store) throws(Failure) -> Generation {
    guard let number = try store.readyStandby()?.generation, let generation = try store.whole(number) else {
      return Generation()
    }
    return generation
  }

  /// The release that stands by; nil if none does.
  func standbyRelease() throws(Failure) -> CatalogedRelease? {
    do throws(Failure) { return try Store(opening: configuration.root).standby()?.release } catch {
      if case .noStore = error { return nil }
      throw error
    }
  }

  /// Removes from staging what nothing resumes from, and what stands by does not have.
  func emptyStaging(of store: borrowing LockedStore) throws(Failure) {
    try store.removeOutdatedStandby()
    guard let standby = try store.reading.readableStandby() else { return try store.staging.clear() }
    guard let number = standby.generation, let generation = try store.reading.whole(number) else { return }
    try store.staging.removeFiles { (staged) throws(Failure) in
      let kept = try generation.components(among: staged)
      return staged.filter { kept.place(of: $0) == nil }
    }
  }

  /// Says that a release stands by from now on.
  ///
  /// - `effective`: when it is in effect, if it is not yet.
  func stands(by standby: Release, from effective: Int64?, at current: Release) -> Outcome {
    events.publish(.standby(standby))
    return .staged(at: current, standby: standby, from: effective)
  }

  /// The release that the operation goes to, with what it takes from there.
  func choose(
    _ supply: Supply, for operation: Operation, installed current: CatalogedRelease?
  ) throws(Failure) -> TargetChoice {
    switch supply {
    case .repository: try chooseTarget(for: operation, installed: current)
    case .staging(let release), .repositoryAt(let release): TargetChoice(target: release)
    }
  }

  // MARK: - Activation

  /// Makes current what stands by.
  ///
  /// - `name`: activates that release, even if it is not in effect yet.
  package func activate(_ name: ReleaseName? = nil) -> OperationReport {
    reported("activate") { (figures) throws(Failure) in
      .done(try activateStandby(name, figures: &figures))
    }
  }

  private func activateStandby(
    _ name: ReleaseName?, figures: inout RunFigures
  ) throws(Failure) -> Outcome {
    let store = try openStore()
    try refuseInPlace(store.reading)
    publishRepair(try repairCurrent(in: store))
    guard let standby = try store.reading.readableStandby() else {
      // What an activation has left that was interrupted.
      try tidy(store)
      throw .nothingStaged
    }
    let release = standby.release.release
    if let recalled = try removeRecalledStandby(in: store) {
      try tidy(store)
      throw .recalled(release: release.text, reason: recalled.reason)
    }
    if let name {
      guard name.names(release) else { throw .notStaged("\(name)", staged: release.text) }
    } else if let effective = try whenInEffect(standby) {
      throw .notInEffect(release: release.text, from: Clock.timestamp(effective), name: release.label)
    }
    // Other processes must see that a catalog is in use.
    let worker = try OperationQueue(making: configuration.root).beginWork()
    defer { withExtendedLifetime(worker) {} }
    if let outcome = try activate(in: store) { return outcome }
    let outcome = try makeStandby(standby, in: store, figures: &figures)
    try tidy(store)
    return outcome
  }

  /// Removes what was staged for a release that does not stand by any more.
  private func tidy(_ store: borrowing LockedStore) throws(Failure) {
    let isShared = try !OperationQueue(making: configuration.root).operations().isEmpty
    removeUnreferencedFiles(store, staged: isShared ? .kept : .removable)
  }

  /// When a device switches by itself.
  enum Occasion {
    /// At its start.
    case start
    /// While an automatic update is carried out.
    case timer
  }

  /// The device switches to `standby` by itself now: the configuration says so, and the release is in effect.
  ///
  /// The publisher may have changed its date since it was staged.
  ///
  /// Where releases become current as soon as they are ready, one can only stand by because it was not in effect, or
  /// because somebody has staged it, who then decides.
  private func isDue(_ standby: Standby, at occasion: Occasion) throws(Failure) -> Bool {
    switch (configuration.automatic.activation, occasion) {
    case (.command, _), (.boot, .timer): return false
    case (.boot, .start): break
    case (.atOnce, _): if standby.effective == nil { return false }
    }
    return try whenInEffect(standby) == nil
  }

  /// From when on the release is in effect, in seconds since 1970; nil: it is.
  private func whenInEffect(_ standby: Standby) throws(Failure) -> Int64? {
    let terms = terms(of: standby.release.release)
    guard let effective = terms == nil ? standby.effective : terms?.effective else { return nil }
    return try effective > ReleaseFinder.now(configuration) ? effective : nil
  }

  /// Switches to what stands by, if that is due.
  ///
  /// While an automatic update is carried out, the repository is asked first whether it has been recalled. Without a
  /// connection, what the device knows decides.
  func activateIfDue(_ occasion: Occasion, in store: borrowing LockedStore) throws(Failure) -> Outcome? {
    guard let standby = try store.reading.readyStandby(), try isDue(standby, at: occasion) else { return nil }
    if occasion == .timer {
      do throws(Failure) { _ = try learn(store.reading.currentRelease()) } catch {
        guard error.disposition == .retryLater || error.isWithoutRepository else { throw error }
      }
      guard try isDue(standby, at: occasion) else { return nil }
    }
    if try removeRecalledStandby(in: store) != nil { return nil }
    return try activate(in: store)
  }

  /// Switches to what stands by, if that is due at a start; the release that is current then.
  ///
  /// It keeps no device from the maps that it has.
  func activateAtStart(_ store: borrowing LockedStore) -> Release? {
    let start = begin("activate")
    let ending: OperationReport.Ending
    do throws(Failure) {
      guard let outcome = try activateIfDue(.start, in: store) else { return nil }
      ending = .done(outcome)
    } catch {
      events.publish(.notice(.notActivated(reason: error.sentence)))
      ending = .failed(error)
    }
    close(report(of: start, ending: ending))
    guard case .done(let outcome) = ending else { return nil }
    return outcome.change?.to
  }

  /// After a start, what stands by is to be made in the place of the installed maps: not before programs read them.
  package func isDueInPlace() throws(Failure) -> Bool {
    guard let standby = try Store(opening: configuration.root).readyStandby(), standby.generation == nil
    else { return false }
    return try isDue(standby, at: .start)
  }

  /// Switches to what stands by; nil if it cannot follow the current generation as it is.
  func activate(in store: borrowing LockedStore) throws(Failure) -> Outcome? {
    guard let standby = try store.reading.readyStandby(), let number = standby.generation else { return nil }
    let damage = try VerificationFiles(opening: configuration.root).damage()
    guard let damaged = try damagedComponents(of: number, base: standby.base, accordingTo: damage, in: store)
    else { return nil }
    let outcome = try enter(number, of: standby.release.release, damaged: damaged, in: store)
    do throws(Failure) {
      try store.settleStandby()
      try tidy(store)
    } catch {}  // The next process that opens the store does it.
    return outcome
  }

  /// Makes a whole generation current whose release, `target`, is newer than the current one.
  ///
  /// - `damaged`: its components of which that is known.
  func enter(
    _ number: UInt64, of target: Release, damaged: [InstalledComponent], in store: borrowing LockedStore
  ) throws(Failure) -> Outcome {
    let from = try store.reading.currentRelease()?.release
    let succession = try Succession(to: target, in: store.reading, configuration.trial, isRepair: false)
    try store.setPredecessor(succession.predecessor, of: number)
    try heartbeat.throwIfStopped()
    events.publish(.committing)
    try heartbeat.uninterrupted { () throws(Failure) in
      store.keepNote(of: damaged, in: number)
      try succession.record(number, in: store)
      try store.makeCurrent(number, of: target)
    }
    if succession.beginsTrial { events.publish(.trial(target, .begun)) }
    return .changed(from: from, to: target)
  }

  /// The components of a generation whose files are known to be damaged in the current one, `base`, and still are; nil if
  /// files of it are missing.
  func damagedComponents(
    of number: UInt64, base: UInt64, accordingTo damage: DamageNote, in store: borrowing LockedStore
  ) throws(Failure) -> [InstalledComponent]? {
    guard let generation = try store.reading.whole(number) else { return nil }
    var damaged: [InstalledComponent] = []
    var manifest = try generation.manifest()
    while let component = try manifest.next() {
      guard try generation.hasFiles(component) else { return nil }
      guard damage.part(component, in: base) != nil else { continue }
      if try !generation.isIntact(component, shouldStop: heartbeat.shouldStop) { damaged.append(component) }
    }
    return damaged
  }

  /// Makes the generation now, of what is staged and installed: without a network.
  ///
  /// Other maps than those that it was staged for are installed now, or it is made in place.
  private func makeStandby(
    _ standby: Standby, in store: borrowing LockedStore, figures: inout RunFigures
  ) throws(Failure) -> Outcome {
    let release = standby.release.release
    do throws(Failure) {
      return try carryOutNext(
        .update(), in: store, staged: .kept, supply: .staging(standby.release), figures: &figures)
    } catch {
      guard error.isOfAbsence || error.isWithoutRepository || error.isOfUnreadableCatalog else { throw error }
      throw .standbyIncomplete(release: release.text)
    }
  }
}

/// Where an operation may take what it needs.
enum Supply {
  /// From the repository, at the release that it has.
  case repository
  /// The same at this release, whose catalog is here.
  case repositoryAt(CatalogedRelease)
  /// From staging alone, at this release.
  case staging(CatalogedRelease)
}
