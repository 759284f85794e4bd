package import Platform

/// What a store takes of its file system.
extension LockedStore {
  /// Tries hard links and symbolic links; throws `unusable` if the file system lacks one.
  ///
  /// Before the first download: what is missing is known before it has cost anything. Flushes of directories were tried
  /// by the queue. What a crash leaves is removed with the leftovers in `generations`.
  package func checkFileSystem() throws(Failure) {
    let path = reading.root.path
    try reading.generations.removeTree("probe")
    try reading.generations.makeDirectory("probe")
    let probe = try reading.generations.openDirectory("probe")
    try probe.open("file", to: .make).close()
    do throws(Failure) { try probe.link("file", to: probe, as: "link") } catch {
      throw Failure(lacking: .noHardLinks, at: path, because: error)
    }
    do throws(Failure) { try probe.makeSymbolicLink("symbolic", to: "file") } catch {
      throw Failure(lacking: .noSymbolicLinks, at: path, because: error)
    }
    try reading.generations.removeTree("probe")
  }
}

/// Large files.
extension LockedStore {
  /// Tries whether a file can have so many bytes, if that is more than some file systems take; `EFBIG` says that it cannot.
  package func checkFileSize(_ size: UInt64) throws(Failure) {
    // FAT ends there, wherever it is: behind a network or FUSE.
    guard size > UInt64(UInt32.max) else { return }
    let file = try reading.generations.open("probe", to: .replace)
    try reading.generations.remove("probe")
    // None of them is written.
    try file.truncate(to: size)
  }
}

/// Overlays.
extension LockedStore {
  /// Has the file of an installed component in the upper layer of an overlay.
  ///
  /// Another name is what copies it there; it goes again.
  package func copyUp(_ component: InstalledComponent, of generation: borrowing Generation) throws(Failure) {
    try reading.generations.removeTree("probe")
    try generation.directory.share(
      ComponentPlace(installed: component), size: component.size, with: reading.generations,
      as: ComponentPlace(staged: "probe", of: component))
    try reading.generations.removeTree("probe")
  }
}

extension Failure {
  /// An error that says that the file system has no such thing, or any other one.
  fileprivate init(lacking flaw: StoreFlaw, at path: String, because error: Failure) {
    let isMissing = error.errno?.isOfMissingSupport == true || error.errno == .notPermitted
    self = isMissing ? .unusableStore(path: path, flaw) : error
  }
}

extension Directory {
  /// Gives a file another name.
  func share(_ name: String, with target: borrowing Directory, as other: String) throws(Failure) {
    do throws(Failure) { try link(name, to: target, as: other) } catch {
      guard error.errno == .notPermitted else { throw error }
      throw .unusableStore(path: path, flawOfLinks(to: name))
    }
  }

  /// What EPERM says when a file should have another name.
  func flawOfLinks(to name: String) -> StoreFlaw {
    do throws(Failure) { return try isOfAnotherUser(name) ? .foreignFile(name) : .noHardLinks } catch {
      return .noHardLinks
    }
  }
}
