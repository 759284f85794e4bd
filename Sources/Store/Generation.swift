internal import Crypto
package import MapModel
internal import MapReading
package import Platform

/// One immutable set of installed components, or the empty one where nothing is installed.
package struct Generation: ~Copyable {
  package let number: UInt64
  /// Nothing of it is on disk: it has no components, no catalog, and no release.
  package let isEmpty: Bool
  /// Its catalog, or a part of that, is lost, and what is in `catalogs` takes their place.
  package var isCatalogReplaced = false
  let directory: Directory

  /// The empty one.
  package init() {
    (number, isEmpty) = (0, true)
    directory = Directory()
  }

  init(number: UInt64, directory: consuming Directory) {
    (self.number, isEmpty) = (number, false)
    self.directory = directory
  }

  /// Reads its manifest from the start; the empty one has none.
  package func manifest() throws(Failure) -> ManifestReader { try ManifestReader(directory) }

  /// Reads its components from the start; nil if it is empty.
  package func components() throws(Failure) -> ManifestReader? {
    guard !isEmpty else { return nil }
    return try manifest()
  }

  /// The release, by its manifest; nil if it is empty.
  package func release() throws(Failure) -> CatalogedRelease? { isEmpty ? nil : try manifest().release }

  /// Opens the compressed catalog of its release.
  package func openCatalog() throws(Failure) -> File { try open(ManifestFormat.catalogName) }

  /// Opens a component's file.
  package func open(_ component: InstalledComponent) throws(Failure) -> File { try open(component.path) }

  /// Opens a component that consists of many files.
  package func openTree(_ component: InstalledComponent) throws(Failure) -> TreeReader {
    try TreeReader(directory, TreePlace(installed: component), size: component.size)
  }

  /// Opens a component's file to give parts of it back: in a generation that nothing else uses any more.
  package func openConsumed(_ component: InstalledComponent) throws(Failure) -> File {
    try directory.open(component.path, to: .update)
  }

  /// What the file system says of a component's file; nil if it is gone.
  package func status(of component: InstalledComponent) throws(Failure) -> Directory.Status? {
    isEmpty ? nil : try directory.status(of: component.path)
  }

  /// Removes a component's file and its index, in such a generation.
  package func remove(_ component: InstalledComponent) throws(Failure) {
    if isEmpty { return }
    if component.isTree {
      try directory.removeFiles(of: TreePlace(installed: component), size: component.size)
    } else {
      try directory.remove(component.path)
    }
    if component.index != nil { try directory.remove(component.indexPath) }
  }

  /// The component's file is there and reads back as what the manifest says.
  ///
  /// A file that is missing or cannot be read is as damaged as a wrong one; memory or descriptors that are short say
  /// nothing of it.
  ///
  /// - `shouldStop`: asked while it is read; true ends it with `cancelled`.
  package func isIntact(
    _ component: InstalledComponent, readFrom source: ReadSource = .cache, shouldStop: () -> Bool = { false }
  ) throws(Failure) -> Bool {
    if component.isTree {
      return try isTreeIntact(component, readFrom: source, shouldStop: shouldStop)
    }
    return try isIntact(
      component.path, digest: component.digest, size: component.size, readFrom: source,
      shouldStop: shouldStop)
  }

  private func isTreeIntact(
    _ component: InstalledComponent, readFrom source: ReadSource, shouldStop: () -> Bool
  ) throws(Failure) -> Bool {
    do throws(Failure) {
      guard try hasFile(component) else { return false }
      return try openTree(component).digest(readFrom: source, shouldStop: shouldStop)
        == component.digest
    } catch {
      if case .file(let cause) = error, !cause.errno.isOfShortage { return false }
      throw error
    }
  }

  /// The same for the component's index; one that it does not have is intact.
  package func isIndexIntact(
    _ component: InstalledComponent, readFrom source: ReadSource = .cache, shouldStop: () -> Bool = { false }
  ) throws(Failure) -> Bool {
    guard let index = component.index else { return true }
    return try isIntact(
      component.indexPath, digest: index.digest, size: index.size, readFrom: source,
      shouldStop: shouldStop)
  }

  func isIntact(
    _ path: String, digest: Digest, size: UInt64, readFrom source: ReadSource = .cache, shouldStop: () -> Bool
  ) throws(Failure) -> Bool {
    do throws(Failure) {
      let file = try open(path)
      if source == .storage { file.dropCache() }
      return try Verification.matches(file, digest: digest, size: size, shouldStop: shouldStop)
    } catch {
      if case .file(let cause) = error, !cause.errno.isOfShortage { return false }
      throw error
    }
  }

  /// The component's file is there and has its size; its bytes are not checked.
  package func hasFile(_ component: InstalledComponent) throws(Failure) -> Bool {
    if !isEmpty, component.isTree {
      return try directory.hasTree(TreePlace(installed: component), size: component.size)
    }
    guard let status = try status(of: component) else { return false }
    return status.kind == .file && status.size == component.size
  }

  /// The same of its index too, if it has one.
  package func hasFiles(_ component: InstalledComponent) throws(Failure) -> Bool {
    guard try hasFile(component) else { return false }
    guard let index = component.index else { return true }
    let status = try directory.status(of: component.indexPath)
    return status?.kind == .file && status?.size == index.size
  }

  /// Keeps the generation from being deleted for as long as this value lives.
  package func hold() throws(Failure) { try HeldGeneration.lock(directory) }

  private func open(_ name: String) throws(Failure) -> File {
    try directory.open(name)
  }
}
