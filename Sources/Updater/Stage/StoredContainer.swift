internal import Catalog
internal import DeltaApply
internal import Platform
internal import Store
internal import Transport

/// A container that is kept as a file in staging until it is applied.
struct StoredContainer {
  let container: Container
  private let heartbeat: Heartbeat

  init(_ container: Container, heartbeat: Heartbeat) {
    self.container = container
    self.heartbeat = heartbeat
  }

  func isComplete(in staging: borrowing Staging) throws(UpdateError) -> Bool {
    try wrap(store: staging.storedContainer(container.head)) == container.size
  }

  /// Calls `body` with the bytes from `offset` on, piece by piece.
  func read(
    from offset: UInt64, in staging: borrowing Staging, _ body: (RawSpan) throws(DeltaError) -> Void
  ) throws(UpdateError) {
    var reader = try wrap(
      store: ContainerReader(container.head, size: container.size, from: offset, in: staging))
    while try wrap(store: reader.next()) {
      try heartbeat.throwIfStopped()
      do throws(DeltaError) { try body(reader.bytes) } catch {
        throw UpdateError(error, path: container.url)
      }
    }
  }

  /// Downloads it without a look at its content; true if a part of it was there.
  @discardableResult
  func download(
    to staging: borrowing LockedStaging, from repository: Repository
  ) throws(UpdateError) -> Bool {
    let part = try wrap(store: staging.openContainerPart(container.head))
    let isResumed = try wrap(file: part.size()) > 0
    var sink: FileSink
    do throws(FileError) { sink = try FileSink(part) } catch { throw UpdateError(error) }
    try repository.fetch(container.url, size: container.size, into: &sink)
    do throws(FileError) { try sink.close() } catch { throw UpdateError(error) }
    try wrap(store: staging.completeContainer(container.head))
    return isResumed
  }
}
