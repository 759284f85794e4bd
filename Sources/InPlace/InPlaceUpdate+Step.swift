internal import Catalog
internal import Codec
internal import Crypto
internal import DeltaApply
internal import PatchFormat
internal import Platform
internal import Store

/// Applying one stored container.
extension InPlaceUpdate {
  /// Makes the file of a step: complete, durable and verified.
  mutating func apply(
    _ step: PayloadStep, of entry: JournalEntry, _ making: Progress.Making, memory: UInt64,
    shouldStop: () -> Bool
  ) throws(Failure) {
    let making = try resumable(making, of: step)
    let work = try open(step, of: entry, making, memory: memory, shouldStop: shouldStop)
    defer { leastAvailable = min(leastAvailable, work.leastAvailable) }
    do throws(Failure) {
      try execute(step, of: entry, making, on: work, memory: memory, shouldStop: shouldStop)
    } catch {
      if error.isCancelled { work.suspend() }
      work.abandon()
      if work.isOldUnreadable { throw .baseLost }
      if work.isNewUnreadable { throw try dropNew(of: step, making.method, because: error) }
      throw try cause(error, of: step, making.method, memory: memory, shouldStop: shouldStop)
    }
    do throws(Failure) {
      try files.complete(step.target.digest, size: step.target.size, shouldStop: shouldStop)
    } catch {
      if case .wrongContent = error {
        let wrong = Failure(.wrongResult(isOld: false), path: step.container.url)
        throw try cause(wrong, of: step, making.method, memory: memory, shouldStop: shouldStop)
      }
      if case .file(let cause) = error, cause.errno == .input, try !canRead(step.target.digest, shouldStop) {
        throw try dropNew(of: step, making.method, because: error)
      }
      throw error
    }
  }

  /// What there is of a new file can be read, right or wrong: then another error was one of writing, which says nothing
  /// about it.
  private func canRead(_ digest: Digest, _ shouldStop: () -> Bool) throws(Failure) -> Bool {
    do throws(Failure) {
      _ = try Verification.digest(of: files.openPart(digest), shouldStop: shouldStop)
      return true
    } catch {
      guard case .file(let cause) = error, cause.errno == .input else { throw error }
      return false
    }
  }

  /// Removes what storage cannot read of a new file; beside the old one it is begun again by the next run.
  private func dropNew(
    of step: PayloadStep, _ method: Progress.Method, because error: Failure
  ) throws(Failure) -> Failure {
    try files.removePart(step.target.digest)
    return method == .consuming ? .baseLost : error
  }

  /// Where the step resumes: nowhere if power loss has taken the new file, which the old one is still there for.
  private func resumable(
    _ making: Progress.Making, of step: PayloadStep
  ) throws(Failure) -> Progress.Making {
    guard let checkpoint = making.checkpoint else { return making }
    let stored = try files.reading.stored(step.target.digest)
    if stored >= checkpoint.completed { return making }
    guard making.method == .beside else { throw .baseLost }
    return Progress.Making(.beside, step: making.step)
  }

  private func open(
    _ step: PayloadStep, of entry: JournalEntry, _ making: Progress.Making, memory: UInt64,
    shouldStop: () -> Bool
  ) throws(Failure) -> StepFiles {
    var consumed: ConsumedFile?
    if making.method == .consuming {
      consumed = try openConsumed(step, of: entry, memory: memory, shouldStop: shouldStop)
    }
    let old = try openBase(step.base)
    let new = try files.openPart(step.target.digest)
    try new.truncate(to: making.checkpoint?.completed ?? 0)
    switch making.method {
    case .beside: try new.reserve(step.target.size)
    case .consuming: if making.checkpoint != nil { try new.synchronizeData() }
    }
    // Parts of the old file go only when the new one has a durable name.
    if consumed != nil { try files.synchronizeNames() }
    return StepFiles(LocalPatchFiles(old: old, new: new), consuming: consumed, making, log: log)
  }

