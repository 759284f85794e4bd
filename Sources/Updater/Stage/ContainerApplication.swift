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
  func run(base generation: borrowing Generation, in staging: borrowing LockedStaging) throws(Failure) {
    do throws(Failure) { try apply(generation, in: staging) } catch {
      if error.disposition == .contentRejected {
        try staging.removePart(step.target.digest)
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
  private func removeStored(_ staging: borrowing LockedStaging) throws(Failure) {
    guard try staging.reading.storedContainer(step.container.head) != nil else { return }
    try staging.removeContainer(step.container.head)
  }

  private func apply(
    _ generation: borrowing Generation, in staging: borrowing LockedStaging
  ) throws(Failure) {
    let url = repository.shown(step.container.url)
    let stored = StoredContainer(step.container, heartbeat: heartbeat)
    if repository.isLimited, try !stored.isComplete(in: staging.reading) {
      try stored.download(to: staging, from: repository)
    }
    let isStored = try stored.isComplete(in: staging.reading)
    let old = try openBase(generation, in: staging)
    var sink = try ContainerSink(
      step, from: url, old: old, files: files, memory: memory, staging: staging, heartbeat: heartbeat)
    do throws(Failure) {
      if isStored {
        try stored.read(from: sink.count, in: staging.reading) { (bytes) throws(Failure) in
          try sink.write(bytes)
        }
      } else {
        try repository.fetch(step.container.url, size: step.container.size, into: &sink)
      }
    } catch {
      // A user who cancels does not wait for the disk; an operation that waits again resumes here.
      let isResumable =
        error.isCancelled ? heartbeat.stopReason?.isResumed ?? false : !sink.hasRefused
      if isResumable { sink.keep() }
      throw error
    }
    try sink.finish()
  }

  private func openBase(
    _ generation: borrowing Generation, in staging: borrowing LockedStaging
  ) throws(Failure) -> PatchBase {
    switch step.base {
    case .nothing: return PatchBase()
    case .made(let before):
      if let tree = try staging.reading.openTree(before.digest, size: before.size) {
        return PatchBase(tree)
      }
      return PatchBase(try staging.reading.open(before.digest))
    case .installed(let base):
      if generation.isEmpty { return PatchBase() }
      if base.isTree { return PatchBase(try generation.openTree(base)) }
      return PatchBase(try generation.open(base))
    }
  }
}
