internal import Catalog
internal import Crypto
internal import DeltaApply
internal import PatchFormat
internal import Platform
internal import Store
internal import Transport

/// A container that is kept as a file in staging, so that it can be applied when there is no way back.
struct StoredContainer {
  let step: PayloadStep
  /// Bytes that applying may take.
  private let memory: UInt64
  private let heartbeat: Heartbeat

  init(_ step: PayloadStep, memory: UInt64, heartbeat: Heartbeat) {
    self.step = step
    self.memory = memory
    self.heartbeat = heartbeat
  }

  func isComplete(in staging: borrowing Staging) throws(UpdateError) -> Bool {
    try wrap(store: staging.storedContainer(step.container.head)) == step.container.size
  }

  /// Calls `body` with the bytes from `offset` on, piece by piece.
  func read(
    from offset: UInt64, in staging: borrowing Staging, _ body: (RawSpan) throws(DeltaError) -> Void
  ) throws(UpdateError) {
    let file = try wrap(store: staging.openContainer(step.container.head))
    var buffer = Buffer(count: 64 << 10)
    var offset = offset
    while offset < step.container.size {
      try heartbeat.throwIfStopped()
      let count = try StoredContainer.read(file, into: &buffer, at: offset, upTo: step.container.size)
      // A file that became shorter is not the container.
      guard count > 0 else { throw .wrongDigest(url: file.path) }
      do throws(DeltaError) { try body(buffer.bytes.extracting(first: count)) } catch {
        throw UpdateError(error, path: step.container.url)
      }
      offset += UInt64(count)
    }
  }

  private static func read(
    _ file: borrowing File, into buffer: inout Buffer, at offset: UInt64, upTo end: UInt64
  ) throws(UpdateError) -> Int {
    var bytes = buffer.mutableBytes
    let count = try wrap(file: file.read(into: &bytes, at: offset))
    return Int(min(UInt64(count), end - offset))
  }

  // MARK: - What it reads

  /// Which parts of the old file it reads up to where; every byte of it is authenticated on the way.
  ///
  /// - `block`: what the file system can give back at a time, in bytes.
  func reads(in staging: borrowing Staging, block: UInt64) throws(UpdateError) -> LastReads {
    var run = try wrap(
      delta: DryRun(step.expectation, newSize: step.target.size, memoryLimit: memory, block: block),
      path: step.container.url)
    try read(from: 0, in: staging) { (bytes) throws(DeltaError) in try run.consume(bytes) }
    do throws(DeltaError) {
      guard let reads = try run.finish() else { throw DeltaError.wrongResult(isOld: false) }
      return reads
    } catch { throw UpdateError(error, path: step.container.url) }
  }

  /// Downloads it; the next call resumes what was interrupted.
  func fetch(
    to staging: borrowing LockedStaging, from repository: Repository, block: UInt64
  ) throws(UpdateError) -> LastReads {
    if try isComplete(in: staging.reading) {
      do throws(UpdateError) { return try reads(in: staging.reading, block: block) } catch {
        guard error.disposition == .contentRejected else { throw error }
        try wrap(store: staging.removeContainer(step.container.head))
      }
    }
    let isResumed = try download(to: staging, from: repository)
    do throws(UpdateError) { return try reads(in: staging.reading, block: block) } catch {
      guard error.disposition == .contentRejected else { throw error }
      try wrap(store: staging.removeContainer(step.container.head))
      // Power loss can leave a partial download that has the right length and the wrong bytes.
      guard isResumed || repository.leaveServer(because: error) else { throw error }
      return try fetch(to: staging, from: repository, block: block)
    }
  }

  /// Downloads it without a look at its content; true if a part of it was there.
  @discardableResult
  func download(
    to staging: borrowing LockedStaging, from repository: Repository
  ) throws(UpdateError) -> Bool {
    let part = try wrap(store: staging.openContainerPart(step.container.head))
    let isResumed = try wrap(file: part.size()) > 0
    var sink: FileSink
    do throws(FileError) { sink = try FileSink(part) } catch { throw UpdateError(error) }
    try repository.fetch(step.container.url, size: step.container.size, into: &sink)
    do throws(FileError) { try sink.close() } catch { throw UpdateError(error) }
    try wrap(store: staging.completeContainer(step.container.head))
    return isResumed
  }
}
