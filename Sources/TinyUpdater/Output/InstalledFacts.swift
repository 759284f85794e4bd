internal import InPlace
internal import MapModel
internal import Platform
internal import Store
internal import Updater

/// What a store has: the maps, what is kept for others, and the queue.
struct InstalledFacts {
  let release: Release?
  /// How many components are installed, their bytes, those of their indexes, and how many are known to be damaged.
  let components: Int
  let size: UInt64
  let indexSize: UInt64
  let damaged: Int
  let verification: VerificationRecord?
  /// The verification is of the current generation.
  let isVerificationCurrent: Bool
  /// Bytes in staging.
  let staged: UInt64
  /// Bytes that the file system has available.
  let free: UInt64
  /// The release to which a rollback returns.
  let previous: Release?
  let standby: StandbyState?
  /// The update in place that is under way.
  let pending: InPlaceState?
  /// Starts of the release on trial, and how many there may be; nil: none is on trial.
  let trial: (starts: UInt64, limit: UInt64)?
  let blocked: [BlockedRelease]
  /// What the server does not give to this device.
  let refused: [RefusedPackages.Refusal]
  /// What came because of the place of the device.
  let area: AreaRecord
  let waiting: [QueuedOperation]
  let running: RunningOperation?
}

extension InstalledFacts {
  init(_ store: borrowing Store, trial settings: TrialSettings) throws(Failure) {
    let release = try store.currentRelease()?.release
    let generation = try store.currentGeneration()
    let files = try VerificationFiles(opening: store.path)
    let verification = try files.record()
    (components, size, indexSize, damaged) = try InstalledFacts.sums(store, try files.damage())
    staged = try store.staging.size()
    free = try store.space().available
    previous = try InstalledFacts.previousRelease(store)
    pending = try InstalledFacts.pendingUpdate(store)
    let record = store.trialRecord()
    (waiting, running) = try InstalledFacts.queue(of: store.path)
    standby = try StandbyState(store)
    refused = try store.refusedPackages().all
    area = store.shownAreaRecord()
    let trial = settings.isOn ? record.trial(of: generation) : nil
    self.trial = trial.map { ($0.starts, settings.starts) }
    // What is installed all the same was named by a user.
    blocked = record.blocked.filter { $0.release.number > release?.number ?? 0 }
    isVerificationCurrent = verification?.generation == generation
    self.release = release
    self.verification = verification
  }

  private static func pendingUpdate(_ store: borrowing Store) throws(Failure) -> InPlaceState? {
    do throws(Failure) { return try InPlaceState(of: store) } catch {
      if case .badManifest = error { return nil }
      throw error
    }
  }

  private static func sums(
    _ store: borrowing Store, _ damage: DamageNote
  ) throws(Failure) -> (Int, UInt64, UInt64, Int) {
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
  static func queue(of root: String) throws(Failure) -> ([QueuedOperation], RunningOperation?) {
    switch try OperationQueue.open(root) {
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

  private static func previousRelease(_ store: borrowing Store) throws(Failure) -> Release? {
    guard let generation = try store.previous() else { return nil }
    return try generation.manifest().release.release
  }
}

/// An operation that a process carries out, and how far it is.
struct RunningOperation {
  let operation: QueuedOperation
  let active: ActiveOperation
}
