internal import Catalog
internal import DeltaApply
internal import MapModel
package import Platform
package import Store

/// An update in place whose payloads are stored, and of which nothing has begun.
package struct InPlaceDraft: ~Copyable {
  private let folder: Directory
  private let parts: [CatalogReference]
  /// How many components are to be made.
  private let count: Int

  init(_ folder: consuming Directory, parts: [CatalogReference], count: Int) {
    self.folder = folder
    self.parts = parts
    self.count = count
  }

  /// What the update takes.
  ///
  /// - `available`: bytes of the file system that it may use.
  /// - `names`: whose other names count.
  package func budget(
    from generation: borrowing Generation, _ space: Space, available: UInt64, names: SpaceBudget.Names = .all
  ) throws(Failure) -> SpaceBudget {
    var budget = SpaceBudget(space, available: available, names: names)
    var entries = try JournalReader(folder)
    while let entry = try entries.next() { try budget.add(entry, from: generation) }
    return budget
  }

  /// Takes over the maps that change: from here on there is no way back.
  ///
  /// Throws after everything is as it was before, above all `Failure.heldByReader`.
  ///
  /// - `current`: the current generation.
  /// - `linkCatalog`: gives the catalog of the target a name among the files.
  package func takeOver(
    _ current: borrowing Generation, in store: borrowing LockedStore, from catalogParts: CatalogParts,
    linkCatalog: (borrowing Staging) throws(Failure) -> Void, shouldStop: () -> Bool
  ) throws(Failure) {
    let log = try JournalLog(folder)
    let remainder = try Remainder(of: current, in: store)
    let number = remainder.number
    do throws(Failure) {
      try log.add(.begun(Progress.Beginning(base: current.number, remainder: number, count: count)))
      try announce(in: store, from: catalogParts, linkCatalog: linkCatalog)
      try remainder.finish(entries: JournalReader(folder), from: current, in: store)
      try take(current, insteadOf: number, in: store, shouldStop: shouldStop)
      try log.add(.taken)
    } catch {
      // What fails of this as well is done by the next command that opens the store.
      do throws(Failure) {
        try store.returnBase(current.number, insteadOf: number)
        try store.endInPlace()
      } catch {}
      throw error
    }
  }

  /// Gives what is stored names that are the update's own, and the folder its own: readers see that and let go of the maps.
  private func announce(
    in store: borrowing LockedStore, from catalogParts: CatalogParts,
    linkCatalog: (borrowing Staging) throws(Failure) -> Void
  ) throws(Failure) {
    let files = try InPlaceFolder.openFiles(in: folder)
    var entries = try JournalReader(folder)
    while let entry = try entries.next() {
      guard entry.change == .make, let new = entry.new else { continue }
      if entry.steps.isEmpty { try store.staging.reading.link(new.digest, to: files.reading) }
      for step in entry.steps {
        try store.staging.reading.linkContainer(step.container.head, to: files.reading)
      }
    }
    try linkCatalog(files.reading)
    for part in parts { try catalogParts.link(part, to: files.reading) }
    try store.announceInPlace()
  }

  /// Makes the generation without what changes current, and the one before it the update's own, once no reader has it.
  private func take(
    _ current: borrowing Generation, insteadOf remainder: UInt64, in store: borrowing LockedStore,
    shouldStop: () -> Bool
  ) throws(Failure) {
    let lock = try store.lockGeneration(
      current.number, within: InPlaceLimits.readerWait, shouldStop: shouldStop)
    try store.switchCurrent(to: remainder)
    try store.takeBase(current.number)
    withExtendedLifetime(lock) {}
  }
}

/// The current generation without the packages that change.
private struct Remainder: ~Copyable {
  private var builder: GenerationBuilder

  init(of generation: borrowing Generation, in store: borrowing LockedStore) throws(Failure) {
    let builder = try store.beginGeneration(generation.manifest().release)
    try builder.addCatalog(from: generation)
    try builder.addParts(from: generation)
    self.builder = builder
  }

  var number: UInt64 { builder.number }

  /// Builds it, durably; everything that the update has linked is durable with it.
  consuming func finish(
    entries: consuming JournalReader, from generation: borrowing Generation, in store: borrowing LockedStore
  ) throws(Failure) {
    var package: (id: PackageID?, components: [InstalledComponent], isKept: Bool) = (nil, [], true)
    while let entry = try entries.next() {
      if entry.name.id != package.id {
        if package.isKept { try add(package.components, from: generation) }
        package = (entry.name.id, [], true)
      }
      if let old = entry.old, entry.change == .keep {
        package.components.append(old)
      } else {
        package.isKept = false
      }
    }
    if package.isKept { try add(package.components, from: generation) }
    try builder.finish(in: store)
  }

  private mutating func add(
    _ components: [InstalledComponent], from generation: borrowing Generation
  ) throws(Failure) {
    for component in components { try builder.add(component, from: generation) }
  }
}
