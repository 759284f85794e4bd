internal import Catalog
internal import InPlace
internal import MapModel
internal import MapTree
internal import Platform
internal import Store

/// An update in place, up to where there is no way back (`docs/design.md`, In place).
extension Run {
  /// Makes sure that what is to be made of the stored payloads fits, and takes over the maps that change.
  mutating func beginInPlace(
    _ draft: borrowing InPlaceDraft, in store: borrowing LockedStore
  ) throws(Failure) {
    let peak = try makeRoom(for: draft, in: store)
    figures.plan?.takePeak(inPlace: peak)
    try heartbeat.throwIfStopped()
    try heartbeat.uninterrupted { () throws(Failure) in try takeOver(draft, in: store) }
  }

  private func takeOver(
    _ draft: borrowing InPlaceDraft, in store: borrowing LockedStore
  ) throws(Failure) {
    let (target, heartbeat) = (target, heartbeat)
    let parts = store.reading.catalogParts(from: generation)
    try draft.takeOver(
      generation, in: store, from: parts,
      linkCatalog: { (files) throws(Failure) in
        try store.reading.linkCatalog(of: target, to: files)
      },
      // Nothing else stops it, but readers may take a while to let go.
      shouldStop: { StopSignal.isRaised || heartbeat.shouldStop() })
  }
}

extension Store {
  /// Gives the catalog of a release that is known a name among `files`.
  func linkCatalog(of target: CatalogedRelease, to files: borrowing Staging) throws(Failure) {
    switch try CatalogCache.open(path) {
    case .some(let cache): try cache.files.link(target.catalog.digest, to: files)
    case .none: throw .noStore(path: "\(path)/catalogs")
    }
  }
}