  /// Opens what a step is applied to; nil if that is nothing.
  private func openBase(_ base: PayloadStep.Base) throws(Failure) -> File? {
    try openingBase { () throws(Failure) in
      switch base {
      case .nothing: return nil
      case .made(let before): return try files.reading.open(before.digest)
      case .installed(let old):
        guard !self.base.isEmpty else { return nil }
        return try self.base.open(old)
      }
    }
  }

  /// Opens it to give it back.
  ///
  /// What has become useless goes at once: what comes before, or an old file that nothing is applied to.
  private func openConsumed(
    _ step: PayloadStep, of entry: JournalEntry, memory: UInt64, shouldStop: () -> Bool
  ) throws(Failure) -> ConsumedFile? {
    let reads = try reads(of: step, memory: memory, shouldStop: shouldStop)
    if case .installed(let old) = step.base {
      return try openingBase { () throws(Failure) in
        guard !base.isEmpty else { return nil }
        return ConsumedFile(try base.openConsumed(old), reads: reads)
      }
    }
    if let old = entry.old { try removeOld(old) }
    guard case .made(let before) = step.base else { return nil }
    return try openingBase { () throws(Failure) in
      ConsumedFile(try files.openConsumed(before.digest), reads: reads)
    }
  }

  /// What is not there to be opened is lost.
  private func openingBase<Result: ~Copyable>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(Failure) { return try body() } catch {
      if case .file(let cause) = error, cause.errno.isOfAbsence || cause.errno == .input { throw .baseLost }
      throw error
    }
  }

  /// What a stored container reads; one that is not what the publisher signed is lost.
  private func reads(
    of step: PayloadStep, memory: UInt64, shouldStop: () -> Bool
  ) throws(Failure) -> LastReads {
    do throws(Failure) {
      let block = try files.space().block
      return try files.reading.reads(of: step, memory: memory, block: block, shouldStop: shouldStop)
    } catch {
      guard error.isOfContent else { throw error }
      try files.removeContainer(step.container.head)
      throw .payloadLost(url: step.container.url)
    }
  }

  private func execute(
    _ step: PayloadStep, of entry: JournalEntry, _ making: Progress.Making, on work: StepFiles,
    memory: UInt64, shouldStop: () -> Bool
  ) throws(Failure) {
    let url = step.container.url
    var applier: Applier
    do throws(DeltaError) {
      try work.giveBack()
      applier = try Applier(step.expectation, from: making.checkpoint, memoryLimit: memory)
    } catch { throw Failure(error, path: url) }
    var container = try files.reading.open(step.container, from: making.checkpoint?.containerOffset ?? 0)
    while try container.nextPiece(of: step.container) {
      do throws(DeltaError) {
        guard !shouldStop() else { throw .cancelled }
        try applier.consume(container.bytes, files: work)
      } catch { throw Failure(error, path: url) }
    }
    do throws(DeltaError) { try applier.finish() } catch { throw Failure(error, path: url) }
  }

  // MARK: - Errors

  /// What an error says about the files: that it says nothing, or which one is lost.
  private func cause(
    _ error: Failure, of step: PayloadStep, _ method: Progress.Method, memory: UInt64,
    shouldStop: () -> Bool
  ) throws(Failure) -> Failure {
    guard error.isOfContent else { return error }
    _ = try reads(of: step, memory: memory, shouldStop: shouldStop)
    // The container is what it should be, so what it is applied to is not.
    if method == .consuming { return .baseLost }
    if case .installed(let old) = step.base, try !isIntact(old, shouldStop: shouldStop) { return .baseLost }
    return .badPayload(url: step.container.url)
  }
}

extension Failure {
  /// The container, or what it is applied to, does not have the bytes that it should have.
  fileprivate var isOfContent: Bool {
    if case .patch(_, _, let fault) = self { fault == .altered || fault == .signed } else { false }
  }
}
