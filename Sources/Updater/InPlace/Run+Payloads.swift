internal import Catalog
internal import DeltaApply
internal import InPlace
internal import MapModel
internal import MapTree
internal import Platform
internal import Store

/// The first step of an update in place: nothing of the maps is changed.
extension Run {
  /// Stores every payload in staging, authenticated, and writes down what is to become of each component.
  mutating func storePayloads(
    _ plan: Plan, in store: borrowing LockedStore
  ) throws(Failure) -> InPlaceDraft {
    var journal = try JournalWriter(in: store, target: target, parts: parts)
    var walk = try walk(store.reading)
    var waiting = plan.fetched
    let before = stager.repository.downloaded
    defer { figures.fetched += stager.repository.downloaded - before }
    while let step = try walk.next(from: generation) {
      try heartbeat.throwIfStopped()
      if case .link(_, let component) = step {
        try stageInstalled(component, in: store.staging)
      }
      if let entry = JournalEntry(step) { try journal.add(entry) }
      guard case .fetch(let entry, let base) = step else { continue }
      waiting -= 1
      if refusals.has(entry.name.id) { continue }
      let unanswered = stager.repository.unanswered
      do throws(Failure) {
        try journal.add(storePayload(entry, from: base, in: store.staging, waiting: waiting))
      } catch { try note(error, of: entry, since: unanswered, in: store.staging) }
      figures.sample(try space(store.reading).available)
    }
    return try journal.finish()
  }

  /// Stores the cheapest payload of one component; where one of its containers is lost or wrong, the next one.
  ///
  /// Only a file of the current generation is replaced in place, so that nothing can start from one that is lost.
  private mutating func storePayload(
    _ entry: CatalogEntry, from found: InstalledBase, in staging: borrowing LockedStaging, waiting: Int
  ) throws(Failure) -> JournalEntry {
    let installed = found.replaced
    try stager.find(entry, installed: installed, in: staging.reading)
    let base = found.lost == nil ? try usableBase(found, for: entry, in: staging.reading).current : nil
    let isElsewhere = installed.map { $0.name != entry.name } ?? false
    var denial: Failure?
    while true {
      let options = stager.options(for: entry, installed: base)
      let payload = try stager.payload(for: entry, options: options, in: staging.reading)
      try stager.check(
        payload, of: entry, options: options, isInstalled: replaces(installed), after: denial)
      let present = try stager.share(of: entry, by: payload, in: staging.reading).fetched
      events.begin(entry.name, by: payload, present: present, waiting: waiting)
      do throws(Failure) {
        // What is made from a file of another name is made while that is still there.
        let steps = isElsewhere ? [] : payload.steps(to: entry)
        var peak = ConsumingPeak(
          try staging.space(), given: payload.base == nil ? installed?.size ?? 0 : 0)
        if steps.isEmpty {
          try stager.stage(entry, by: payload, base: generation, in: staging, present: present)
        }
        for step in steps {
          peak.add(step, reads: try stager.store(step, in: staging))
          events.advance(by: step.container.size)
        }
        events.publish(.component(entry.name, .staged(payload, size: entry.size, waiting: waiting)))
        return JournalEntry(
          making: InstalledComponent(entry), by: steps, insteadOf: isElsewhere ? nil : installed,
          extra: peak.bytes)
      } catch {
        switch stager.fault(error, of: payload.steps(to: entry)) {
        case .lost(let container):
          guard try stager.repository.isServed() else { throw error }
          events.publish(.notice(.notServed(url: container.url)))
          denial = error
          stager.skip(container)
        case .unusable(let container):
          events.publish(.notice(.unusable(url: container.url)))
          stager.exclude(container, in: staging)
        case .altered, .none: throw error
        }
      }
    }
  }
}

extension Run {
  /// Gives an installed file a name in staging, before the one that it has may go.
  private func stageInstalled(
    _ component: InstalledComponent, in staging: borrowing LockedStaging
  ) throws(Failure) {
    guard try !staging.reading.isComplete(component.digest, size: component.size) else { return }
    try generation.link(component, to: staging.reading)
  }
}

extension JournalEntry {
  /// What becomes of an installed component that nothing is downloaded for; nil if there is none.
  init?(_ step: PlanStep) {
    switch step {
    case .keep(let entry, let component): self.init(keeping: component, as: InstalledComponent(entry))
    case .remove(let component), .withdraw(let component): self.init(removing: component)
    // Its file is in staging, for as long as the old name may go.
    case .link(let entry, _):
      self.init(making: InstalledComponent(entry), by: [], insteadOf: nil, extra: 0)
    case .ignore, .fetch: return nil
    }
  }
}

extension Stager {
  /// Has a container stored that is what the publisher signed; the next call resumes what was interrupted.
  ///
  /// - Returns: what it reads of what it is applied to.
  func store(
    _ step: PayloadStep, in staging: borrowing LockedStaging
  ) throws(Failure) -> LastReads {
    let stored = StoredContainer(step.container, heartbeat: heartbeat)
    if try stored.isComplete(in: staging.reading) {
      if let reads = try intactReads(of: step, in: staging, orThrow: { _ in false }) { return reads }
    }
    while true {
      let isResumed = try stored.download(to: staging, from: repository)
      // Power loss can leave a partial download that has the right length and the wrong bytes.
      let reads = try intactReads(of: step, in: staging) { error in
        !isResumed && !repository.leaveServer(because: error)
      }
      if let reads { return reads }
    }
  }

  /// Nil if the container is not what the publisher signed, unless `isFinal` says that there is no better one; it is
  /// removed.
  private func intactReads(
    of step: PayloadStep, in staging: borrowing LockedStaging, orThrow isFinal: (Failure) -> Bool
  ) throws(Failure) -> LastReads? {
    let block = try staging.space().block
    do throws(Failure) {
      return try staging.reading.reads(
        of: step, memory: memory, block: block, shouldStop: heartbeat.shouldStop)
    } catch {
      let error = repository.showing(error)
      guard error.disposition == .contentRejected else { throw error }
      try staging.removeContainer(step.container.head)
      if isFinal(error) { throw error }
      return nil
    }
  }
}
