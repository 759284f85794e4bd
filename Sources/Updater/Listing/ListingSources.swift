package import Catalog
package import MapModel
internal import Platform
internal import Store

/// The lists that a listing is made of, opened once, so that all walks through them see the same.
package struct ListingSources: ~Copyable {
  let groups: DataGroups
  /// Held; nil if nothing is installed.
  let generation: Generation?
  /// The release whose packages are listed: the installed one, else the newest known one.
  package let release: Release
  /// The newest known release, if it is newer than that.
  package let newest: Release?
  /// Its catalog, or that of the release itself, once for each walk: another process may replace the file meanwhile.
  private var known: KnownCatalog?

  init(
    _ groups: DataGroups, _ generation: consuming Generation?, _ release: Release, newest: Release?,
    _ known: consuming KnownCatalog?
  ) {
    self.groups = groups
    self.generation = generation
    self.release = release
    self.newest = newest
    self.known = known
  }

  /// Nil if nothing is installed and no release is known.
  package static func open(_ root: String) throws(UpdateError) -> ListingSources? {
    let groups = try groups(root)
    let generation = try generation(root)
    var known = try storing { () throws(StoreError) in try KnownCatalog.open(root) }
    let knownRelease = known?.release
    guard let installed = try release(of: generation) else {
      guard let knownRelease else { return nil }
      return ListingSources(groups, nil, knownRelease, newest: nil, known.take())
    }
    guard let knownRelease, knownRelease.number > installed.number else {
      return ListingSources(groups, generation, installed, newest: nil, nil)
    }
    return ListingSources(groups, generation, installed, newest: knownRelease, known.take())
  }

  /// Before there is a store, everything is selected.
  private static func groups(_ root: String) throws(UpdateError) -> DataGroups {
    do throws(StoreError) { return try Store(opening: root, for: .read).dataGroups() } catch {
      if case .missing = error { return DataGroups() }
      throw .store(error)
    }
  }

  private static func generation(_ root: String) throws(UpdateError) -> Generation? {
    do throws(StoreError) { return try Store(opening: root, for: .read).holdCurrent() } catch {
      if case .missing = error { return nil }
      throw .store(error)
    }
  }

  private static func release(of generation: borrowing Generation?) throws(UpdateError) -> Release? {
    do throws(StoreError) {
      switch generation {
      case .some(let generation): return try generation.manifest().release.release
      case .none: return nil
      }
    } catch { throw .store(error) }
  }

  // MARK: - Walks

  /// A walk through all packages; there can be two.
  mutating func walk(
    _ detail: Detail, memory: UInt64, activity: @escaping (ListedPackage.Component) -> Activity?
  ) throws(UpdateError) -> PackageWalk {
    let basis = try CatalogCursor(try openBasis(detail))
    let newest = try CatalogCursor(try openNewest(detail))
    let manifest = try ManifestCursor(try openManifest())
    return PackageWalk(basis, manifest, newest: newest, groups, memory: memory, activity: activity)
  }

  /// The catalog of the release that is listed.
  mutating func openBasis(_ detail: Detail) throws(UpdateError) -> CatalogReader<XZSource>? {
    let file: File?
    do throws(StoreError) {
      switch generation {
      case .some(let generation): file = try generation.openCatalog()
      case .none: file = known?.takeFile()
      }
    } catch { throw .store(error) }
    return try ListingSources.reader(file, release, detail)
  }

  /// The catalog of the newest known release, if that is a newer one.
  mutating func openNewest(_ detail: Detail) throws(UpdateError) -> CatalogReader<XZSource>? {
    guard let newest else { return nil }
    return try ListingSources.reader(known?.takeFile(), newest, detail)
  }

  private func openManifest() throws(UpdateError) -> ManifestReader? {
    do throws(StoreError) {
      switch generation {
      case .some(let generation): return try generation.manifest()
      case .none: return nil
      }
    } catch { throw .store(error) }
  }

  private static func reader(
    _ file: consuming File?, _ release: Release, _ detail: Detail
  ) throws(UpdateError) -> CatalogReader<XZSource>? {
    guard let file = file.take() else { return nil }
    let path = file.path
    let reader: CatalogReader<XZSource>
    do throws(CatalogError) { reader = try CatalogReader(file, detail: detail) } catch {
      throw .catalog(error)
    }
    guard reader.release == release else { throw .wrongRelease(url: path) }
    return reader
  }
}

/// The catalog of the newest known release, open as often as it is read.
struct KnownCatalog: ~Copyable {
  let release: Release
  private var first: File?
  private var second: File?

  private init(_ release: Release, _ first: consuming File?, _ second: consuming File?) {
    self.release = release
    self.first = first
    self.second = second
  }

  /// Nil if none is known, or its catalog was not kept.
  static func open(_ root: String) throws(StoreError) -> KnownCatalog? {
    guard let cache = try CatalogCache.open(root), let known = try cache.known() else { return nil }
    let first = try cache.open(known.newest.catalog)
    let second = try cache.open(known.newest.catalog)
    let isThere = first != nil && second != nil
    guard isThere else { return nil }
    return KnownCatalog(known.newest.release, first, second)
  }

  mutating func takeFile() -> File? {
    if let file = first.take() { return file }
    return second.take()
  }
}
