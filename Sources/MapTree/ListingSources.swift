internal import Catalog
package import MapModel
package import Platform
internal import Store

/// The catalogs and the manifest of a listing, opened once so that every walk sees the same content.
package struct ListingSources: ~Copyable {
  let groups: DataGroups
  /// Locked against removal.
  let generation: Generation
  /// The release whose packages are listed: the installed one, or else the newest known one.
  package let release: Release
  /// The newest known release, if it is newer than that and not blocked.
  package let newest: Release?
  /// What `verify` or `repair` has found damaged.
  let damage: DamageNote
  /// The packages that nobody has asked for.
  let area: AreaRecord
  /// The packages that the server does not give to this device.
  let refused: RefusedPackages
  /// Where the parts of both catalogs are.
  let parts: CatalogParts
  /// The catalog of `newest`, or else of `release`, open once for each walk: another process may replace the file.
  private var known: KnownCatalog?

  init(
    _ groups: DataGroups, generation: consuming Generation, release: Release, newest: Release?,
    known: consuming KnownCatalog?, parts: CatalogParts, damage: DamageNote = DamageNote(),
    area: AreaRecord = AreaRecord(), refused: RefusedPackages = RefusedPackages()
  ) {
    self.damage = damage
    self.refused = refused
    self.area = area
    self.groups = groups
    self.parts = parts
    self.generation = generation
    self.release = release
    self.newest = newest
    self.known = known
  }

  /// Nil if nothing is installed and no release is known.
  package static func open(_ root: String) throws(Failure) -> ListingSources? {
    let groups = try groups(root)
    let generation = try generation(root)
    var known = try KnownCatalog.open(root)
    let parts = CatalogParts(of: root, installed: generation)
    let knownRelease = known?.release
    guard let installed = try generation.release()?.release else {
      guard let knownRelease else { return nil }
      return ListingSources(
        groups, generation: generation, release: knownRelease, newest: nil, known: known.take(), parts: parts)
    }
    let damage = try VerificationFiles(opening: root).damage()
    let store = try Store(opening: root)
    let (area, refused) = (store.shownAreaRecord(), try store.refusedPackages())
    guard let knownRelease, knownRelease.number > installed.number, try !isBlocked(knownRelease, in: root)
    else {
      return ListingSources(
        groups, generation: generation, release: installed, newest: nil, known: nil, parts: parts,
        damage: damage, area: area, refused: refused)
    }
    return ListingSources(
      groups, generation: generation, release: installed, newest: knownRelease, known: known.take(),
      parts: parts, damage: damage, area: area, refused: refused)
  }

  /// The device has left the release, and no update goes to it.
  private static func isBlocked(_ release: Release, in root: String) throws(Failure) -> Bool {
    try Store(opening: root).trialRecord().block(of: release.number) != nil
  }

  /// Before there is a store, everything is selected.
  private static func groups(_ root: String) throws(Failure) -> DataGroups {
    do throws(Failure) { return try Store(opening: root).dataGroups() } catch {
      if case .noStore = error { return DataGroups() }
      throw error
    }
  }

  private static func generation(_ root: String) throws(Failure) -> Generation {
    do throws(Failure) { return try Store(opening: root).holdCurrent() } catch {
      if case .noStore = error { return Generation() }
      throw error
    }
  }

  // MARK: - Walks

  /// A walk over all packages; at most two can be made.
  mutating func walk(
    _ detail: Detail, memory: UInt64, activity: @escaping (ListedPackage.Component) -> Activity?,
    usesOutlines: Bool, passing canPass: @escaping (CatalogPart, PackageWalk.PartUse) -> Bool
  ) throws(Failure) -> PackageWalk {
    let basis = try CatalogCursor.open(try openBasis(detail), parts: parts)
    let newest = try CatalogCursor.open(try openNewest(detail), parts: parts)
    let manifest = try ManifestCursor.open(try generation.components())
    return try PackageWalk(
      basis, manifest: manifest, newest: newest, groups: groups, damage: damage, memory: memory,
      activity: activity,
      usesOutlines: usesOutlines, canPass: canPass)
  }

  /// The catalog of the release that is listed.
  mutating func openBasis(_ detail: Detail) throws(Failure) -> CatalogReader<XZSource>? {
    let file = generation.isEmpty ? known?.takeFile() : try generation.openCatalog()
    return try ListingSources.reader(file, release: release, detail: detail)
  }

  /// The catalog of the newest known release, if that is a newer one.
  mutating func openNewest(_ detail: Detail) throws(Failure) -> CatalogReader<XZSource>? {
    guard let newest else { return nil }
    return try ListingSources.reader(known?.takeFile(), release: newest, detail: detail)
  }

  private static func reader(
    _ file: consuming File?, release: Release, detail: Detail
  ) throws(Failure) -> CatalogReader<XZSource>? {
    guard let file = file.take() else { return nil }
    let path = file.path
    let reader: CatalogReader<XZSource>
    do throws(CatalogError) { reader = try CatalogReader(file, detail: detail) } catch {
      throw Failure(error)
    }
    guard reader.release == release else { throw .wrongRelease(path: path) }
    return reader
  }
}
