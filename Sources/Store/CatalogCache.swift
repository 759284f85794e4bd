package import MapModel
package import Platform

/// The catalog that the newest known release has, beside the store's generations.
///
///     catalogs/newest            the release: text, replaced atomically
///     catalogs/<sha256>[.part]   its catalog: complete and verified, or resumable
///     catalogs/parts/…           parts of catalogs, in the same way
///
/// Asking what is new does not wait for an update, so it has a lock of its own.
package struct CatalogCache: ~Copyable {
  package let files: Staging

  init(_ directory: consuming Directory) { files = Staging(directory) }

  /// Opens it in the store at `root`, and makes both where they are missing.
  package init(making root: String) throws(Failure) {
    let store = try Directory(making: root)
    try store.makeDirectory(replacing: "catalogs")
    self.init(try store.openDirectory("catalogs"))
  }

  /// Nil if no repository was ever asked.
  package static func open(_ root: String) throws(Failure) -> CatalogCache? {
    guard let directory = try Store.openCache("catalogs", in: root) else { return nil }
    return CatalogCache(directory)
  }

  /// The newest known release; nil if none is known, or if the file is damaged.
  package func known() throws(Failure) -> KnownRelease? {
    let isThere = try files.directory.status(of: "newest")?.kind == .file
    guard isThere else { return nil }
    let bytes = try files.directory.open("newest").bytes(upTo: StoreLimits.knownRelease)
    return KnownRelease.parse(String(decoding: bytes, as: UTF8.self))
  }

  /// The catalog is there as a whole.
  package func has(_ catalog: CatalogReference) throws(Failure) -> Bool {
    try files.isComplete(catalog.digest, size: catalog.size)
  }

  /// Opens a catalog; nil if it is not there as a whole.
  package func open(_ catalog: CatalogReference) throws(Failure) -> File? {
    try has(catalog) ? try files.open(catalog.digest) : nil
  }
}
