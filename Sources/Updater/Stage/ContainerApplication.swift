internal import Catalog
internal import Codec
internal import DeltaApply
internal import InPlace
internal import Platform
internal import Store

/// One container that is downloaded, applied on the way, and leaves its file complete in staging.
///
/// One that is kept in staging is read from there. Where downloads are limited, each one is kept until it is applied:
/// applying resumes at sections, which may be longer than what a run can download.
struct ContainerApplication {
  private let step: PayloadStep
  /// How many files the component that it makes has; nil: it is one.
  private let files: UInt64?
  /// Bytes that applying may take.
  private let memory: UInt64
  private let repository: Repository
  private let events: ActivityPublisher
  private let heartbeat: Heartbeat

  init(
    _ step: PayloadStep, files: UInt64?, memory: UInt64, repository: Repository, events: ActivityPublisher,
    heartbeat: Heartbeat
  ) {
    self.step = step
    self.files = files
    self.memory = memory
    self.repository = repository
    self.events = events
    self.heartbeat = heartbeat
  }

  /// Makes the file; one that is rejected leaves nothing that the next run would resume.
  func run(base generation: borrowing Generation?, in staging: borrowing LockedStaging) throws(UpdateError) {
    do throws(UpdateError) { try apply(generation, in: staging) } catch {
      if error.disposition == .contentRejected {
        try wrap(store: staging.removePart(step.target.digest))
        try removeStored(staging)
      }
      throw error
    }
    try staging.complete(
      step.target.digest, size: step.target.size, isTree: files != nil,
      from: repository.shown(step.container.url),
      heartbeat: heartbeat)
    try removeStored(staging)
  }

  /// Removes the container, if it was stored for this application alone.
  private func removeStored(_ staging: borrowing LockedStaging) throws(UpdateError) {
    guard try wrap(store: staging.reading.storedContainer(step.container.head)) != nil else { return }
    try wrap(store: staging.removeContainer(step.container.head))
  }

  private func apply(
    _ generation: borrowing Generation?, in staging: borrowing LockedStaging
  ) throws(UpdateError) {
    let url = repository.shown(step.container.url)
    let stored = StoredContainer(step.container, heartbeat: heartbeat)
    if repository.isLimited, try !stored.isComplete(in: staging.reading) {
      try stored.download(to: staging, from: repository)
    }
    let isStored = try stored.isComplete(in: staging.reading)
    let old = try openBase(generation, in: staging)
    var sink = try ContainerSink(
      step, old: old, files: files, memory: memory, staging: staging, heartbeat: heartbeat)
    do throws(UpdateError) {
      if isStored {
        try stored.read(from: sink.count, in: staging.reading) { (bytes) throws(DeltaError) in
          try sink.apply(bytes)
        }
      } else {
        try repository.fetch(step.container.url, size: step.container.size, into: &sink)
      }
    } catch {
      let cause = sink.failure.map { UpdateError($0, path: url) } ?? error
      // A user who cancels does not wait for the disk; an operation that waits again resumes here.
      let isResumable =
        cause == .cancelled ? heartbeat.stopReason?.isResumed ?? false : sink.failure == nil
      if isResumable { sink.keep() }
      throw cause
    }
    do throws(DeltaError) { try sink.finish() } catch { throw UpdateError(error, path: url) }
  }

  private func openBase(
    _ generation: borrowing Generation?, in staging: borrowing LockedStaging
  ) throws(UpdateError) -> PatchBase {
    switch step.base {
    case .nothing: return PatchBase()
    case .made(let before):
      if let tree = try wrap(store: staging.reading.openTree(before.digest, size: before.size)) {
        return PatchBase(tree)
      }
      return PatchBase(try wrap(store: staging.reading.open(before.digest)))
    case .installed(let base):
      switch generation {
      case .some(let generation):
        if base.isTree { return PatchBase(try wrap(store: generation.openTree(base))) }
        return PatchBase(try wrap(store: generation.open(base)))
      case .none: return PatchBase()
      }
    }
  }
}
