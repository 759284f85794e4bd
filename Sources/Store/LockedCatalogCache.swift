package import Crypto
package import Platform

/// The catalogs of known releases, which this process alone changes for as long as the value lives.
package struct LockedCatalogCache: ~Copyable {
  /// The same catalogs, to read; its directory carries the lock.
  package let reading: CatalogCache
  package let files: LockedStaging

  /// Takes the lock; `busy` if another process still has it after the wait.
  ///
  /// - `shouldStop`: asked while waiting; true ends it with `cancelled`.
  package init(
    _ cache: consuming CatalogCache, waiting: CatalogWait = .someSeconds, shouldStop: () -> Bool = { false }
  ) throws(Failure) {
    let isLocked: Bool
    do throws(Failure) {
      isLocked = try cache.files.directory.lock(
        .exclusive, within: waiting.milliseconds, every: 100, shouldStop: shouldStop)
    } catch { throw error.errno == .wouldBlock ? .busy(path: cache.files.directory.path) : error }
    guard isLocked else { throw .cancelled }
    let directory = try cache.files.directory.openDirectory(".")
    files = LockedStaging(directory)
    reading = cache
  }

  /// The space that the file system has.
  package func space() throws(Failure) -> Space {
    try reading.files.directory.space()
  }

  /// Writes the newest known release to `newest`, unless it is there already: flash wears.
  package func remember(_ release: KnownRelease) throws(Failure) {
    guard try reading.known() != release else { return }
    try reading.files.directory.replace("newest", with: Array(release.text.utf8))
  }

  /// Removes every catalog but `kept`, and what was begun of others; parts stay.
  package func clear(keeping kept: [Digest]) throws(Failure) {
    try reading.files.directory.removeTrees { name in
      let digest = name.parts(separatedBy: ".")[0]
      return name != "newest" && name != CatalogParts.folder && !kept.contains { $0.hex == digest }
    }
  }

  // MARK: - Parts

  /// Where parts are downloaded; makes it where it is missing.
  package func parts() throws(Failure) -> LockedStaging {
    try reading.files.directory.makeDirectory(CatalogParts.folder)
    return LockedStaging(try reading.files.directory.openDirectory(CatalogParts.folder))
  }

  /// Parts were downloaded.
  package func hasParts() throws(Failure) -> Bool {
    try reading.files.directory.status(of: CatalogParts.folder)?.kind == .directory
  }

  /// Removes every part but `kept`, which are in order, and what was begun of others.
  package func clearParts(keeping kept: [Digest]) throws(Failure) {
    guard !kept.isEmpty else {
      return try reading.files.directory.removeTree(CatalogParts.folder)
    }
    let parts = try parts()
    try parts.reading.directory.removeTrees { name in
      Digest(hex: name.parts(separatedBy: ".")[0]).flatMap { kept.place(of: $0) } == nil
    }
  }
}
