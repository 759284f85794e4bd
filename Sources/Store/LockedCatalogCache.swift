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
  ) throws(StoreError) {
    let isLocked: Bool
    do throws(FileError) {
      isLocked = try cache.files.directory.lock(
        .exclusive, within: waiting.milliseconds, every: 100, shouldStop: shouldStop)
    } catch { throw error.errno == .wouldBlock ? .busy(path: cache.files.directory.path) : .file(error) }
    guard isLocked else { throw .cancelled }
    let directory = try storing { () throws(FileError) in try cache.files.directory.openDirectory(".") }
    files = LockedStaging(directory)
    reading = cache
  }

  /// The space that the file system has.
  package func space() throws(StoreError) -> Space {
    try storing { () throws(FileError) in try reading.files.directory.space() }
  }

  /// Writes the newest known release to `newest`, unless it is there already: flash wears.
  package func remember(_ release: KnownRelease) throws(StoreError) {
    guard try reading.known() != release else { return }
    try storing { () throws(FileError) in
      try reading.files.directory.replace("newest", with: Array(release.text.utf8))
    }
  }

  /// Removes every catalog but `kept`, and what was begun of others.
  package func clear(keeping kept: Digest?) throws(StoreError) {
    try storing { () throws(FileError) in
      try reading.files.directory.removeTrees { name in
        name != "newest" && name.parts(separatedBy: ".")[0] != kept?.hex
      }
    }
  }
}
