package import Catalog
internal import Crypto
package import MapModel
internal import Platform
internal import Releases
internal import Store
internal import Trust

/// What a start of the device has found, and made of it.
package enum Readiness: Equatable {
  /// The maps are there as they were.
  case ready(Release)
  /// The maps that came with the device are installed.
  case adopted(Release)
  /// The list of the installed maps was lost, and was made again from the maps.
  case rebuilt(Release, components: Int)
  /// The list of the installed maps was lost and could not be made again: the generation before is current.
  case fellBack(Release)
  /// Nothing is installed, and nothing came with the device.
  case empty

  package var release: Release? {
    switch self {
    case .ready(let release), .adopted(let release), .rebuilt(let release, _), .fellBack(let release): release
    case .empty: nil
    }
  }
}

/// The start of a device, without a network.
extension Updater {
  /// Has the maps ready: removes what power loss left, adopts the base map where nothing is installed, and makes
  /// a lost manifest again.
  package mutating func makeReady() throws(UpdateError) -> Readiness {
    let store = try openStore()
    let isInstalled = try wrap(store: store.hasCurrent())
    guard isInstalled else { return try adopt(store) }
    let mended = try mend(store)
    guard let release = try wrap(store: store.currentRelease())?.release else {
      return mended ?? .empty
    }
    sweepInstalled(store)
    tidy(store)
    return mended ?? .ready(release)
  }

  /// Makes a lost manifest again, or goes back to a generation that is whole; nil if there is nothing to mend.
  mutating func mend(_ store: borrowing Store) throws(UpdateError) -> Readiness? {
    let isLost = try wrap(store: store.isCurrentLost())
    guard isLost else { return nil }
    do throws(UpdateError) { return try rebuild(store) } catch {
      guard error.isLoss else { throw error }
      observer.noticed(.notRebuilt(reason: error.sentence))
    }
    return try fallBack(store)
  }

  // MARK: - The base map

  /// Installs what came with the device: every package of which the base directory has all payloads.
  private mutating func adopt(_ store: borrowing Store) throws(UpdateError) -> Readiness {
    let base = configuration.base
    guard try Updater.exists(base) else { return .empty }
    var factory = configuration
    factory.repository = "file://\(base)"
    factory.expiry = .factory
    // The maps are there from the first start, whatever an index command makes of them, and at once.
    factory.index.command = nil
    var adopter = try Updater(factory, observer, heartbeat)
    let queue = try wrap(store: OperationQueue(making: configuration.root))
    let isShared = try wrap(store: !queue.operations().isEmpty)
    // Tells other processes that a catalog is in use.
    let worker = try wrap(store: queue.beginWork())
    defer { withExtendedLifetime(worker) {} }
    let ids = try adopter.packagesAtHand(base)
    guard !ids.isEmpty else { return .empty }
    defer { tidy(store, emptyingStaging: !isShared) }
    switch try adopter.run(.install(ids), store, sharesStaging: true) {
    case .changed(_, let release): return .adopted(release)
    case .nothingToDo: return .empty
    }
  }

  private static func exists(_ base: String) throws(UpdateError) -> Bool {
    do throws(FileError) {
      return try Directory(opening: base).status(of: "metadata")?.kind == .directory
    } catch {
      guard error.errno == .noEntry else { throw UpdateError(error) }
      return false
    }
  }

  /// The packages of the newest release in `base` of which all payloads are there.
  private mutating func packagesAtHand(_ base: String) throws(UpdateError) -> [String] {
    let newest = try newestUsable(try learn(nil))
    try fetchCatalog(newest)
    var catalog = try openStore(for: .read).openCatalog(newest, from: nil)
    let directory = try wrap(file: Directory(opening: base))
    var ids: [String] = []
    var last: (id: String, isComplete: Bool)?
    while true {
      let entry = try wrap(catalog: catalog.next())
      let isSame = last.map { entry?.name.id.utf8.elementsEqual($0.id.utf8) ?? false } ?? false
      if let last, !isSame, last.isComplete {
        guard ids.count < Limits.identifiers else { throw .tooManyPackages(path: base) }
        ids.append(last.id)
      }
      guard let entry else { return ids }
      let path = stager.chosenPath(entry)
      let isThere = try wrap(file: directory.status(of: path)?.kind == .file)
      last = (entry.name.id, isThere && (!isSame || last?.isComplete == true))
    }
  }

