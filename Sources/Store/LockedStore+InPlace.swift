package import Platform

/// Where an update in place keeps what is its own, so that nothing else in the store touches it (`docs/design.md`, In
/// place).
///
///     in-place/journal   what becomes of each component, and how far that has come
///     in-place/files/    payloads, new files, and the catalog, as in `staging`
///     in-place/base/     the generation that it begins from, once nothing else uses it: its maps are consumed
///
/// It is prepared as `in-place.new`, and removed as `in-place.old`.
package enum InPlaceFolder {
  static var name: String { "in-place" }
  static var new: String { "in-place.new" }
  static var old: String { "in-place.old" }
  static var base: String { "base" }
  static var files: String { "files" }

  /// Opens what the update in `folder` has stored and made.
  package static func openFiles(in folder: borrowing Directory) throws(Failure) -> LockedStaging {
    LockedStaging(try folder.openDirectory(files))
  }

  /// Opens the generation that it owns; the empty one if it owns none.
  package static func openBase(in folder: borrowing Directory) throws(Failure) -> Generation {
    do throws(Failure) {
      return Generation(number: 0, directory: try folder.openDirectory(base))
    } catch {
      guard error.errno == .noEntry else { throw error }
      return Generation()
    }
  }
}

extension Store {
  /// Opens the folder; nil if no update in place is under way.
  package func openInPlace() throws(Failure) -> Directory? {
    do throws(Failure) { return try root.openDirectory(InPlaceFolder.name) } catch {
      guard error.errno == .noEntry || error.errno == .notADirectory else { throw error }
      return nil
    }
  }
}

extension LockedStore {
  /// Makes an empty folder for an update that nothing is decided of yet.
  package func prepareInPlace() throws(Failure) -> Directory {
    try reading.root.removeTree(InPlaceFolder.new)
    try reading.root.makeDirectory(InPlaceFolder.new)
    let folder = try reading.root.openDirectory(InPlaceFolder.new)
    try folder.makeDirectory(InPlaceFolder.files)
    return folder
  }

  /// Gives the prepared folder its name: readers that see it let go of the maps.
  package func announceInPlace() throws(Failure) {
    try reading.root.rename(InPlaceFolder.new, to: InPlaceFolder.name)
  }

  /// Holds a generation, so that no reader has it as long as the value lives.
  ///
  /// - `limit`: milliseconds to wait for readers; `held` if they still have it.
  package func lockGeneration(
    _ number: UInt64, within limit: UInt64, shouldStop: () -> Bool
  ) throws(Failure) -> Directory {
    let isLocked: Bool
    let generation = try reading.generations.openDirectory("\(number)")
    do throws(Failure) {
      isLocked = try generation.lock(.exclusive, within: limit, every: 50, shouldStop: shouldStop)
    } catch { throw error.errno == .wouldBlock ? .heldByReader(path: generation.path) : error }
    guard isLocked else { throw .cancelled }
    return generation
  }

  /// Moves a generation that is not current any more into the folder: from here on nothing else has its files.
  package func takeBase(_ number: UInt64) throws(Failure) {
    try reading.root.rename(
      "generations/\(number)", to: "\(InPlaceFolder.name)/\(InPlaceFolder.base)")
    try reading.root.synchronizeFileSystem()
  }

  /// Makes `base` current again, wherever it is, and empties `remainder`; the folder is the caller's to remove.
  package func returnBase(_ base: UInt64, insteadOf remainder: UInt64) throws(Failure) {
    if try reading.generations.status(of: "\(base)") == nil {
      try reading.root.rename("\(InPlaceFolder.name)/\(InPlaceFolder.base)", to: "generations/\(base)")
      try reading.root.synchronizeFileSystem()
    }
    if try !reading.isLinkLost(), try reading.currentNumber() == remainder { try switchCurrent(to: base) }
    do throws(Failure) { _ = try emptyGeneration(remainder) } catch {
      // It was not made yet, or a reader has come to it meanwhile.
      guard error.errno == .noEntry || error.errno == .wouldBlock else { throw error }
    }
  }

  /// Removes the folder with everything in it.
  package func endInPlace() throws(Failure) {
    for name in [InPlaceFolder.new, InPlaceFolder.old] { try reading.root.removeTree(name) }
    guard try reading.root.status(of: InPlaceFolder.name) != nil else { return }
    try reading.root.rename(InPlaceFolder.name, to: InPlaceFolder.old)
    try reading.root.synchronize()
    try reading.root.removeTree(InPlaceFolder.old)
  }
}
