internal import Catalog
internal import Crypto
internal import DeltaApply
internal import InPlace
internal import PatchFormat
internal import Platform
internal import Store

/// The file that a container makes in staging, and the one that it is made from.
final class StagedFile: PatchFiles {
  private let base: PatchBase
  private var output: PatchOutput
  private let heartbeat: Heartbeat
  private let record: CheckpointFile
  private let head: Digest
  /// The last checkpoint, if it is not saved yet.
  private var latest: Checkpoint?
  /// Bytes of the new file that the saved checkpoint covers, or that are not worth one.
  private var saved: UInt64

  /// Cuts the new file back to `checkpoint`, and reserves its space.
  ///
  /// - `files`: how many files the new component has, whose space is not reserved: most of them may be linked.
  static func open(
    _ step: PayloadStep, old: consuming PatchBase, files: UInt64?, from checkpoint: Checkpoint?,
    staging: borrowing LockedStaging, heartbeat: Heartbeat
  ) throws(Failure) -> StagedFile {
    let target = step.target
    let completed = checkpoint?.completed ?? 0
    let record = try staging.checkpointFile(target.digest)
    // A checkpoint of another container must not outlive the bytes that it is about.
    if checkpoint == nil { try record.remove() }
    let output: PatchOutput
    if let files {
      let tree = old.tree
      do throws(Failure) {
        output = PatchOutput(
          try staging.openTree(
            target.digest, size: target.size, files: files, completed: completed, base: tree))
      } catch {
        guard error.isOfWrongFront else { throw error }
        // What an earlier run has left is torn.
        throw .wrongDigest(url: step.container.url)
      }
    } else {
      let new = try staging.openPart(target.digest)
      try new.truncate(to: completed)
      do throws(Failure) { try new.reserve(target.size) } catch { throw error.beforeWriting }
      output = PatchOutput(new)
    }
    return StagedFile(
      old, output, heartbeat: heartbeat, record: record, head: step.container.head, saved: completed)
  }

  private init(
    _ base: consuming PatchBase, _ output: consuming PatchOutput, heartbeat: Heartbeat,
    record: consuming CheckpointFile, head: Digest, saved: UInt64
  ) {
    self.base = base
    self.output = output
    self.heartbeat = heartbeat
    self.record = record
    self.head = head
    self.saved = saved
  }

  func readOld(into buffer: inout MutableRawSpan, at offset: UInt64) throws(DeltaError) -> Int {
    try base.read(into: &buffer, at: offset)
  }

  func readNew(into buffer: inout MutableRawSpan, at offset: UInt64) throws(DeltaError) -> Int {
    try output.read(into: &buffer, at: offset)
  }

  func write(_ bytes: RawSpan, at offset: UInt64) throws(DeltaError) {
    try output.write(bytes, at: offset)
    if heartbeat.shouldStopWithinCall() { throw .cancelled }
  }

  func reached(_ checkpoint: Checkpoint) throws(DeltaError) {
    latest = checkpoint
    if checkpoint.completed >= saved + UpdateLimits.checkpointInterval { try keep() }
  }

  /// Flushes the new file up to the last checkpoint, and then saves that.
  func keep() throws(DeltaError) {
    guard let point = latest, point.completed > saved else { return }
    try output.synchronizeData()
    var note: [UInt8] = []
    for index in 0..<Digest.size { note.append(head.bytes[index]) }
    do throws(HasherError) { note += try point.encoded() } catch { throw .hashing }
    do throws(Failure) { try record.write(note) } catch { throw .file(error) }
    saved = point.completed
  }

  func close() throws(DeltaError) {
    try output.close()
  }
}
