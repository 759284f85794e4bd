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
  ) throws(Failure) -> Readiness {
    let file = try lost.openCatalog()
    let reader: CatalogReader<XZSource>
    do throws(CatalogError) { reader = try CatalogReader(file) } catch { throw Failure(error) }
    let parts = CatalogParts(of: reading.path, installed: lost)
    let catalog = try CatalogCursor.open(reader, parts: parts)
    var builder = try beginGeneration(target, after: succession.predecessor)
    try builder.addCatalog(from: lost)
    try builder.addParts(from: lost)
    var count = 0
    // A part that is not there lists nothing that was installed.
    while let entry = try nextEntry(of: catalog) {
      let component = InstalledComponent(entry)
      guard try lost.hasFile(of: entry, as: component) else { continue }
      try builder.add(component, from: lost)
      count += 1
    }
    guard count > 0 else { throw .nothingToRebuild(path: reading.path) }
    let number = builder.number
    try builder.finish(in: self)
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
private func nextEntry(of catalog: CatalogCursor) throws(Failure) -> CatalogEntry? {
  while catalog.part != nil {
    if try !catalog.enter() { try catalog.advance() }
  }
  let entry = catalog.entry
  if entry != nil { try catalog.advance() }
  return entry
}

extension Generation {
  /// The component's file is what the catalog lists: as it says at its front, if it has one, and by its size.
  fileprivate func hasFile(
    of entry: CatalogEntry, as component: InstalledComponent
  ) throws(Failure) -> Bool {
    if entry.size == entry.description.dataSize { return try hasFile(component) }
    let file: File
    do throws(Failure) { file = try open(component) } catch {
      if case .file(let error) = error, error.errno.isOfAbsence { return false }
      throw error
    }
    do throws(CatalogError) {
      let found = try ComponentFile.read(file)
      return found.description.isOf(entry.name) && found.description.release == entry.description.release
        && found.dataOffset + found.description.dataSize == entry.size
    } catch {
      if case .file(let failure) = error { throw failure }
      return false
    }
  }
}
