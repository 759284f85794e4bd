internal import Catalog
internal import Crypto
internal import DeltaApply
internal import PatchFormat
internal import Platform
internal import Store

/// The file that a container makes in staging, and the one that it is made from.
struct StagedFile: PatchFiles, ~Copyable {
  private var files: LocalPatchFiles
  private let record: CheckpointFile
  private let head: Digest
  /// The last checkpoint, if it is not saved yet.
  private var latest: Checkpoint?
  /// Bytes of the new file that the saved checkpoint covers, or that are not worth one.
  private var saved: UInt64
  /// The file that it is made from, if that is given back piece by piece.
  private var consumed: ConsumedFile?

  /// Cuts the new file back to `checkpoint`, and reserves its space.
  init(
    _ step: PayloadStep, old: consuming File?, consuming consumed: consuming ConsumedFile?,
    from checkpoint: Checkpoint?, staging: borrowing LockedStaging, heartbeat: Heartbeat
  ) throws(UpdateError) {
    let isConsuming = consumed != nil
    let target = step.target
    let completed = checkpoint?.completed ?? 0
    // The run before may have ended between its checkpoint and this.
    if completed > 0 { try wrap(store: consumed?.giveBack(at: completed)) }
    let record = try wrap(store: staging.checkpointFile(target.digest))
    // A checkpoint of another container must not outlive the bytes that it is about.
    if checkpoint == nil { try wrap(store: record.remove()) }
    let new = try wrap(store: staging.openPart(target.digest))
    do throws(FileError) {
      try new.truncate(to: completed)
      // In place, there is room for all of it only when the old file is gone.
      if !isConsuming { try new.reserve(target.size) }
    } catch { throw UpdateError(error) }
    files = LocalPatchFiles(old: old, new: new) { _ in !heartbeat.shouldStopWithinCall() }
    self.record = record
    head = step.container.head
    saved = completed
    self.consumed = consumed
  }

  mutating func readOld(into buffer: inout MutableRawSpan, at offset: UInt64) throws(DeltaError) -> Int {
    try files.readOld(into: &buffer, at: offset)
  }

  mutating func readNew(into buffer: inout MutableRawSpan, at offset: UInt64) throws(DeltaError) -> Int {
    try files.readNew(into: &buffer, at: offset)
  }

  mutating func write(_ bytes: RawSpan, at offset: UInt64) throws(DeltaError) {
    try files.write(bytes, at: offset)
  }

  mutating func reached(_ checkpoint: Checkpoint) throws(DeltaError) {
    latest = checkpoint
    if checkpoint.completed >= saved + UpdateLimits.checkpointInterval { try keep() }
  }

  /// Flushes the new file up to the last checkpoint, and then saves that.
  mutating func keep() throws(DeltaError) {
    guard let point = latest, point.completed > saved else { return }
    try files.synchronizeData()
    var note: [UInt8] = []
    for index in 0..<Digest.size { note.append(head.bytes[index]) }
    do throws(HasherError) { note += try point.encoded() } catch { throw .hashing }
    do throws(StoreError) { try record.write(note) } catch {
      if case .file(let error) = error { throw .file(error) }
      throw .hashing
    }
    // What is resumed has durable names (3.4 of `docs/design.md`, In place).
    try giveBack(at: point.completed, isFirst: saved == 0)
    saved = point.completed
  }

  /// Gives back what nothing after the saved checkpoint reads: 4.3 of `docs/design.md`, In place.
  private mutating func giveBack(at completed: UInt64, isFirst: Bool) throws(DeltaError) {
    guard consumed != nil else { return }
    do throws(StoreError) {
      if isFirst { try record.synchronizeNames() }
      // swift-format-ignore: NeverForceUnwrap
      try consumed!.giveBack(at: completed)
    } catch {
      if case .file(let error) = error { throw .file(error) }
      throw .hashing
    }
  }

  consuming func close() throws(DeltaError) {
    try files.close()
  }
}
