package import Crypto
internal import MapModel
package import Platform

/// A generation in the making, invisible to readers until it is finished and switched to.
package struct GenerationBuilder: ~Copyable {
  package let number: UInt64
  let directory: Directory
  private var manifest: ManifestWriter
  private var indexes = IndexCursor()

  init(
    in store: borrowing LockedStore, number: UInt64, release: CatalogedRelease, previous: UInt64
  ) throws(Failure) {
    let name = "\(number).new"
    try store.reading.generations.removeTree(name)
    try store.reading.generations.makeDirectory(name)
    let directory = try store.reading.generations.openDirectory(name)
    try directory.makeDirectory("maps")
    let file = try directory.open(ManifestFormat.fileName, to: .replace)
    let manifest = try ManifestWriter(file, release: release, previous: previous)
    self.number = number
    self.directory = directory
    self.manifest = manifest
  }

  /// Takes over the release's catalog: from staging, or from the generation that has it.
  package func addCatalog(_ digest: Digest, from staging: borrowing Staging) throws(Failure) {
    try link(digest.hex, in: staging.directory, as: ManifestFormat.catalogName)
  }

  package func addCatalog(from generation: borrowing Generation) throws(Failure) {
    try link(ManifestFormat.catalogName, in: generation.directory, as: ManifestFormat.catalogName)
  }

  /// Adds a component that is complete in staging, with its index if one is staged.
  ///
  /// The caller adds in the order of id and data group.
  ///
  /// - `shouldStop`: asked while the index is read back; true ends it with `cancelled`.
  package mutating func add(
    _ component: InstalledComponent, from staging: borrowing Staging, shouldStop: () -> Bool = { false }
  ) throws(Failure) {
    var component = component
    component.index = try staging.index(component.digest, shouldStop: shouldStop)
    try staging.directory.share(
      ComponentPlace(staged: component.digest.hex, of: component), size: component.size, with: directory,
      as: ComponentPlace(installed: component))
    if component.index != nil {
      try link(Staging.index(component.digest), in: staging.directory, as: component.indexPath)
    }
    try manifest.add(component)
  }

  /// Adds a component that is the same in `generation`, with its index if it has one there.
  package mutating func add(
    _ component: InstalledComponent, from generation: borrowing Generation
  ) throws(Failure) {
    var old = component
    old.index = try indexes.index(of: component, in: generation)
    try add(component, as: old, from: generation)
  }

  /// Adds a component whose bytes `generation` has as `old`, with the index of that.
  package mutating func add(
    _ component: InstalledComponent, as old: InstalledComponent, from generation: borrowing Generation
  ) throws(Failure) {
    var component = component
    component.index = old.index
    try generation.directory.share(
      ComponentPlace(installed: old), size: component.size, with: directory,
      as: ComponentPlace(installed: component))
    if component.index != nil {
      try link(old.indexPath, in: generation.directory, as: component.indexPath)
    }
    try manifest.add(component)
  }

  /// Flushes everything and gives the generation its number.
  ///
  /// One `syncfs` makes the manifest, all links, all new directories and the symbolic link that is to become `current`
  /// durable, where an fsync of each directory would take one flush of the disk per package (docs/decisions/0004).
  package consuming func finish(in store: borrowing LockedStore) throws(Failure) {
    try manifest.finish()
    try store.makeLink(to: number)
    try directory.synchronizeFileSystem()
    try GenerationBuilder.giveNumber(number, in: store)
  }

  /// Does the same for a generation that is not to become current yet, but to stand by as `standby` says.
  package consuming func finish(in store: borrowing LockedStore, as standby: Standby) throws(Failure) {
    try manifest.finish()
    try directory.synchronizeFileSystem()
    try store.announce(standby)
    try GenerationBuilder.giveNumber(number, in: store)
  }

  private static func giveNumber(_ number: UInt64, in store: borrowing LockedStore) throws(Failure) {
    try store.reading.generations.rename("\(number).new", to: "\(number)")
    try store.reading.generations.synchronize()
  }

  func link(_ name: String, in source: borrowing Directory, as path: String) throws(Failure) {
    try directory.makeParents(of: path)
    try source.share(name, with: directory, as: path)
  }
}
