internal import Catalog
internal import InPlace
internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// Writes the status of a store.
struct StatusView: ~Copyable {
  private let store: Store
  private let settings: TrialSettings
  private let terms: ReleaseTerms
  private let storage: (used: UInt64, limit: UInt64)?
  private let area: AreaState?
  private let confinement: [Confinement.Measure]?
  private let console: Console

  init(
    _ store: consuming Store, trial: TrialSettings, terms: ReleaseTerms,
    storage: (used: UInt64, limit: UInt64)?, area: AreaState?, confinement: [Confinement.Measure]?,
    console: Console
  ) {
    self.store = store
    settings = trial
    self.terms = terms
    self.storage = storage
    self.area = area
    self.confinement = confinement
    self.console = console
  }

  func write() throws(Failure) {
    let installed = try store.currentRelease()?.release
    let generation = try store.currentGeneration()
    let files = try VerificationFiles(opening: store.path)
    let verification = try files.record()
    let (components, size, indexSize, damaged) = try sums(try files.damage())
    var last: HistoryEntry?
    try History(opening: store.path).forEachEntry { last = $0 }
    let staged = try store.staging.size()
    let previous = try previousRelease()
    let known = try knownRelease()
    let pending = try pendingUpdate()
    let record = store.trialRecord()
    let (waiting, running) = try queue()
    let standby = try StandbyState(store)
    let refused = try store.refusedPackages().all
    let trial = settings.isOn ? record.trial(of: try store.currentGeneration()) : nil
    // What is installed all the same was named by a user.
    let blocked = record.blocked.filter { $0.release.number > installed?.number ?? 0 }
    console.emit("status") { json in
      if let installed { json.add("release", installed.json) }
      json.add("components", components)
      json.add("installedSize", size)
      json.add("indexSize", indexSize)
      json.add("damaged", damaged)
      if let verification {
        json.add("verification", verification.json(isCurrent: generation == verification.generation))
      }
      json.add("staged", staged)
      if let storage {
        json.add("storage", storage.used)
        json.add("storageLimit", storage.limit)
      }
      if let area { json.add("area", area.json) }
      if let previous { json.add("previous", previous.json) }
      if let standby { json.add("standby", standby.json) }
      if let target = pending?.target { json.add("inPlace", target.release.json) }
      if let running { json.add("running", running.json) }
      if !waiting.isEmpty { json.add("waiting", waiting.map { $0.json }) }
      if let trial {
        var state = JSON()
        state.add("starts", trial.starts)
        state.add("limit", settings.starts)
        json.add("trial", state)
      }
      if !blocked.isEmpty { json.add("blocked", blocked.map { $0.json }) }
      if !refused.isEmpty { json.add("refused", refused.map { $0.statusJSON }) }
      if !terms.recalled.isEmpty { json.add("recalled", terms.recalled.map { $0.json }) }
      if let expires = terms.expires {
        json.add("expires", Clock.timestamp(expires))
        json.add("expired", terms.isExpired)
      }
      if let known { json.add("newest", known.newest.release.json) }
      if let announced = known?.announced {
        var release = announced.release.json
        release.add("minimumApplication", announced.minimumApplication)
        json.add("applicationTooOld", release)
      }
      if let last { json.add("lastRun", last.json) }
      if let confinement { json.add("confinement", confinement.map { $0.word }) }
    }
    console.say(installed?.text ?? "nothing is installed")
    if let expires = terms.expires {
      console.say(
        terms.isExpired
          ? "expired     since \(Clock.timestamp(expires)): these maps are not to be used any more"
          : "expires     at \(Clock.timestamp(expires))")
    }
    if let newest = known?.newest.release, newest.number > installed?.number ?? 0 {
      console.say("newest      \(newest.text)")
    }
    if let announced = known?.announced { console.say("application \(announced.sentence)") }
    if let pending {
      let target = pending.target?.release.text ?? "another release"
      console.say("in place    \(target) is being made: what changes is not there until it is done")
    }
    if let standby { console.say("standby     \(standby.text); \(standby.advice)") }
    if let running { console.say("running     \(running.sentence)") }
    for queued in waiting { console.say("waiting     \(queued.sentence)") }
    console.say("installed   \(components) components, \(ByteCount(size).text)")
    if let storage {
      console.say("storage     \(ByteCount(storage.used).text) of \(ByteCount(storage.limit).text)")
    }
    if let area { console.say("area        \(area.sentence)") }
    if indexSize > 0 { console.say("indexes     \(ByteCount(indexSize).text)") }
    if damaged > 0 {
      console.say("damaged     \(damaged) component\(damaged == 1 ? "" : "s"); run \"tinyupdater repair\"")
    }
    if let verification {
      let isCurrent = verification.generation == generation
      console.say(
        "verified    \(isCurrent ? sentence(verification, of: components) : "not since the last change")")
    }
    console.say("rollback    \(previous.map { "to \($0.text)" } ?? "no previous generation")")
    if let trial {
      console.say("trial       \(trial.starts) of \(settings.starts) starts, until \"tinyupdater confirm\"")
    }
    for release in blocked { console.say("blocked     \(release.release.text): \(release.reason.sentence)") }
    for release in terms.recalled { console.say("recalled    \(release.release.text): \(release.reason)") }
    for refusal in refused { console.say("refused     \(refusal.sentence)") }
    console.say("staging     \(staged == 0 ? "empty" : ByteCount(staged).text)")
    if let last {
      console.say(
        "last run    \(last.command) at \(Clock.timestamp(last.time)): \(last.result), "
          + "\(ByteCount(last.downloaded).text) downloaded, \(last.milliseconds) ms, "
          + "peak memory \(ByteCount(last.peakResident).text)")
    }
    if let confinement { console.say(confinement.row) }
  }