  // MARK: - A lost manifest

  /// Makes a generation out of the maps that are there: those that the release's signed catalog lists.
  ///
  /// The descriptions at the front of the files and their sizes decide here, since a start must not take minutes;
  /// `verify` reads them whole.
  private func rebuild(_ store: borrowing Store) throws(UpdateError) -> Readiness {
    guard let generation = try wrap(store: store.current()) else {
      return .empty
    }
    let target = try target(of: generation)
    let file = try wrap(store: generation.openCatalog())
    var catalog: CatalogReader<XZSource>
    do throws(CatalogError) { catalog = try CatalogReader(file) } catch { throw UpdateError(error) }
    var builder = try wrap(store: store.beginGeneration(target, isFirst: true))
    try wrap(store: builder.addCatalog(from: generation))
    var count = 0
    while true {
      let entry = try wrap(catalog: catalog.next())
      guard let entry else { break }
      let component = InstalledComponent(entry)
      guard try Updater.isThere(entry, component, generation) else { continue }
      try wrap(store: builder.add(component, from: generation))
      count += 1
    }
    guard count > 0 else { throw .nothingToRebuild(path: store.path) }
    let number = builder.number
    do throws(StoreError) { try builder.finish(in: store) } catch { throw UpdateError(error) }
    try switchCurrent(of: store, to: number, target.release)
    return .rebuilt(target.release, components: count)
  }

  /// The release of a generation, by its catalog: one that the metadata lists that was trusted last.
  private func target(of generation: borrowing Generation) throws(UpdateError) -> CatalogedRelease {
    let file = try wrap(store: generation.openCatalog())
    let path = file.path
    let digest = try wrap(store: Store.digest(of: file, shouldStop: heartbeat.shouldStop))
    guard let release = try ReleaseFinder.remembered(digest, in: configuration.root) else {
      throw .wrongDigest(url: path)
    }
    return release.cataloged
  }

  /// The component's file says at its front that it is what the catalog lists.
  private static func isThere(
    _ entry: CatalogEntry, _ component: InstalledComponent, _ generation: borrowing Generation
  ) throws(UpdateError) -> Bool {
    let file: File
    do throws(StoreError) { file = try generation.open(component) } catch {
      if case .file(let error) = error, error.errno.isOfAbsence { return false }
      throw UpdateError(error)
    }
    do throws(CatalogError) {
      let found = try ComponentFile.read(file)
      return found.description.name == entry.name && found.description.release == entry.description.release
        && found.dataOffset + found.description.dataSize == entry.size
    } catch {
      if case .file(let error) = error { throw UpdateError(error) }
      return false
    }
  }

  /// Goes back to the newest generation that is whole; without one, the device is as if it was new.
  private mutating func fallBack(_ store: borrowing Store) throws(UpdateError) -> Readiness {
    let whole = try wrap(store: store.newestWhole())
    guard let whole else {
      try wrap(store: store.forgetCurrent())
      return try adopt(store)
    }
    try switchCurrent(of: store, to: whole.number, whole.release.release)
    return .fellBack(whole.release.release)
  }
}

extension UpdateError {
  /// What a manifest could be made from is missing or wrong; any other error may be gone the next time.
  fileprivate var isLoss: Bool {
    switch self {
    case .wrongDigest, .nothingToRebuild: true
    case .trust(let error, _): error.isLoss
    case .catalog: disposition == .contentRejected
    case .store(.file(let error)): error.errno.isOfAbsence
    default: false
    }
  }
}

extension TrustError {
  /// The metadata that was trusted last is missing or wrong.
  fileprivate var isLoss: Bool {
    switch self {
    case .noRoot, .missing, .malformed, .mismatched, .unsigned, .wrongVersion, .rolledBack, .dropped,
      .expired,
      .unlisted, .noTarget:
      true
    case .file, .busy, .cancelled, .notFetched, .moreRoots, .overMemory: false
    }
  }
}
