internal import Catalog
package import MapModel
internal import MapTree
package import Platform
internal import Store
internal import Trust

/// A store that is filled before its device runs: in a factory, or at the first start.
extension Updater {
  /// Installs packages of a bundle in a store that has none, all that are complete in it unless `ids` says which.
  ///
  /// Nothing of it depends on the time or the machine: the same bundle and ids give the same files. One that was
  /// interrupted is resumed; one that is done stays as it is.
  package func provision(_ ids: [PackageID]) throws(Failure) -> Outcome {
    let store = try openStore()
    // Tells other processes that a catalog is in use.
    let worker = try OperationQueue(making: configuration.root).beginWork()
    defer { withExtendedLifetime(worker) {} }
    let installed = try store.reading.currentRelease()
    let newest = try newestUsable(try learn(installed))
    if let installed, installed.catalog != newest.catalog {
      throw .otherRelease(
        installed.release.text, bundle: newest.release.text, path: configuration.source)
    }
    let wanted = try ids.isEmpty ? completePackages() : ids
    guard !wanted.isEmpty else { throw .noPackages(path: configuration.source) }
    let outcome = try carryOut(.install(wanted), in: store, staged: .removable).result.get()
    removeUnreferencedFiles(store, staged: .removable)
    return outcome
  }

  /// The packages of the newest release of a bundle whose payloads are all in it; a region where that is so for all
  /// of its packages.
  func completePackages() throws(Failure) -> [PackageID] {
    let newest = try newestUsable(try learn(nil))
    try fetchCatalog(newest, for: .bundled)
    let store = try Store(opening: configuration.root)
    let groups = try store.dataGroups()
    let current = try store.current()
    let reader = try store.openCatalog(newest, from: current)
    let parts = store.catalogParts(from: current)
    let catalog = try CatalogCursor.open(reader, parts: parts)
    var complete = CompletePackages()
    while true {
      if let part = catalog.part {
        if try catalog.enter() { continue }
        // What is not listed is not there either.
        complete.add(part.first, isComplete: false)
        complete.add(part.last, isComplete: false)
        try catalog.advance()
        continue
      }
      guard let entry = catalog.entry else { break }
      try catalog.advance()
      guard groups.isSelected(entry.name.dataGroup) else { continue }
      complete.add(
        entry.name.id, isComplete: try repository.hasFull(entry, memory: configuration.containerMemory))
    }
    guard let ids = complete.finish() else {
      throw .tooManyPackages(path: configuration.source, limit: UpdateLimits.identifiers)
    }
    return ids
  }
}

extension Configuration {
  /// What a store is filled with from `bundle`, wherever and whenever that happens.
  package func provisioning(from bundle: String) -> Configuration {
    var factory = self
    factory.bundle = bundle
    factory.expiry = .factory
    // The maps are there from the first start, whatever an index command makes of them, and at once.
    factory.index.command = nil
    return factory
  }
}

extension Repository {
  /// A bundle has the full payload of a component.
  fileprivate func hasFull(_ entry: CatalogEntry, memory: UInt64) throws(Failure) -> Bool {
    let options = PayloadOptions(entry, installed: nil, memory: memory, without: absentContainers(of: entry))
    switch options.full {
    case .whole(let url, _): return try bundle?.has(url) ?? false
    case .packed(let container): return try bundle?.has(container.url) ?? false
    case .patch, .chain, .staged: return false
    }
  }
}
