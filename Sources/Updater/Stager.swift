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

  /// Adds what `payload` will take to the plan.
  func count(
    _ entry: CatalogEntry, _ payload: Payload, _ staging: borrowing Staging, in plan: inout Plan
  ) throws(UpdateError) {
    do throws(StoreError) {
      let stored = try staging.stored(entry.digest)
      let storedContainer = try payload.container.map { (container) throws(StoreError) in
        try staging.stored(container.head)
      }
      plan.fetch(entry, payload, stored: stored, storedContainer: storedContainer ?? 0)
    } catch { throw .store(error) }
  }

  /// Fetches the component and leaves it in staging, on the medium and read back from it.
  ///
  /// A patch is fetched whole and applied then. An interruption leaves `.part` files that the next
  /// call goes on with; what the power has torn of them shows in the end, and is fetched again once.
  func stage(
    _ entry: CatalogEntry, _ payload: Payload, base generation: borrowing Generation?,
    _ staging: borrowing Staging, _ repository: inout Repository, _ observer: inout some UpdateObserver
  ) throws(UpdateError) {
    let isResumed = try hasBeginning(entry, payload, staging)
    do throws(UpdateError) {
      return try stageOnce(entry, payload, base: generation, staging, &repository, &observer)
    } catch {
      guard isResumed, ExitStatus(error) == .rejected else { throw error }
    }
    do throws(StoreError) {
      try staging.remove(entry.digest)
      if let container = payload.container { try staging.remove(container.head) }
    } catch { throw .store(error) }
    try stageOnce(entry, payload, base: generation, staging, &repository, &observer)
  }

  private func hasBeginning(
    _ entry: CatalogEntry, _ payload: Payload, _ staging: borrowing Staging
  ) throws(UpdateError) -> Bool {
    do throws(StoreError) {
      if try staging.stored(entry.digest) > 0 { return true }
      guard let container = payload.container else { return false }
      return try staging.stored(container.head) > 0
    } catch { throw .store(error) }
  }

  private func stageOnce(
    _ entry: CatalogEntry, _ payload: Payload, base generation: borrowing Generation?,
    _ staging: borrowing Staging, _ repository: inout Repository, _ observer: inout some UpdateObserver
  ) throws(UpdateError) {
    switch payload {
    case .staged: return
    case .whole(let url, let size):
      let part = try storing { () throws(StoreError) in try staging.openPart(entry.digest) }
      try repository.fetch(url, size: size, into: part, &observer)
    case .packed(let container), .patch(let container, _):
      try fetch(container, staging, &repository, &observer)
      try apply(container, payload, base: generation, to: entry, staging)
      do throws(StoreError) { try staging.remove(container.head) } catch { throw .store(error) }
    }
    do throws(StoreError) { try staging.complete(entry.digest, size: entry.size) } catch {
      if case .wrongDigest = error { throw .wrongDigest(url: repository.url(payload.url)) }
      throw error == .cancelled ? .cancelled : .store(error)
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
    do throws(DeltaError) {
      // What an earlier run wrote may not have reached the medium; if so, the digest of the whole tells.
      let completed = try stored(output)
      let head = try applyPatch(
        from: patch, expectedHead: container.head, old: old, into: output, completed: completed,
        memoryLimit: memory) { _ in !Interruption.isRequested }
      guard head.new.digest == entry.digest else { throw .wrongHead }
    } catch {
      switch error {
      case .cancelled: throw .cancelled
      case .file(let error): throw .store(.file(error))
      default: throw .delta(error, path: container.url)
      }
    }
  }

  private func stored(_ file: borrowing File) throws(DeltaError) -> UInt64 {
    do throws(FileError) { return try file.size() } catch { throw .file(error) }
  }

  private func openBase(_ payload: Payload, _ generation: borrowing Generation?) throws(UpdateError) -> File? {
    guard case .patch(_, let base) = payload else { return nil }
    switch generation {
    case .some(let generation):
      do throws(StoreError) { return try generation.open(base) } catch { throw .store(error) }
    case .none: return nil
    }
  }
}

extension Payload {
  /// Where it lies in the repository.
  fileprivate var url: String {
    switch self {
    case .staged: ""
    case .patch(let container, _), .packed(let container): container.url
    case .whole(let url, _): url
    }
  }
}
