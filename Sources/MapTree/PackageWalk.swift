internal import Catalog
internal import MapModel
internal import Platform
internal import Store

/// Merges the catalog of a release, the manifest, and the catalog of the newest known release.
///
/// All three are ordered by component name, so the walk holds one entry of each in memory.
struct PackageWalk: ~Copyable {
  private let basis: CatalogCursor
  private let newest: CatalogCursor
  private let manifest: ManifestCursor
  private let groups: DataGroups
  private let damage: DamageNote
  /// Bytes of memory that applying a container may take.
  private let memory: UInt64
  private let activity: (ListedPackage.Component) -> Activity?
  /// Nothing needs to know how what is not installed would be downloaded.
  private let usesOutlines: Bool
  private let canPass: (CatalogPart, PartUse) -> Bool

  /// What a device has to do with a part of the catalog.
  enum PartUse: Equatable {
    /// None of its packages is installed, and no newer release may have something else in its place.
    case untouched
    /// Some of its packages may be installed, or be others in a newer release.
    case touched
  }

  /// - `canPass`: whether a part may be passed over.
  init(
    _ basis: CatalogCursor, manifest: ManifestCursor, newest: CatalogCursor,
    groups: DataGroups, damage: DamageNote, memory: UInt64,
    activity: @escaping (ListedPackage.Component) -> Activity?,
    usesOutlines: Bool, canPass: @escaping (CatalogPart, PartUse) -> Bool
  ) throws(Failure) {
    self.basis = basis
    self.manifest = manifest
    self.newest = newest
    self.groups = groups
    self.damage = damage
    self.memory = memory
    self.activity = activity
    self.usesOutlines = usesOutlines
    self.canPass = canPass
    try settle()
  }

  /// The id of the next package, or of the first one of the next gap; nil after the last.
  var nextID: PackageID? { gap?.first ?? nextName?.id }

  // MARK: - Gaps

  /// The part of the catalog that comes next, if only its sums are known, because it is not on this device or the walk
  /// passes over it.
  var gap: CatalogPart? {
    guard let part = basis.part else { return nil }
    if let newer = newest.entry, newer.name.id < part.first { return nil }
    if let installed = manifest.component, installed.name.id < part.first { return nil }
    return part
  }

  /// The part is on this device.
  func has(_ part: CatalogPart) throws(Failure) -> Bool { try basis.has(part) }

  /// Passes over the gap that comes next, and over what is installed and what the newest known release has there.
  mutating func passGap() throws(Failure) {
    if StopSignal.isRaised { throw .cancelled }
    guard let part = gap else { return }
    // What is installed is listed by parts that stay with it.
    if hasInstalled(part) && !canPass(part, .touched) { throw .lostPart(firstPackage: part.first.text) }
    try manifest.skip(past: part.last)
    try basis.advance()
    while newest.entry.map({ $0.name.id <= part.last }) ?? false {
      try newest.advance()
      try settle()
    }
    try settle()
  }

  /// Enters what comes next if it is a part.
  ///
  /// Parts of the newest release that list something installed are there, so nothing is missed of the others.
  private mutating func settle() throws(Failure) {
    while let part = basis.part {
      let use = use(of: part)
      if canPass(part, use) { break }
      guard try basis.enter(byOutline: use == .untouched && usesOutlines) else { break }
    }
    while newest.part != nil { if try !newest.enter() { try newest.advance() } }
  }

  private func use(of part: CatalogPart) -> PartUse {
    newest.entry == nil && newest.part == nil && !hasInstalled(part) ? .untouched : .touched
  }

  /// Something of the part is installed.
  private func hasInstalled(_ part: CatalogPart) -> Bool {
    manifest.component.map { $0.name.id <= part.last } ?? false
  }

  // MARK: - Packages

  /// The names of a region that contains the next package.
  func names(of region: PackageID) -> [LocalizedName] {
    basis.names(of: region) ?? newest.names(of: region) ?? []
  }

  /// The next package; nil after the last.
  ///
  /// - `generation`: holds the installed files.
  mutating func next(_ generation: borrowing Generation) throws(Failure) -> ListedPackage? {
    if StopSignal.isRaised { throw .cancelled }
    guard let id = nextID else { return nil }
    var package = ListedPackage(id, isInBasis: basis.isAt(id), isInstalled: manifest.isAt(id))
    while let name = nextName, name.id == id {
      let listed = try basis.take(name)
      let newer = try newest.take(name)
      try settle()
      let installed = try manifest.take(name)
      let component = ListedPackage.Component(
        name: name, basis: listed, newest: newer, installed: installed,
        isPackageInstalled: package.isInstalled, isWhole: try isWhole(installed, in: generation),
        isSelected: groups.isSelected(name.dataGroup))
      package.add(component, memory: memory)
      package.note(activity(component))
    }
    package.finish()
    return package
  }

  private var nextName: ComponentName? {
    var next = basis.entry?.name
    if let name = newest.entry?.name, next.map({ name < $0 }) ?? true { next = name }
    if let name = manifest.component?.name, next.map({ name < $0 }) ?? true { next = name }
    return next
  }

  private func isWhole(
    _ component: InstalledComponent?, in generation: borrowing Generation
  ) throws(Failure) -> Bool {
    guard let component else { return true }
    guard damage.part(component, in: generation.number) != .component else { return false }
    do throws(Failure) { return try generation.hasFile(component) } catch {
      if case .file(let cause) = error, cause.errno == .input { return false }
      throw error
    }
  }
}
