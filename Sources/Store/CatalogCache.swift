package import Crypto
package import Platform

/// The newest release that this device has heard of: what `list` shows without a network.
package struct KnownRelease: Equatable {
  package let number: UInt64
  package let label: String
  /// Its compressed catalog.
  package let catalog: Digest
  package let catalogSize: UInt64
  /// A newer one that needs a newer application, if there is one.
  package let announced: AnnouncedRelease?

  package init(
    number: UInt64, label: String, catalog: Digest, catalogSize: UInt64, announced: AnnouncedRelease? = nil
  ) {
    self.number = number
    self.label = label
    self.catalog = catalog
    self.catalogSize = catalogSize
    self.announced = announced
  }
}

/// A release whose maps the application of this device cannot read.
package struct AnnouncedRelease: Equatable {
  package let number: UInt64
  package let label: String
  /// The oldest application version that can.
  package let minimumApplication: UInt64

  package init(number: UInt64, label: String, minimumApplication: UInt64) {
    self.number = number
    self.label = label
    self.minimumApplication = minimumApplication
  }
}

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

  /// Nil if nothing was ever heard of.
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

  /// What the file system has to give.
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
    return KnownRelease(text)
  }

  /// Writes it down, unless that was done already: flash wears.
  package func remember(_ release: KnownRelease) throws(StoreError) {
    guard try known() != release else { return }
    try storing { () throws(FileError) in
      try files.directory.replace("newest", with: Array(release.text.utf8))
    }
  }

  /// Opens a catalog; nil if it is not there as a whole.
  package func open(_ catalog: Digest, size: UInt64) throws(StoreError) -> File? {
    guard try files.isComplete(catalog, size: size) else { return nil }
    return try files.open(catalog)
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

/// `newest` (`docs/format/store.md`, Newest known release).
extension KnownRelease {
  fileprivate var text: String {
    var text = "tinyupdater-newest 1\nrelease \(number) \(label)\ncatalog \(catalog.hex) \(catalogSize)\n"
    if let announced {
      text += "announced \(announced.number) \(announced.label) \(announced.minimumApplication)\n"
    }
    return text + "end\n"
  }

  fileprivate init?(_ text: String) {
    let lines = text.parts(separatedBy: "\n", limit: 8).map { $0.parts(separatedBy: " ", limit: 6) }
    guard lines.count == 5 || lines.count == 6, lines[0] == ["tinyupdater-newest", "1"],
      lines[1].count == 3, lines[1][0] == "release", let number = UInt64(ascii: lines[1][1].utf8),
      lines[2].count == 3, lines[2][0] == "catalog", let catalog = Digest(hex: lines[2][1]),
      let size = UInt64(ascii: lines[2][2].utf8), lines[lines.count - 2] == ["end"]
    else { return nil }
    var announced: AnnouncedRelease?
    if lines.count == 6 {
      let words = lines[3]
      guard words.count == 4, words[0] == "announced", let number = UInt64(ascii: words[1].utf8),
        let minimum = UInt64(ascii: words[3].utf8)
      else { return nil }
      announced = AnnouncedRelease(number: number, label: words[2], minimumApplication: minimum)
    }
    self.init(
      number: number, label: lines[1][2], catalog: catalog, catalogSize: size, announced: announced)
  }
}
