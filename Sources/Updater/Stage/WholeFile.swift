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
  ) throws(Failure) {
    // Power loss can leave a partial download that has the right length and the wrong bytes; on its way a file can be
    // altered once.
    let isPartial = try staging.reading.stored(digest) > 0 && files == nil
    var isTriedAgain = isPartial || repository.isRemote
    while true {
      do throws(Failure) {
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
  ) throws(Failure) {
    do throws(Failure) {
      try fetch(staging, from: repository, events: events, heartbeat: heartbeat)
    } catch {
      guard error.disposition == .contentRejected else { throw error }
      try staging.removePart(digest)
      throw error
    }
  }

  private func fetch(
    _ staging: borrowing LockedStaging, from repository: Repository, events: ActivityPublisher,
    heartbeat: Heartbeat
  ) throws(Failure) {
    if let files {
      // Its files are written as it comes, from its beginning: nothing says how far an earlier run came.
      let writer = try staging.openTree(digest, size: size, files: files, completed: 0, base: nil)
      var sink = TreeSink(writer, from: repository.shown(url))
      try repository.fetch(url, size: size, into: &sink)
      return try staging.complete(
        digest, size: size, isTree: true, from: repository.shown(url), heartbeat: heartbeat)
    }
    let part = try staging.openPart(digest)
    do throws(Failure) { try part.reserve(size) } catch { throw error.beforeWriting }
    var sink = try FileSink(part)
    try repository.fetch(url, size: size, into: &sink)
    try sink.close()
    try staging.complete(
      digest, size: size, from: repository.shown(url), heartbeat: heartbeat)
  }
}

extension LockedStaging {
  /// Completes a partial download; the error for a wrong digest names the URL that the bytes came from.
  func complete(
    _ digest: Digest, size: UInt64, isTree: Bool = false, from url: String, heartbeat: Heartbeat
  ) throws(Failure) {
    do throws(Failure) {
      if isTree { return try completeTree(digest, size: size, shouldStop: heartbeat.shouldStop) }
      try complete(digest, size: size, shouldStop: heartbeat.shouldStop)
    } catch {
      if case .wrongContent = error { throw .wrongDigest(url: url) }
      throw error
    }
  }
}

/// A sink at the files of a component that has many.
private struct TreeSink: ByteSink, ~Copyable {
  private let writer: TreeWriter
  /// Where the bytes come from.
  private let url: String
  private(set) var count: UInt64 = 0

  init(_ writer: TreeWriter, from url: String) {
    self.writer = writer
    self.url = url
  }

  mutating func write(_ bytes: RawSpan) throws(Failure) {
    do throws(Failure) { try writer.write(bytes, at: count) } catch {
      throw error.isOfWrongFront ? .refusedBody(url: url) : error
    }
    count += UInt64(bytes.byteCount)
  }

  mutating func reset() throws(Failure) {
    try writer.restart()
    count = 0
  }
}

extension Failure {
  /// What the front of a component says cannot be: a number that is wrong, or two names that need one place.
  var isOfWrongFront: Bool { errno == .invalid || errno == .notADirectory || errno == .exists }
}
