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

  /// Waits some seconds, or not at all, until this process alone writes here.
  ///
  /// - `shouldStop`: asked while waiting; true ends it with `cancelled`.
  package func lock(isWaiting: Bool = true, shouldStop: () -> Bool = { false }) throws(StoreError) {
    let end = Clock.milliseconds + (isWaiting ? 10_000 : 0)
    while try !tryLock() {
      if shouldStop() { throw .cancelled }
      guard Clock.milliseconds < end else { throw .busy(path: files.directory.path) }
      Clock.sleep(milliseconds: 100)
    }
  }

  /// False if another process writes here now.
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

  /// Nil if none is known, or if what was written down is damaged.
  package func known() throws(StoreError) -> KnownRelease? {
    let isThere = try storing { () throws(FileError) in
      try files.directory.status(of: "newest")?.kind == .file
    }
    guard isThere else { return nil }
    let text = try storing { () throws(FileError) in
      String(decoding: try files.directory.open("newest").bytes(upTo: 1024), as: UTF8.self)
    }
    return KnownRelease.parse(text)
  }

  /// Writes it down, unless that was done already: flash wears.
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
