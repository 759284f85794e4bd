internal import Crypto
package import MapModel
package import Platform

/// The parts of catalogs that are on this device, named by their digests, wherever they are.
///
///     catalogs/parts/<sha256>         downloaded: complete and verified
///     generations/41/parts/<sha256>   those that list what is installed
///
/// Holds paths, so that it takes no descriptors between two questions.
package struct CatalogParts {
  static var folder: String { "parts" }
  private static var downloads: String { "catalogs/\(folder)" }

  private let root: String
  /// The directory in it that has what was downloaded.
  private let downloads: String
  /// The directory of the generation; nil without one.
  private let generation: String?

  /// Those that an update in place has among its files.
  package init(ofUpdateIn root: String) {
    (self.root, downloads, generation) = (root, "\(InPlaceFolder.name)/\(InPlaceFolder.files)", nil)
  }

  /// - `root`: the directory of the store.
  package init(of root: String, installed generation: borrowing Generation) {
    (self.root, downloads) = (root, CatalogParts.downloads)
    self.generation = generation.isEmpty || generation.isCatalogReplaced ? nil : generation.directory.path
  }

  /// Opens a part; nil if it is not on this device.
  package func open(_ part: CatalogReference) throws(Failure) -> File? {
    try with(part) { (directory) throws(Failure) in try directory.open(part.digest.hex) }
  }

  package func has(_ part: CatalogReference) throws(Failure) -> Bool {
    try with(part) { (_) throws(Failure) in true } ?? false
  }

  /// The part is on this device, and reads back as what it should be.
  package func hasIntact(
    _ part: CatalogReference, shouldStop: () -> Bool = { false }
  ) throws(Failure) -> Bool {
    switch try open(part) {
    case .some(let file):
      return try Verification.matches(
        file, digest: part.digest, size: part.size, shouldStop: shouldStop)
    case .none: return false
    }
  }

  /// The generation has the part.
  package func isInstalled(_ part: CatalogReference) throws(Failure) -> Bool {
    try CatalogParts.with(part, in: CatalogParts.folder, of: generation) { (_) throws(Failure) in true }
      ?? false
  }

  /// Gives the part another name among `files`; does nothing if it is not on this device.
  package func link(_ part: CatalogReference, to files: borrowing Staging) throws(Failure) {
    try link(part, in: files.directory, as: part.digest.hex)
  }

  /// Gives the part another name in `directory`; does nothing if it is not on this device.
  func link(_ part: CatalogReference, in directory: borrowing Directory, as name: String) throws(Failure) {
    var flaw = StoreFlaw.noHardLinks
    do throws(Failure) {
      _ = try with(part) { (source) throws(Failure) in
        do throws(Failure) { try source.link(part.digest.hex, to: directory, as: name) } catch {
          flaw = source.flawOfLinks(to: part.digest.hex)
          throw error
        }
      }
    } catch {
      guard case .file(let cause) = error, cause.errno == .notPermitted else { throw error }
      throw .unusableStore(path: directory.path, flaw)
    }
  }

  /// Calls `body` with the first directory that has the part.
  private func with<Result: ~Copyable>(
    _ part: CatalogReference, _ body: (borrowing Directory) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    if let found = try CatalogParts.with(part, in: downloads, of: root, body) { return found }
    return try CatalogParts.with(part, in: CatalogParts.folder, of: generation, body)
  }

  private static func with<Result: ~Copyable>(
    _ part: CatalogReference, in folder: String, of parent: String?,
    _ body: (borrowing Directory) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let parent else { return nil }
    switch try Store.openCache(folder, in: parent) {
    case .some(let directory):
      guard let status = try directory.status(of: part.digest.hex), status.kind == .file,
        status.size == part.size
      else { return nil }
      return try body(directory)
    case .none: return nil
    }
  }
}

extension Generation {
  /// Opens the directory of its parts; nil if its catalog has none.
  func openParts() throws(Failure) -> Directory? {
    guard !isEmpty else { return nil }
    do throws(Failure) { return try directory.openDirectory(CatalogParts.folder) } catch {
      guard error.errno == .noEntry || error.errno == .notADirectory else { throw error }
      return nil
    }
  }
}

extension Generation {
  /// The part is there and reads back as what it should be.
  package func hasIntact(
    _ part: CatalogReference, shouldStop: () -> Bool = { false }
  ) throws(Failure) -> Bool {
    try isIntact(
      "\(CatalogParts.folder)/\(part.digest.hex)", digest: part.digest, size: part.size,
      shouldStop: shouldStop)
  }

  /// All parts that are there are what they should be.
  package func hasIntactParts(shouldStop: () -> Bool = { false }) throws(Failure) -> Bool {
    switch try openParts() {
    case .some(let parts):
      var names: [String] = []
      try parts.forEachName { (name) throws(Failure) in names.append(name) }
      for name in names {
        let file = try parts.open(name)
        guard try Verification.digest(of: file, shouldStop: shouldStop).hex == name else { return false }
      }
      return true
    case .none: return true
    }
  }
}

extension GenerationBuilder {
  /// Takes over a part of the release's catalog.
  package func add(_ part: CatalogReference, from parts: CatalogParts) throws(Failure) {
    let name = "\(CatalogParts.folder)/\(part.digest.hex)"
    try directory.makeParents(of: name)
    try parts.link(part, in: directory, as: name)
  }

  /// Takes over a part that is among `files`.
  package func add(_ part: CatalogReference, from files: borrowing Staging) throws(Failure) {
    try link(part.digest.hex, in: files.directory, as: "\(CatalogParts.folder)/\(part.digest.hex)")
  }

  /// Takes over all parts that `generation` has.
  package func addParts(from generation: borrowing Generation) throws(Failure) {
    switch try generation.openParts() {
    case .some(let parts):
      try directory.makeDirectory(CatalogParts.folder)
      try parts.forEachName { (name) throws(Failure) in
        try parts.link(name, to: directory, as: "\(CatalogParts.folder)/\(name)")
      }
    case .none: break
    }
  }
}
