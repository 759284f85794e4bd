internal import Catalog
internal import Crypto
internal import DeltaApply
internal import MapTree
internal import PatchFormat
internal import Platform
internal import Store
internal import Transport

/// Applies a container while it comes: each frame is authenticated, decoded and executed, and kept nowhere.
struct ContainerSink: ByteSink, ~Copyable {
  private var applier: Applier
  private var files: StagedFile
  /// Where in the container the next byte stands that the server sends.
  private(set) var count: UInt64
  /// Why bytes were refused.
  private(set) var failure: DeltaError?

  /// Goes on at the restart point that an earlier run has noted, or begins anew.
  init(
    _ step: PayloadStep, old: consuming File?, memory: UInt64, _ staging: borrowing Staging,
    _ heartbeat: Heartbeat
  ) throws(UpdateError) {
    let point = try ContainerSink.checkpoint(step, staging)
    let oldSize: UInt64 =
      switch step.base {
      case .nothing: 0
      case .made(let before): before.size
      case .installed(let base): base.size
      }
    let container = step.container
    let expectation = PatchExpectation(
      head: container.head, containerSize: container.size, oldSize: oldSize, newSize: step.target.size)
    let applier = try wrap(delta: Applier(expectation, from: point, memoryLimit: memory), path: container.url)
    let files = try StagedFile(step, old: old, from: point, staging, heartbeat)
    self.applier = applier
    self.files = files
    count = point?.containerOffset ?? 0
  }

  /// Where the step can go on; nil if nothing usable is noted.
  ///
  /// What a file that was torn says of itself is not believed: each frame is checked, and the new file as a whole.
  static func checkpoint(
    _ step: PayloadStep, _ staging: borrowing Staging
  ) throws(UpdateError) -> Checkpoint? {
    do throws(StoreError) {
      guard let note = try staging.restartRecord(step.target.digest).read() else { return nil }
      let bytes = note.span.bytes
      guard bytes.byteCount == Digest.size + Checkpoint.encodedSize,
        Digest(bytes.extracting(0..<Digest.size)) == step.container.head,
        let point = Checkpoint(parsing: bytes.extracting(Digest.size...)),
        point.containerOffset <= step.container.size, point.completed <= step.target.size,
        point.completed <= (try staging.stored(step.target.digest))
      else { return nil }
      return point
    } catch { throw UpdateError(error) }
  }

  mutating func write(_ bytes: RawSpan) throws(SinkError) {
    // A server that knows no ranges sends again what is applied already.
    let known = Int(min(UInt64(bytes.byteCount), applier.position - min(count, applier.position)))
    do throws(DeltaError) {
      if known < bytes.byteCount { try applier.consume(bytes.extracting(known...), &files) }
    } catch {
      failure = error
      if case .file(let error) = error { throw .file(error) }
      throw .rejected
    }
    count += UInt64(bytes.byteCount)
  }

  /// Nothing of the new file is lost: the bytes up to where the applier stands are passed over.
  mutating func restart() throws(SinkError) { count = 0 }

  /// Notes how far it came, as well as can be.
  mutating func keep() {
    do throws(DeltaError) { try files.keep() } catch {}
  }

  /// Says that the container has no more bytes; the new file is complete if this does not throw.
  consuming func finish() throws(DeltaError) {
    try applier.finish()
    try files.close()
  }
}

/// The file that a container makes in staging, and the one that it is made from.
struct StagedFile: PatchFiles, ~Copyable {
  private var files: LocalPatchFiles
  private let record: RestartRecord
  private let head: Digest
  /// The last restart point, if it is not noted yet.
  private var latest: Checkpoint?
  /// Bytes of the new file that the noted restart point has, or that are not worth a note.
  private var noted: UInt64

  /// Cuts the new file back to `point`, and takes its space from the file system.
  init(
    _ step: PayloadStep, old: consuming File?, from point: Checkpoint?, _ staging: borrowing Staging,
    _ heartbeat: Heartbeat
  ) throws(UpdateError) {
    let target = step.target
    let completed = point?.completed ?? 0
    let record = try wrap(store: staging.restartRecord(target.digest))
    // A note of another container must not outlive the bytes that it is about.
    if point == nil { try wrap(store: record.remove()) }
    let new = try wrap(store: staging.openPart(target.digest))
    do throws(FileError) {
      try new.truncate(to: completed)
      try new.reserve(target.size)
    } catch { throw UpdateError(error) }
    files = LocalPatchFiles(old: old, new: new) { _ in !heartbeat.shouldStop() }
    self.record = record
    head = step.container.head
    noted = completed
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

  mutating func reached(_ point: Checkpoint) throws(DeltaError) {
    latest = point
    if point.completed >= noted + Limits.restartInterval { try keep() }
  }

  /// Brings the new file to the medium up to the last restart point, and then a note of it.
  mutating func keep() throws(DeltaError) {
    guard let point = latest, point.completed > noted else { return }
    do throws(FileError) { try files.new.synchronizeData() } catch { throw .file(error) }
    var note: [UInt8] = []
    for index in 0..<Digest.size { note.append(head.bytes[index]) }
    do throws(HasherError) { note += try point.encoded() } catch { throw .hashing }
    do throws(StoreError) { try record.write(note) } catch {
      if case .file(let error) = error { throw .file(error) }
      throw .hashing
    }
    noted = point.completed
  }

  consuming func close() throws(DeltaError) {
    try files.close()
  }
}
