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
  private let files: StagedFile
  /// The offset in the container of the next byte that the server sends.
  private(set) var count: UInt64
  /// The container's URL, for messages.
  private let url: String
  /// The bytes that came last were refused, so that nothing can be resumed here.
  private(set) var hasRefused = false

  /// Resumes at the checkpoint that an earlier run saved, or begins at zero.
  ///
  /// - `url`: that of the container, for messages.
  init(
    _ step: PayloadStep, from url: String, old: consuming PatchBase, files: UInt64?, memory: UInt64,
    staging: borrowing LockedStaging, heartbeat: Heartbeat
  ) throws(Failure) {
    let checkpoint = try ContainerSink.checkpoint(of: step, isTree: files != nil, in: staging.reading)
    let applier = try wrap(
      delta: Applier(step.expectation, from: checkpoint, memoryLimit: memory), path: url)
    let files = try StagedFile.open(
      step, old: old, files: files, from: checkpoint, staging: staging, heartbeat: heartbeat)
    self.url = url
    self.applier = applier
    self.files = files
    count = checkpoint?.containerOffset ?? 0
  }

  /// Where the step can resume; nil if nothing usable is saved.
  ///
  /// What a torn file says of itself is not believed: each frame is authenticated, and the new file as a whole.
  static func checkpoint(
    of step: PayloadStep, isTree: Bool, in staging: borrowing Staging
  ) throws(Failure) -> Checkpoint? {
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
  }

  /// Applies the next bytes.
  mutating func write(_ bytes: RawSpan) throws(Failure) {
    // A server without range support sends again what is applied already.
    let known = Int(min(UInt64(bytes.byteCount), applier.position - min(count, applier.position)))
    if known < bytes.byteCount {
      do throws(DeltaError) { try applier.consume(bytes.extracting(known...), files: files) } catch {
        hasRefused = true
        throw Failure(error, path: url)
      }
    }
    count += UInt64(bytes.byteCount)
  }

  /// Nothing of the new file is lost: the bytes up to the applier's position are skipped.
  mutating func reset() throws(Failure) { count = 0 }

  /// Saves how far it got, if possible.
  func keep() {
    do throws(DeltaError) { try files.keep() } catch {}
  }

  /// The container has no more bytes: the new file is complete if this does not throw.
  consuming func finish() throws(Failure) {
    do throws(DeltaError) {
      try applier.finish()
      try files.close()
    } catch { throw Failure(error, path: url) }
  }
}
