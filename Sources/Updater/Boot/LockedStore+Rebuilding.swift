internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Store
internal import Trust

/// Rebuilding a lost manifest from the maps that are there.
extension LockedStore {
  /// Makes a generation out of those maps of `lost` that its release's signed catalog lists.
  ///
  /// The descriptions at the front of the files and their sizes decide here, since a start must not take minutes;
  /// `verify` reads them whole.
  func rebuild(
    _ lost: borrowing Generation, at target: CatalogedRelease, as succession: Succession
  ) throws(UpdateError) -> Readiness {
    let file = try wrap(store: lost.openCatalog())
    let reader: CatalogReader<XZSource>
    do throws(CatalogError) { reader = try CatalogReader(file) } catch { throw UpdateError(error) }
    let parts = CatalogParts(of: reading.path, installed: lost)
    var catalog: CatalogCursor
    do throws(MapTreeError) { catalog = try CatalogCursor(reader, parts: parts) } catch {
      throw UpdateError(error)
    }
    var builder = try wrap(store: beginGeneration(target, after: succession.predecessor))
    try wrap(store: builder.addCatalog(from: lost))
    try wrap(store: builder.addParts(from: lost))
    var count = 0
    // A part that is not there lists nothing that was installed.
    while let entry = try nextEntry(of: &catalog) {
      let component = InstalledComponent(entry)
      guard try lost.hasFile(of: entry, as: component) else { continue }
      try wrap(store: builder.add(component, from: lost))
      count += 1
    }
    guard count > 0 else { throw .nothingToRebuild(path: reading.path) }
    let number = builder.number
    do throws(StoreError) { try builder.finish(in: self) } catch { throw UpdateError(error) }
    try succession.record(number, in: self)
    try makeCurrent(number, of: target.release)
    return .rebuilt(target.release, components: count)
  }
}

extension Description {
  /// It is about this component, wherever that lies.
  fileprivate func isOf(_ component: ComponentName) -> Bool {
    name.id == component.id && name.dataGroup == component.dataGroup
  }
}

/// The next component of a catalog, of those parts that are on this device.
private func nextEntry(of catalog: inout CatalogCursor) throws(UpdateError) -> CatalogEntry? {
  while catalog.part != nil {
    if try !wrap(tree: catalog.enter()) { try wrap(tree: catalog.advance()) }
  }
  let entry = catalog.entry
  if entry != nil { try wrap(tree: catalog.advance()) }
  return entry
}

extension Generation {
  /// The component's file is what the catalog lists: as it says at its front, if it has one, and by its size.
  fileprivate func hasFile(
    of entry: CatalogEntry, as component: InstalledComponent
  ) throws(UpdateError) -> Bool {
    if entry.size == entry.description.dataSize { return try wrap(store: hasFile(component)) }
    let file: File
    do throws(StoreError) { file = try open(component) } catch {
      if case .file(let error) = error, error.errno.isOfAbsence { return false }
      throw UpdateError(error)
    }
    do throws(CatalogError) {
      let found = try ComponentFile.read(file)
      return found.description.isOf(entry.name) && found.description.release == entry.description.release
        && found.dataOffset + found.description.dataSize == entry.size
    } catch {
      if case .file(let error) = error { throw UpdateError(error) }
      return false
    }
  }
}

extension UpdateError {
  /// What a manifest could be rebuilt from is missing or wrong; any other error may be gone the next time.
  var isLoss: Bool {
    switch self {
    case .wrongDigest, .nothingToRebuild: true
    case .trust(let error, _): error.isLoss
    case .catalog: disposition == .contentRejected
    case .store(.file(let error)): error.errno.isOfAbsence
    case .store, .configuration, .transport, .tree, .delta, .archive, .notInBundle, .otherRelease,
      .noPackages,
      .notEmpty, .nothingToExport, .noPatch,
      .noRepository, .offline, .applicationTooOld,
      .noTrustedRoot, .noReleases, .catalogTooLarge, .notInstalled, .withheld, .outOfSpace, .outOfFiles,
      .noRoom, .noSpaceForIndex,
      .index, .budgetTooSmall, .releaseBlocked, .notOffered, .damaged, .notRepairable, .tooManyPackages,
      .cancelled, .stopped, .notDurable, .inPlaceStopped,
      .mapsShared, .noHoles, .inPlacePending, .mapsLost:
      false
    }
  }
}

extension TrustError {
  /// The metadata that was trusted last is missing or wrong.
  fileprivate var isLoss: Bool {
    switch self {
    case .noRoot, .missing, .malformed, .mismatched, .unsigned, .wrongVersion, .rolledBack, .dropped,
      .expired,
      .unlisted:
      true
    case .file, .busy, .cancelled, .notFetched, .moreRoots, .overMemory: false
    }
  }
}
