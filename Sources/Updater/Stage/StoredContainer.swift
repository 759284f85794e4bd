internal import Catalog
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

  func isComplete(in staging: borrowing Staging) throws(Failure) -> Bool {
    try staging.storedContainer(container.head) == container.size
  }

  /// Calls `body` with the bytes from `offset` on, piece by piece.
  func read(
    from offset: UInt64, in staging: borrowing Staging, _ body: (RawSpan) throws(Failure) -> Void
  ) throws(Failure) {
    var reader = try ContainerReader(container.head, size: container.size, from: offset, in: staging)
    while try reader.next() {
      try heartbeat.throwIfStopped()
      try body(reader.bytes)
    }
  }

  /// Downloads it without a look at its content; true if a part of it was there.
  @discardableResult
  func download(
    to staging: borrowing LockedStaging, from repository: Repository
  ) throws(Failure) -> Bool {
    let part = try staging.openContainerPart(container.head)
    let isResumed = try part.size() > 0
    var sink = try FileSink(part)
    try repository.fetch(container.url, size: container.size, into: &sink)
    try sink.close()
    try staging.completeContainer(container.head)
    return isResumed
  }
}
