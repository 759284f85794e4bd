internal import Catalog
internal import Crypto
internal import DeltaApply
internal import InPlace
internal import PatchFormat
internal import Platform
internal import Store
internal import Transport

/// Applies a container while it is downloaded: each frame is authenticated, decoded, executed and then dropped.
struct ContainerSink: ByteSink, ~Copyable {
  private var applier: Applier
  private var files: StagedFile
  /// The offset in the container of the next byte that the server sends.
  private(set) var count: UInt64
  /// Why bytes were refused.
  private(set) var failure: DeltaError?

  /// Resumes at the checkpoint that an earlier run saved, or begins at zero.
  init(
    _ step: PayloadStep, old: consuming PatchBase, files: UInt64?, memory: UInt64,
    staging: borrowing LockedStaging, heartbeat: Heartbeat
  ) throws(UpdateError) {
    let checkpoint = try ContainerSink.checkpoint(of: step, isTree: files != nil, in: staging.reading)
    let container = step.container
    let applier = try wrap(
      delta: Applier(step.expectation, from: checkpoint, memoryLimit: memory), path: container.url)
    let files = try StagedFile(
      step, old: old, files: files, from: checkpoint, staging: staging, heartbeat: heartbeat)
    self.applier = applier
    self.files = files
    count = checkpoint?.containerOffset ?? 0
  }

  /// Where the step can resume; nil if nothing usable is saved.
  ///
  /// What a torn file says of itself is not believed: each frame is authenticated, and the new file as a whole.
  static func checkpoint(
    of step: PayloadStep, isTree: Bool, in staging: borrowing Staging
  ) throws(UpdateError) -> Checkpoint? {
    do throws(StoreError) {
      guard let note = try staging.checkpoint(step.target.digest) else { return nil }
      let bytes = note.span.bytes
      guard bytes.byteCount == Digest.size + Checkpoint.encodedSize,
        Digest(bytes.extracting(0..<Digest.size)) == step.container.head,
        let point = Checkpoint(parsing: bytes.extracting(Digest.size...)),
        point.containerOffset <= step.container.size, point.completed <= step.target.size,
        try staging.hasPart(step.target.digest, isTree: isTree),
        isTree ? true : point.completed <= (try staging.stored(step.target.digest))
      else { return nil }
      return point
    } catch { throw UpdateError(error) }
  }

  /// Applies the next bytes.
  mutating func apply(_ bytes: RawSpan) throws(DeltaError) {
    do throws(DeltaError) { try applier.consume(bytes, files: &files) } catch {
      failure = error
      throw error
    }
    count += UInt64(bytes.byteCount)
  }

  mutating func write(_ bytes: RawSpan) throws(SinkError) {
    // A server without range support sends again what is applied already.
    let known = Int(min(UInt64(bytes.byteCount), applier.position - min(count, applier.position)))
    do throws(DeltaError) {
      if known < bytes.byteCount { try applier.consume(bytes.extracting(known...), files: &files) }
    } catch {
      failure = error
      if case .file(let error) = error { throw .file(error) }
      throw .rejected
    }
    count += UInt64(bytes.byteCount)
  }

  /// Nothing of the new file is lost: the bytes up to the applier's position are skipped.
  mutating func reset() throws(SinkError) { count = 0 }

  /// Saves how far it got, if possible.
  mutating func keep() {
    do throws(DeltaError) { try files.keep() } catch {}
  }

  /// The container has no more bytes: the new file is complete if this does not throw.
  consuming func finish() throws(DeltaError) {
    try applier.finish()
    try files.close()
  }
}