  /// The update in place that is under way.
  private func pendingUpdate() throws(Failure) -> InPlaceState? {
    do throws(Failure) { return try InPlaceState(of: store) } catch {
      if case .badManifest = error { return nil }
      throw error
    }
  }

  /// The newest release that the last check found.
  private func knownRelease() throws(Failure) -> KnownRelease? {
    switch try CatalogCache.open(store.path) {
    case .some(let cache): return try cache.known()
    case .none: return nil
    }
  }

  /// Such as "3 of 12 components, last at 2024-06-30T12:00:00Z".
  private func sentence(_ record: VerificationRecord, of components: Int) -> String {
    let count = record.isComplete ? "all" : "\(record.components) of \(components)"
    return "\(count) components, last at \(Clock.timestamp(record.latest))"
  }

  /// How many components, their bytes, those of their indexes, and how many components are known to be damaged.
  private func sums(_ damage: DamageNote) throws(Failure) -> (Int, UInt64, UInt64, Int) {
    var (count, size, indexSize, damaged) = (0, UInt64(0), UInt64(0), 0)
    let generation = try store.current()
    guard var manifest = try generation.components() else { return (0, 0, 0, 0) }
    while let component = try manifest.next() {
      count += 1
      size = size.saturatingSum(component.size)
      if damage.part(component, in: generation.number) != nil { damaged += 1 }
      indexSize = indexSize.saturatingSum(component.index?.size ?? 0)
    }
    return (count, size, indexSize, damaged)
  }

  /// The operations of the queue that wait, and the one that a process carries out.
  private func queue() throws(Failure) -> ([QueuedOperation], RunningOperation?) {
    switch try OperationQueue.open(store.path) {
    case .some(let queue):
      let operations = try queue.operations()
      guard let active = try queue.active() else { return (operations, nil) }
      let running = operations.first { $0.number == active.number }
      return (
        operations.filter { $0.number != active.number },
        running.map { RunningOperation(operation: $0, active: active) }
      )
    case .none: return ([], nil)
    }
  }

  private func previousRelease() throws(Failure) -> Release? {
    guard let generation = try store.previous() else { return nil }
    return try generation.manifest().release.release
  }
}

extension VerificationRecord {
  fileprivate func json(isCurrent: Bool) -> JSON {
    var json = JSON()
    json.add("time", Clock.timestamp(latest))
    json.add("components", components)
    json.add("complete", isComplete)
    json.add("current", isCurrent)
    return json
  }
}

/// An operation that a process carries out, and how far it is.
private struct RunningOperation {
  let operation: QueuedOperation
  let active: ActiveOperation

  var json: JSON {
    var json = operation.json
    json.add("process", active.process)
    if active.total > 0 {
      json.add("done", active.done)
      json.add("total", active.total)
    }
    return json
  }

  /// Such as "apply, process 4711: europe/malta base downloading, 1.20 of 3.99 MB".
  var sentence: String {
    var text = "\(operation.sentence), process \(active.process)"
    if let component = active.components.first {
      text += ": \(component.name.path) \(component.activity.word)"
    }
    if active.total > 0 { text += ", \(ByteCount(active.done).text) of \(ByteCount(active.total).text)" }
    return text
  }
}

extension QueuedOperation {
  fileprivate var json: JSON {
    var json = JSON()
    json.add("operation", number)
    operation.write(to: &json)
    return json
  }

  /// Such as "install europe/malta, europe/latvia".
  fileprivate var sentence: String {
    let ids = operation.ids
    guard !ids.isEmpty else { return operation.word }
    return "\(operation.word) \(ids.firstOnes)"
  }
}
