package import Catalog
internal import Crypto
internal import DeltaApply
internal import Platform
package import Store

/// Brings components to staging, one after the other, each complete and verified.
package struct Stager {
  /// Bytes that applying a container may take.
  private let memory: UInt64

  package init(budget: UInt64) { memory = budget - min(budget, Limits.ownMemory) }

  /// The cheapest payload for `entry`, given what staging holds already.
  package func payload(
    _ entry: CatalogEntry, installed: InstalledComponent?, _ staging: borrowing Staging
  ) throws(UpdateError) -> Payload {
    do throws(StoreError) {
      if try staging.isComplete(entry.digest, size: entry.size) { return .staged }
    } catch { throw .store(error) }
    return .choose(entry, installed: installed, memory: memory)
  }

  /// Where the full payload that this device would choose for a new component lies in a repository.
  func chosenPath(_ entry: CatalogEntry) -> String {
    Payload.choose(entry, installed: nil, memory: memory).container?.url ?? entry.url
  }

  /// Adds what `payload` will take to the plan.
  func count(
    _ entry: CatalogEntry, _ payload: Payload, _ staging: borrowing Staging, in plan: inout Plan
  ) throws(UpdateError) {
    do throws(StoreError) {
      let stored = try staging.stored(entry.digest)
      let storedContainer = try payload.container.map { (container) throws(StoreError) in
        try staging.stored(container.head)
      }
      let storedIndex = try staging.storedIndex(entry.digest)
      plan.fetch(
        entry, payload, stored: stored, storedContainer: storedContainer ?? 0, storedIndex: storedIndex ?? 0)
    } catch { throw .store(error) }
  }

  /// Fetches the component and leaves it in staging, on the medium and read back from it.
  ///
  /// A patch is fetched whole and applied then. An interruption leaves `.part` files that the next
  /// call goes on with.
  func stage(
    _ entry: CatalogEntry, _ payload: Payload, base generation: borrowing Generation?,
    _ staging: borrowing Staging, _ repository: inout Repository, _ observer: inout some UpdateObserver
  ) throws(UpdateError) {
    switch payload {
    case .staged: return
    case .whole(let url, let size):
      let file = WholeFile(url: url, size: size, digest: entry.digest)
      try stage(file, staging, &repository, &observer)
    case .packed(let container), .patch(let container, _):
      let hasContainer = try hasBeginning(container.head, staging)
      let hasFile = try hasBeginning(entry.digest, staging)
      do throws(UpdateError) {
        try unpack(container, payload, base: generation, to: entry, staging, &repository, &observer)
      } catch {
        guard hasContainer || hasFile, ExitStatus(error) == .rejected else { throw error }
        observer.noticed(.startedAgain(url: container.url))
        try forget([container.head, entry.digest], staging)
        try unpack(container, payload, base: generation, to: entry, staging, &repository, &observer)
      }
    }
  }

  /// Fetches a file as it is, and reads it back.
  func stage(
    _ file: WholeFile, _ staging: borrowing Staging, _ repository: inout Repository,
    _ observer: inout some UpdateObserver
  ) throws(UpdateError) {
    let hasBeginning = try hasBeginning(file.digest, staging)
    do throws(UpdateError) { try fetch(file, staging, &repository, &observer) } catch {
      // Power loss can leave a beginning that has the right length and the wrong bytes.
      guard hasBeginning, ExitStatus(error) == .rejected else { throw error }
      observer.noticed(.startedAgain(url: file.url))
      try forget([file.digest], staging)
      try fetch(file, staging, &repository, &observer)
    }
  }

  private func fetch(
    _ file: WholeFile, _ staging: borrowing Staging, _ repository: inout Repository,
    _ observer: inout some UpdateObserver
  ) throws(UpdateError) {
    let part = try storing { () throws(StoreError) in try staging.openPart(file.digest) }
    try repository.fetch(file.url, size: file.size, into: part, &observer)
    try complete(file.digest, size: file.size, from: try repository.url(file.url), staging)
  }

  private func unpack(
    _ container: Container, _ payload: Payload, base generation: borrowing Generation?,
    to entry: CatalogEntry,
    _ staging: borrowing Staging, _ repository: inout Repository, _ observer: inout some UpdateObserver
  ) throws(UpdateError) {
    try fetch(container, staging, &repository, &observer)
    try apply(container, payload, base: generation, to: entry, staging)
    try complete(entry.digest, size: entry.size, from: try repository.url(container.url), staging)
    try forget([container.head], staging)
  }

  private func complete(
    _ digest: Digest, size: UInt64, from url: String, _ staging: borrowing Staging
  ) throws(UpdateError) {
    do throws(StoreError) { try staging.complete(digest, size: size) } catch {
      if case .wrongDigest = error { throw .wrongDigest(url: url) }
      throw error == .cancelled ? .cancelled : .store(error)
    }
  }

  private func hasBeginning(_ digest: Digest, _ staging: borrowing Staging) throws(UpdateError) -> Bool {
    do throws(StoreError) { return try staging.stored(digest) > 0 } catch { throw .store(error) }
  }

  private func forget(_ digests: [Digest], _ staging: borrowing Staging) throws(UpdateError) {
    do throws(StoreError) { for digest in digests { try staging.remove(digest) } } catch {
      throw .store(error)
    }
  }

  private func fetch(
    _ container: Container, _ staging: borrowing Staging, _ repository: inout Repository,
    _ observer: inout some UpdateObserver
  ) throws(UpdateError) {
    do throws(StoreError) {
      if try staging.isComplete(container.head, size: container.size) { return }
    } catch { throw .store(error) }
    let part = try storing { () throws(StoreError) in try staging.openPart(container.head) }
    try repository.fetch(container.url, size: container.size, into: part, &observer)
    // Not read back: every frame is checked when it is used.
    do throws(StoreError) { try staging.keepPart(container.head) } catch { throw .store(error) }
  }

  private func apply(
    _ container: Container, _ payload: Payload, base generation: borrowing Generation?,
    to entry: CatalogEntry, _ staging: borrowing Staging
  ) throws(UpdateError) {
    let patch = try storing { () throws(StoreError) in try staging.open(container.head) }
    let old = try openBase(payload, generation)
    let output = try storing { () throws(StoreError) in try staging.openPart(entry.digest) }
    do throws(FileError) { try output.truncate(to: 0) } catch { throw .store(.file(error)) }
    var files = LocalPatchFiles(old: old, new: output) { _ in !Interruption.isRequested }
    let expectation = PatchExpectation(
      head: container.head, containerSize: container.size, oldSize: payload.base?.size ?? 0,
      newSize: entry.size)
    do throws(DeltaError) {
      _ = try applyPatch(from: patch, expectation, &files, memoryLimit: memory)
    } catch {
      switch error {
      case .cancelled: throw .cancelled
      case .file(let error): throw .store(.file(error))
      default: throw .delta(error, path: container.url)
      }
    }
  }

  private func openBase(_ payload: Payload, _ generation: borrowing Generation?) throws(UpdateError) -> File?
  {
    guard let base = payload.base else { return nil }
    switch generation {
    case .some(let generation):
      do throws(StoreError) { return try generation.open(base) } catch { throw .store(error) }
    case .none: return nil
    }
  }
}

/// A file of the repository that is its own digest's.
struct WholeFile {
  /// Relative to the repository.
  let url: String
  let size: UInt64
  let digest: Digest
}
