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

  /// Fetches it to staging, and reads it back.
  func stage(
    in staging: borrowing LockedStaging, from repository: Repository, events: ActivityPublisher,
    heartbeat: Heartbeat
  ) throws(UpdateError) {
    // Power loss can leave a partial download that has the right length and the wrong bytes; on its way a file can be
    // altered once.
    let isPartial = try wrap(store: staging.reading.stored(digest) > 0)
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
    _ digest: Digest, size: UInt64, from url: String, heartbeat: Heartbeat
  ) throws(UpdateError) {
    do throws(StoreError) {
      try complete(digest, size: size, shouldStop: heartbeat.shouldStop)
    } catch {
      if case .wrongDigest = error { throw .wrongDigest(url: url) }
      throw UpdateError(error)
    }
  }
}
