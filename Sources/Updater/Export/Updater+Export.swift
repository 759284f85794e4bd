internal import Catalog
internal import Crypto
package import MapModel
internal import MapTree
package import Platform
internal import Releases
internal import Store
internal import Trust

/// What a device has, for others: its neighbours on a ship, or the other devices of a depot.
extension Updater {
  /// Writes a repository with the installed release, as far as it is installed, to a new directory.
  ///
  /// Others trust it like that of the publisher, whose signatures it has. Maps are not copied where they can be linked.
  /// It is a repository as soon as it is complete.
  package func export(to path: String) throws(Failure) -> Export {
    let store = try Store(opening: configuration.root)
    try refuseInPlace(store)
    let generation = try store.holdCurrent()
    guard let installed = try generation.release() else { throw .nothingToExport(path: configuration.root) }
    let metadata = try ReleaseFinder.metadata(of: installed, configuration)
    var directory = try ExportDirectory(path)
    var export = Export(release: installed.release)
    do throws(Failure) {
      try add(generation, to: &directory, export: &export)
      try directory.add(
        try generation.openCatalog(), as: installed.catalogURL, beat: heartbeat.throwIfStopped)
      for (name, bytes) in metadata.dropLast() { try directory.add(bytes, as: "metadata/\(name)") }
      if let last = metadata.last { try directory.complete(last.bytes, as: "metadata/\(last.name)") }
    } catch {
      directory.empty()
      throw error
    }
    export.copied = directory.copied
    return export
  }

  private func add(
    _ generation: borrowing Generation, to directory: inout ExportDirectory, export: inout Export
  ) throws(Failure) {
    let file = try generation.openCatalog()
    var catalog: CatalogReader<XZSource>
    do throws(CatalogError) { catalog = try CatalogReader(file) } catch { throw Failure(error) }
    let parts = CatalogParts(of: configuration.root, installed: generation)
    var manifest = try generation.manifest()
    var component = try manifest.next()
    while let item = try wrap(catalog: catalog.nextItem()) {
      if case .part(let part) = item, let installed = component, installed.name.id <= part.last {
        try add(part, of: &catalog, in: parts, to: &directory)
      }
      guard case .component(let entry) = item else { continue }
      guard let installed = component, installed.name == entry.name else { continue }
      guard installed.digest == entry.digest, try generation.hasFile(installed) else {
        throw .damaged(components: 1)
      }
      if installed.isTree {
        try directory.add(
          try generation.openTree(installed), as: entry.url, beat: heartbeat.throwIfStopped)
      } else {
        try directory.add(
          try generation.open(installed), as: entry.url, beat: heartbeat.throwIfStopped)
      }
      export.components += 1
      export.size = export.size.saturatingSum(entry.size)
      component = try manifest.next()
    }
    if component != nil { throw .damaged(components: 1) }
  }

  private func add(
    _ part: CatalogPart, of catalog: inout CatalogReader<XZSource>, in parts: CatalogParts,
    to directory: inout ExportDirectory
  ) throws(Failure) {
    var file = try parts.open(part.file)
    guard let found = file.take() else { throw .lostPart(firstPackage: part.first.text) }
    try directory.add(found, as: part.url, beat: heartbeat.throwIfStopped)
    do throws(CatalogError) { try catalog.enter(part, found) } catch { throw Failure(error) }
  }
}

/// What was exported.
package struct Export {
  package let release: Release
  package internal(set) var components = 0
  /// Bytes of their files, and how many of them are there twice now.
  package internal(set) var size: UInt64 = 0
  package internal(set) var copied: UInt64 = 0
}

extension ReleaseFinder {
  /// The metadata that was trusted last, if it lists `installed`.
  fileprivate static func metadata(
    of installed: CatalogedRelease, _ configuration: Configuration
  ) throws(Failure) -> [(name: String, bytes: [UInt8])] {
    guard try remembered(installed.catalog.digest, in: configuration.root) != nil else {
      throw .notRepairable(release: installed.release.text)
    }
    let provisioned = try provisionedRoot(configuration.trustedRoot)
    let directory = try Store.openTrust(configuration.root)
    do throws(TrustError) {
      var trust = try TrustClient(MetadataDirectory(reading: directory), provisioned: nil, now: 0)
      return try trust.storedFiles(provisioned: provisioned)
    } catch { throw Failure(error, below: "") }
  }
}
