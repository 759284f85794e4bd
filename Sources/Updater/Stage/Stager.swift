package import Catalog
internal import Codec
internal import Crypto
internal import DeltaApply
package import MapTree
internal import PatchFormat
internal import Platform
package import Store
internal import Transport

/// Brings components to staging, one after the other, each complete and verified.
package struct Stager {
  /// Bytes that applying a container may take.
  private let memory: UInt64
  private let heartbeat: Heartbeat
  /// Containers that were found to make another file than the catalog lists, by their heads.
  private(set) var unusable: [Digest] = []

  init(budget: UInt64, _ heartbeat: Heartbeat = Heartbeat()) {
    memory = budget - min(budget, Limits.ownMemory)
    self.heartbeat = heartbeat
  }

  // MARK: - Which way

  /// The ways in which `entry` can come to this device.
  package func ways(
    _ entry: CatalogEntry, installed: InstalledComponent?, without lost: [Container] = []
  ) -> PayloadOptions {
    PayloadOptions(entry, installed: installed, memory: memory, without: unusable + lost.map { $0.head })
  }

  /// Reads which containers earlier runs have found to be of no use.
  mutating func learn(from staging: borrowing Staging) throws(UpdateError) {
    unusable = try wrap(store: staging.unusable(limit: Limits.unusable))
  }

  /// Does not choose a container again, neither in this run nor, if that can be noted, in later ones.
  mutating func exclude(_ container: Container, _ staging: borrowing Staging) {
    unusable.append(container.head)
    do throws(StoreError) { try staging.note(unusable: container.head) } catch {}
  }

  /// The cheapest of them, given what staging holds already.
  package func payload(
    _ entry: CatalogEntry, _ ways: PayloadOptions, _ staging: borrowing Staging
  ) throws(UpdateError) -> Payload {
    let isThere = try wrap(store: staging.isComplete(entry.digest, size: entry.size))
    return isThere ? .staged : ways.cheapest
  }

  /// Where the full payload that this device would choose for a new component lies in a repository.
  func chosenPath(_ entry: CatalogEntry) -> String {
    switch ways(entry, installed: nil).full {
    case .packed(let container): container.url
    case .whole, .staged, .patch, .chain: entry.url
    }
  }

  /// What staging holds of a component that comes as `payload`.
  func share(
    _ entry: CatalogEntry, _ payload: Payload, _ staging: borrowing Staging
  ) throws(UpdateError) -> StagedShare {
    let steps = payload.steps(to: entry)
    var share = StagedShare()
    do throws(StoreError) {
      share.file = try staging.occupied(entry.digest)
      share.index = try staging.storedIndex(entry.digest) ?? 0
      if case .whole = payload { share.fetched = try staging.stored(entry.digest) }
      for step in steps.dropLast() {
        share.passing = share.passing.saturatingSum(try staging.occupied(step.target.digest))
      }
    } catch { throw UpdateError(error) }
    guard !steps.isEmpty else { return share }
    let next = try nextStep(of: steps, staging)
    share.fetched = steps[..<next].reduce(0) { $0.saturatingSum($1.container.size) }
    if next < steps.count {
      let offset = try ContainerSink.checkpoint(steps[next], staging)?.containerOffset ?? 0
      share.fetched = share.fetched.saturatingSum(offset)
    }
    return share
  }

  /// The index of the first step of which the result is not staged.
  private func nextStep(of steps: [PayloadStep], _ staging: borrowing Staging) throws(UpdateError) -> Int {
    do throws(StoreError) {
      for (index, step) in steps.enumerated().reversed()
      where try staging.isComplete(step.target.digest, size: step.target.size) {
        return index + 1
      }
    } catch { throw UpdateError(error) }
    return 0
  }

  /// The installed component that has to be right for `payload`; nil if none has to.
  func neededBase(
    _ payload: Payload, to entry: CatalogEntry, _ staging: borrowing Staging
  ) throws(UpdateError) -> InstalledComponent? {
    try nextStep(of: payload.steps(to: entry), staging) == 0 ? payload.base : nil
  }

  // MARK: - Containers

  /// Fetches the component and leaves it in staging, on the medium and read back from it.
  ///
  /// A container is applied while it comes. An interruption leaves what the next call goes on with.
  func stage(
    _ entry: CatalogEntry, _ payload: Payload, base generation: borrowing Generation?,
    _ staging: borrowing Staging, _ repository: inout Repository, _ observer: inout some UpdateObserver
  ) throws(UpdateError) {
    switch payload {
    case .staged: return
    case .whole(let url, let size):
      let file = WholeFile(url: url, size: size, digest: entry.digest)
      try stage(file, staging, &repository, &observer)
    case .packed, .patch, .chain:
      let steps = payload.steps(to: entry)
      let isResumed = try share(entry, payload, staging).fetched > 0
      do throws(UpdateError) {
        try apply(steps, base: generation, staging, &repository, &observer)
      } catch {
        guard isResumed, error.disposition == .contentRejected else { throw error }
        observer.noticed(.startedAgain(url: steps[steps.count - 1].container.url))
        try forget(entry, payload, staging)
        try apply(steps, base: generation, staging, &repository, &observer)
      }
    }
  }

  /// Removes whatever staging holds of a component that should come as `payload`.
  func forget(_ entry: CatalogEntry, _ payload: Payload, _ staging: borrowing Staging) throws(UpdateError) {
    do throws(StoreError) {
      try staging.remove(entry.digest)
      for step in payload.steps(to: entry) { try staging.remove(step.target.digest) }
    } catch { throw UpdateError(error) }
  }

  /// What is wrong with a container of a payload, so that the component has to come another way.
  enum Fault {
    /// The server does not have it, or not any more.
    case lost(Container)
    /// It is the one that the publisher has signed, and does not make the file that it should.
    case unusable(Container)
  }

  /// The fault of a container of the payload, if that is what `error` is about.
  func fault(
    _ error: UpdateError, _ entry: CatalogEntry, _ payload: Payload, _ repository: borrowing Repository
  ) throws(UpdateError) -> Fault? {
    let (url, isLost): (String, Bool)
    switch error {
    case .transport(let error):
      guard let absent = error.absentURL else { return nil }
      (url, isLost) = (absent, true)
    case .wrongDigest(let path): (url, isLost) = (path, false)
    case .delta(let error, let path) where error.isSigned: (url, isLost) = (path, false)
    default: return nil
    }
    for step in payload.steps(to: entry) where try repository.url(step.container.url) == url {
      return isLost ? .lost(step.container) : .unusable(step.container)
    }
    return nil
  }

  private func apply(
    _ steps: [PayloadStep], base generation: borrowing Generation?, _ staging: borrowing Staging,
    _ repository: inout Repository, _ observer: inout some UpdateObserver
  ) throws(UpdateError) {
    let next = try nextStep(of: steps, staging)
    for (index, step) in steps.enumerated() {
      if index >= next {
        do throws(UpdateError) {
          try apply(step, base: generation, staging, &repository, &observer)
        } catch {
          // Resuming a container that is rejected would only be rejected again.
          if error.disposition == .contentRejected {
            try wrap(store: staging.removePart(step.target.digest))
          }
          throw error
        }
        try complete(
          step.target.digest, size: step.target.size, from: try repository.url(step.container.url), staging)
        if case .made(let before) = step.base {
          try wrap(store: staging.remove(before.digest))
        }
      }
      observer.advanced(by: step.container.size)
    }
  }

  private func apply(
    _ step: PayloadStep, base generation: borrowing Generation?, _ staging: borrowing Staging,
    _ repository: inout Repository, _ observer: inout some UpdateObserver
  ) throws(UpdateError) {
    let url = try repository.url(step.container.url)
    let old = try openBase(step, generation, staging)
    var sink = try ContainerSink(step, old: old, memory: memory, staging, heartbeat)
    do throws(UpdateError) {
      try repository.fetch(step.container.url, size: step.container.size, into: &sink, &observer)
    } catch {
      // A user who cancels does not wait for the disk; what a shutdown stops resumes here.
      let isResumable = error != .cancelled || StopReason.signal() == .terminated
      if isResumable && sink.failure == nil { sink.keep() }
      if let failure = sink.failure { throw UpdateError(failure, path: url) }
      throw error
    }
    do throws(DeltaError) { try sink.finish() } catch { throw UpdateError(error, path: url) }
  }

  private func openBase(
    _ step: PayloadStep, _ generation: borrowing Generation?, _ staging: borrowing Staging
  ) throws(UpdateError) -> File? {
    do throws(StoreError) {
      switch step.base {
      case .nothing: return nil
      case .made(let before): return try staging.open(before.digest)
      case .installed(let base):
        switch generation {
        case .some(let generation): return try generation.open(base)
        case .none: return nil
        }
      }
    } catch { throw UpdateError(error) }
  }

  // MARK: - Files as they are

  /// Fetches a file as it is, and reads it back.
  func stage(
    _ file: WholeFile, _ staging: borrowing Staging, _ repository: inout Repository,
    _ observer: inout some UpdateObserver
  ) throws(UpdateError) {
    let hasBeginning = try wrap(store: staging.stored(file.digest) > 0)
    do throws(UpdateError) { try fetchWhole(file, staging, &repository, &observer) } catch {
      // Power loss can leave a beginning that has the right length and the wrong bytes.
      guard hasBeginning, error.disposition == .contentRejected else { throw error }
      observer.noticed(.startedAgain(url: file.url))
      try fetchWhole(file, staging, &repository, &observer)
    }
  }

  /// Leaves nothing of a file that is rejected: the next run must not append to it.
  private func fetchWhole(
    _ file: WholeFile, _ staging: borrowing Staging, _ repository: inout Repository,
    _ observer: inout some UpdateObserver
  ) throws(UpdateError) {
    do throws(UpdateError) { try fetch(file, staging, &repository, &observer) } catch {
      guard error.disposition == .contentRejected else { throw error }
      try wrap(store: staging.removePart(file.digest))
      throw error
    }
  }

  private func fetch(
    _ file: WholeFile, _ staging: borrowing Staging, _ repository: inout Repository,
    _ observer: inout some UpdateObserver
  ) throws(UpdateError) {
    let part = try wrap(store: staging.openPart(file.digest))
    var sink: FileSink
    do throws(FileError) {
      try part.reserve(file.size)
      sink = try FileSink(part)
    } catch { throw UpdateError(error) }
    try repository.fetch(file.url, size: file.size, into: &sink, &observer)
    do throws(FileError) { try sink.close() } catch { throw UpdateError(error) }
    try complete(file.digest, size: file.size, from: try repository.url(file.url), staging)
  }

  private func complete(
    _ digest: Digest, size: UInt64, from url: String, _ staging: borrowing Staging
  ) throws(UpdateError) {
    do throws(StoreError) { try staging.complete(digest, size: size, shouldStop: heartbeat.shouldStop) } catch
    {
      if case .wrongDigest = error { throw .wrongDigest(url: url) }
      throw UpdateError(error)
    }
  }
}

/// A file of the repository that is its own digest's.
struct WholeFile {
  /// Relative to the repository.
  let url: String
  let size: UInt64
  let digest: Digest
}

extension DeltaError {
  /// The container's bytes are those that the publisher has signed: what is wrong was wrong when it was made.
  fileprivate var isSigned: Bool {
    switch self {
    case .badHead, .wrongOldFile, .badFrame, .badSection, .badBlock, .outsideSource, .wrongResult,
      .codec(.corrupt):
      true
    case .notAPatch, .wrongHead, .overMemory, .truncated, .trailingBytes, .wrongFrame, .codec, .file,
      .hashing,
      .cancelled:
      false
    }
  }
}
