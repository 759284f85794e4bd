internal import Catalog
package import MapModel
package import Platform
package import Store

/// An update in place that has begun (`docs/design.md`, In place).
///
/// What it does next is a function of its journal (`Progress.next`), and each action can be repeated: the caller asks for the
/// next one and carries it out, until it is `end` or `undo`.
package struct InPlaceUpdate: ~Copyable {
  /// The release that it leads to.
  package let target: CatalogedRelease
  /// The parts of the target's catalog that list what was installed.
  package let parts: [CatalogReference]
  /// Payloads, new files, and the catalog.
  package let files: LockedStaging
  /// The generation whose maps are replaced; empty before it is taken.
  package let base: Generation
  let log: JournalLog
  private let folder: Directory
  /// The least free space that was seen before something was given back, in bytes.
  package internal(set) var leastAvailable: UInt64 = .max

  /// The one that is under way; nil if there is none.
  package init?(opening store: borrowing LockedStore) throws(Failure) {
    let found = try store.reading.openInPlace()
    guard let folder = found else { return nil }
    let reader = try JournalReader(folder)
    let log = try JournalLog(folder)
    let files = try InPlaceFolder.openFiles(in: folder)
    let base = try InPlaceFolder.openBase(in: folder)
    (target, parts) = (reader.target, reader.parts)
    self.files = files
    self.base = base
    self.log = log
    self.folder = folder
  }

  package var progress: Progress { log.progress }

  /// Another handle on `base`.
  package func openBase() throws(Failure) -> Generation {
    try InPlaceFolder.openBase(in: folder)
  }

  /// What is to be done next.
  package func next(in store: borrowing Store) throws(Failure) -> Progress.Action {
    // What is lost is not known to be the new one.
    if try store.isLinkLost() { return progress.next(isCommitted: false) }
    if try store.isCurrentLost() { return progress.next(isCommitted: false) }
    return progress.next(isCommitted: try store.currentRelease() == target)
  }

  /// What becomes of each component, in the order of the catalog.
  package func entries() throws(Failure) -> JournalReader { try JournalReader(folder) }

  /// Goes back to where the update began, of which nothing has been given up.
  package consuming func undo(in store: borrowing LockedStore) throws(Failure) {
    let beginning = progress.beginning
    if let beginning { try store.returnBase(beginning.base, insteadOf: beginning.remainder) }
    try store.endInPlace()
  }

  /// Makes what an earlier process has done durable.
  package func synchronize() throws(Failure) {
    try folder.synchronizeFileSystem()
  }

  /// Removes the names that staging has of what is stored here: only so does its space come back with it.
  package func takeStored(in store: borrowing LockedStore) throws(Failure) {
    var entries = try entries()
    while let entry = try entries.next() {
      guard entry.change == .make, let new = entry.new else { continue }
      try store.staging.remove(new.digest)
      for step in entry.steps { try store.staging.removeContainer(step.container.head) }
    }
  }

  // MARK: - The new generation

  /// The packages that it cannot have, since a file of theirs is not there.
  ///
  /// - `current`: the generation without what changes, which has some of what stays, too.
  package func missingPackages(_ current: borrowing Generation) throws(Failure) -> [PackageID] {
    var missing: [PackageID] = []
    var entries = try entries()
    while let entry = try entries.next() {
      if missing.last == entry.name.id { continue }
      if try !hasFile(of: entry, current) { missing.append(entry.name.id) }
    }
    return missing
  }

  private func hasFile(of entry: JournalEntry, _ current: borrowing Generation) throws(Failure) -> Bool {
    guard let new = entry.new else { return true }
    guard entry.change == .keep else { return try files.reading.isComplete(new.digest, size: new.size) }
    if try base.hasFile(new) { return true }
    return try current.hasFile(new)
  }

  /// Adds what an entry leaves installed, of a package that is not missing.
  package func add(
    _ entry: JournalEntry, to builder: inout GenerationBuilder, _ current: borrowing Generation
  ) throws(Failure) {
    guard let new = entry.new else { return }
    guard entry.change == .keep else { return try builder.add(new, from: files.reading) }
    if try base.hasFile(new) { return try builder.add(new, from: base) }
    try builder.add(new, from: current)
  }

  // MARK: - Old files

  /// The old file of a component is there and is what it was; one that cannot be read is read twice.
  package func isIntact(
    _ component: InstalledComponent, shouldStop: () -> Bool
  ) throws(Failure) -> Bool {
    if try base.isIntact(component, shouldStop: shouldStop) { return true }
    return try base.isIntact(component, readFrom: .storage, shouldStop: shouldStop)
  }

  /// Removes the old file of a component, if it is still there.
  package func removeOld(_ component: InstalledComponent) throws(Failure) {
    try base.remove(component)
  }
}

/// Finds the components that are made by their numbers, in the order of the journal.
package struct JournalCursor: ~Copyable {
  private var entries: JournalReader
  /// The number of the next component that is made.
  private var number = 0

  package init(_ update: borrowing InPlaceUpdate) throws(Failure) { entries = try update.entries() }

  /// The component with this number, which is not before the last one; nil if the journal does not have it.
  ///
  /// - `pass`: called with each entry before it.
  package mutating func seek(
    _ index: Int, pass: (JournalEntry) throws(Failure) -> Void
  ) throws(Failure) -> JournalEntry? {
    while let entry = try entries.next() {
      if entry.change == .make {
        number += 1
        if number > index { return entry }
      }
      try pass(entry)
    }
    return nil
  }
}
