internal import InPlace
internal import MapModel
internal import Platform
internal import Store

/// What is left where an update in place has lost what it says of itself, or the server the release that it leads to.
extension Updater {
  /// Makes what is whole of the maps before current again; the download of the rest goes into the queue.
  func salvage(in store: borrowing LockedStore) throws(Failure) {
    events.publish(.notice(.inPlaceLost))
    guard let folder = try store.reading.openInPlace() else { return }
    let base = try InPlaceFolder.openBase(in: folder)
    if base.isEmpty { try returnToPrevious(in: store) } else { try rebuild(from: base, in: store) }
    try store.endInPlace()
  }

  private func rebuild(
    from base: borrowing Generation, in store: borrowing LockedStore
  ) throws(Failure) {
    guard let missing = try damagedPackages(of: base) else { return }
    try owe(missing)
    let release: Release
    var manifest = try base.manifest()
    release = manifest.release.release
    var builder = try store.beginGeneration(manifest.release, after: .nowhere)
    // A repair fetches a lost one.
    do throws(Failure) { try builder.addCatalog(from: base) } catch {
      guard case .file(let cause) = error, cause.errno.isOfAbsence else { throw error }
    }
    try builder.addParts(from: base)
    while let component = try manifest.next() {
      if !missing.contains(component.name.id) { try builder.add(component, from: base) }
    }
    let number = builder.number
    try builder.finish(in: store)
    try store.switchCurrent(to: number)
    events.publish(.changed(from: release, to: release))
  }

  /// The packages of a generation that have lost a file; nil if it is not known what it had.
  private func damagedPackages(of generation: borrowing Generation) throws(Failure) -> [PackageID]? {
    do throws(Failure) {
      var damaged: [PackageID] = []
      var manifest = try generation.manifest()
      while let component = try manifest.next() {
        if damaged.last == component.name.id { continue }
        if try !generation.isIntact(component, shouldStop: heartbeat.shouldStop) {
          damaged.append(component.name.id)
        }
      }
      return damaged
    } catch {
      guard error.isOfLostManifest else { throw error }
      return nil
    }
  }

  /// Goes back from the generation without what changes, if that is current already: nothing is consumed yet.
  private func returnToPrevious(in store: borrowing LockedStore) throws(Failure) {
    let current = try store.reading.current()
    guard let previous = try store.reading.previous(), try previous.release() == current.release(),
      try Updater.count(previous) > Updater.count(current)
    else { return }
    try store.switchCurrent(to: previous.number)
  }

  /// How many components a generation has.
  private static func count(_ generation: borrowing Generation) throws(Failure) -> Int {
    var manifest = try generation.manifest()
    var count = 0
    while try manifest.next() != nil { count += 1 }
    return count
  }
}
