internal import Crypto
internal import Platform
internal import Store
internal import Transport

/// A file of the repository that is downloaded as it is.
struct WholeFile {
  /// Relative to the repository.
  let url: String
  let size: UInt64
  let digest: Digest
  /// How many files the component consists of, as the catalog says; nil: it is a single file.
  var files: UInt64?

  /// Fetches it to staging, and reads it back.
  func stage(
    in staging: borrowing LockedStaging, from repository: Repository, events: ActivityPublisher,
    heartbeat: Heartbeat
  ) throws(UpdateError) {
    // Power loss can leave a partial download that has the right length and the wrong bytes; on its way a file can be
    // altered once.
    let isPartial = try wrap(store: staging.reading.stored(digest) > 0) && files == nil
    var isTriedAgain = isPartial || repository.isRemote
    while true {
      do throws(UpdateError) {
        return try fetchOrRemove(staging, from: repository, events: events, heartbeat: heartbeat)
      } catch {
        guard error.disposition == .contentRejected, isTriedAgain || repository.leaveServer(because: error)
        else { throw error }
        isTriedAgain = !isTriedAgain
        events.publish(.notice(isPartial ? .startedAgain(url: url) : .downloadedAgain(url: url)))
      }
    }
  }

  /// Leaves nothing of a file that is rejected: the next run must not append to it.
  private func fetchOrRemove(
    _ staging: borrowing LockedStaging, from repository: Repository, events: ActivityPublisher,
    heartbeat: Heartbeat
  ) throws(UpdateError) {
    do throws(UpdateError) {
      try fetch(staging, from: repository, events: events, heartbeat: heartbeat)
    } catch {
      guard error.disposition == .contentRejected else { throw error }
      try wrap(store: staging.removePart(digest))
      throw error
    }
  }

  private func fetch(
    _ staging: borrowing LockedStaging, from repository: Repository, events: ActivityPublisher,
    heartbeat: Heartbeat
  ) throws(UpdateError) {
    if let files {
      // Its files are written as it comes, from its beginning: nothing says how far an earlier run came.
      let writer = try wrap(
        store: staging.openTree(digest, size: size, files: files, completed: 0, base: nil))
      var sink = TreeSink(writer)
      try repository.fetch(url, size: size, into: &sink)
      return try staging.complete(
        digest, size: size, isTree: true, from: repository.shown(url), heartbeat: heartbeat)
    }
    let part = try wrap(store: staging.openPart(digest))
    do throws(FileError) { try part.reserve(size) } catch { throw UpdateError(reserving: error) }
    var sink: FileSink
    do throws(FileError) { sink = try FileSink(part) } catch { throw UpdateError(error) }
    try repository.fetch(url, size: size, into: &sink)
    do throws(FileError) { try sink.close() } catch { throw UpdateError(error) }
    try staging.complete(
      digest, size: size, from: repository.shown(url), heartbeat: heartbeat)
  }
}

extension LockedStaging {
  /// Completes a partial download; the error for a wrong digest names the URL that the bytes came from.
  func complete(
    _ digest: Digest, size: UInt64, isTree: Bool = false, from url: String, heartbeat: Heartbeat
  ) throws(UpdateError) {
    do throws(StoreError) {
      if isTree { return try completeTree(digest, size: size, shouldStop: heartbeat.shouldStop) }
      try complete(digest, size: size, shouldStop: heartbeat.shouldStop)
    } catch {
      if case .wrongDigest = error { throw .wrongDigest(url: url) }
      throw UpdateError(error)
    }
  }
}

/// A sink at the files of a component that has many.
private struct TreeSink: ByteSink, ~Copyable {
  private let writer: TreeWriter
  private(set) var count: UInt64 = 0

  init(_ writer: TreeWriter) { self.writer = writer }

  mutating func write(_ bytes: RawSpan) throws(SinkError) {
    do throws(FileError) { try writer.write(bytes, at: count) } catch {
      if error.isOfWrongFront { throw .rejected }
      throw .file(error)
    }
    count += UInt64(bytes.byteCount)
  }

  mutating func reset() throws(SinkError) {
    do throws(FileError) { try writer.restart() } catch { throw .file(error) }
    count = 0
  }
}

extension FileError {
  /// What the front of a component says cannot be: a number that is wrong, or two names that need one place.
  var isOfWrongFront: Bool { errno == .invalid || errno == .notADirectory || errno == .exists }
}
