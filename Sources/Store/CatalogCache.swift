package import Crypto
package import MapModel
package import Platform

/// The catalog that the newest known release has, beside the store's generations.
///
///     catalogs/newest            the release: text, replaced atomically
///     catalogs/<sha256>[.part]   its catalog: complete and verified, or resumable
///
/// Asking what is new does not wait for an update, so it has a lock of its own.
package struct CatalogCache: ~Copyable {
  package let files: Staging

  private init(_ directory: consuming Directory) { files = Staging(directory) }

  /// Opens it in the store at `root`, and makes both where they are missing.
  package init(making root: String) throws(StoreError) {
    let directory = try storing { () throws(FileError) in
      let root = try Directory(making: root)
      try root.makeDirectory(replacing: "catalogs")
      return try root.openDirectory("catalogs")
    }
    self.init(directory)
  }

  /// Nil if no repository was ever asked.
  package static func open(_ root: String) throws(StoreError) -> CatalogCache? {
    guard let directory = try Store.openCache("catalogs", in: root) else { return nil }
    return CatalogCache(directory)
  }

  /// Returns when no other process can write here; `busy` if one still does after the wait.
  ///
  /// - `shouldStop`: asked while waiting; true ends it with `cancelled`.
  package func lock(
    waiting: CatalogWait = .someSeconds, shouldStop: () -> Bool = { false }
  ) throws(StoreError) {
    let isLocked: Bool
    do throws(FileError) {
      isLocked = try files.directory.lock(
        .exclusive, within: waiting.milliseconds, every: 100, shouldStop: shouldStop)
    } catch { throw error.errno == .wouldBlock ? .busy(path: files.directory.path) : .file(error) }
    guard isLocked else { throw .cancelled }
  }

  /// The same without waiting: false if another process writes here now.
  package func tryLock() throws(StoreError) -> Bool {
    do throws(FileError) { try files.directory.lock(.exclusive) } catch {
      guard error.errno == .wouldBlock else { throw .file(error) }
      return false
    }
    return true
  }

  /// The space that the file system has.
  package func space() throws(StoreError) -> Space {
    try storing { () throws(FileError) in try files.directory.space() }
  }

  // MARK: - The newest known release

  /// Nil if none is known, or if the file is damaged.
  package func known() throws(StoreError) -> KnownRelease? {
    let isThere = try storing { () throws(FileError) in
      try files.directory.status(of: "newest")?.kind == .file
    }
    guard isThere else { return nil }
    let text = try storing { () throws(FileError) in
      String(
        decoding: try files.directory.open("newest").bytes(upTo: StoreLimits.knownRelease), as: UTF8.self)
    }
    return KnownRelease.parse(text)
  }

  /// Writes it to `newest`, unless it is there already: flash wears.
  package func remember(_ release: KnownRelease) throws(StoreError) {
    guard try known() != release else { return }
    try storing { () throws(FileError) in
      try files.directory.replace("newest", with: Array(release.text.utf8))
    }
  }

  /// Opens a catalog; nil if it is not there as a whole.
  package func open(_ catalog: CatalogReference) throws(StoreError) -> File? {
    guard try files.isComplete(catalog.digest, size: catalog.size) else { return nil }
    return try files.open(catalog.digest)
  }

  /// Removes every catalog but `kept`, and what was begun of others.
  package func clear(keeping kept: Digest?) throws(StoreError) {
    try storing { () throws(FileError) in
      try files.directory.removeTrees { name in
        name != "newest" && name.parts(separatedBy: ".")[0] != kept?.hex
      }
    }
  }
}
