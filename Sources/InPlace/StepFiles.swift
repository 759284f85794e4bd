internal import DeltaApply
internal import PatchFormat
internal import Platform
internal import Store

/// The files of a container that is applied in place: the one that it is made from, the new one, and the journal that says
/// how far it has come.
final class StepFiles: PatchFiles {
  private let files: LocalPatchFiles
  private var consumed: ConsumedFile?
  private let making: Progress.Making
  private let log: JournalLog
  /// The last checkpoint, if it is not saved yet.
  private var latest: Checkpoint?
  /// Bytes of the new file that the saved checkpoint covers.
  private(set) var saved: UInt64
  /// What the new file is made from cannot be read, or what there is of the new file.
  private(set) var (isOldUnreadable, isNewUnreadable) = (false, false)

  /// - `files`: the new one is cut back to the checkpoint of `making`; to consume the old one, its name has to be durable.
  init(
    _ files: LocalPatchFiles, consuming consumed: consuming ConsumedFile?,
    _ making: Progress.Making,
    log: JournalLog
  ) {
    self.files = files
    self.consumed = consumed
    self.making = making
    self.log = log
    saved = making.checkpoint?.completed ?? 0
  }

  var leastAvailable: UInt64 {
    switch consumed {
    case .some(let consumed): consumed.leastAvailable
    case .none: .max
    }
  }

  func readOld(into buffer: inout MutableRawSpan, at offset: UInt64) throws(DeltaError) -> Int {
    do throws(DeltaError) { return try files.readOld(into: &buffer, at: offset) } catch {
      if case .file(let cause) = error { isOldUnreadable = cause.errno?.isOfShortage != true }
      throw error
    }
  }

  func readNew(into buffer: inout MutableRawSpan, at offset: UInt64) throws(DeltaError) -> Int {
    do throws(DeltaError) { return try files.readNew(into: &buffer, at: offset) } catch {
      if case .file(let cause) = error { isNewUnreadable = cause.errno?.isOfShortage != true }
      throw error
    }
  }

  func write(_ bytes: RawSpan, at offset: UInt64) throws(DeltaError) {
    try files.write(bytes, at: offset)
  }

  func reached(_ checkpoint: Checkpoint) throws(DeltaError) {
    latest = checkpoint
    if checkpoint.completed >= saved + InPlaceLimits.checkpointInterval { try save() }
  }

  /// Saves the last checkpoint, and gives back what nothing after it reads.
  ///
  /// 1. The new file is durable up to the checkpoint.
  /// 2. So is the line of the journal.
  /// 3. Then, and not before, parts of the old file go.
  func save() throws(DeltaError) {
    guard let point = latest, point.completed > saved else { return }
    try files.synchronizeData()
    do throws(Failure) {
      try log.add(.making(Progress.Making(making.method, step: making.step, checkpoint: point)))
    } catch { throw .file(error) }
    saved = point.completed
    try giveBack()
  }

  /// The same for what was saved by an earlier process, which may have ended before it gave something back.
  func giveBack() throws(DeltaError) {
    guard consumed != nil, saved > 0 else { return }
    // An optional that cannot be copied is changed in place, or taken out and lost with an error.
    // swift-format-ignore: NeverForceUnwrap
    do throws(Failure) { try consumed!.giveBack(at: saved) } catch { throw .file(error) }
  }

  /// The step was stopped, and will be resumed: how far it came is worth saving.
  func suspend() {
    do throws(DeltaError) { try save() } catch {}
  }

  /// The step does not come to its end: nothing stays reserved.
  func abandon() {
    do throws(DeltaError) { try files.release(to: saved) } catch {}
  }
}
