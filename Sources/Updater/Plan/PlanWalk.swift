internal import Catalog
internal import MapModel
internal import MapTree
internal import Platform
internal import Store

/// Walks through a catalog and a manifest side by side, both in the order of their names.
///
/// That takes the memory of one entry of each, however many there are; and of the entries of one package that are
/// installed and deselected, until it is known whether it has another one.
///
/// The selection of data groups applies to what is newly installed. Packages that are installed follow it in an update,
/// and whenever the release changes; in other operations they stay as they are. A package that would lose every
/// component keeps those it has.
struct PlanWalk: ~Copyable {
  private let catalog: CatalogCursor
  private let manifest: ManifestCursor
  /// The components of the generation before.
  private let previous: ManifestCursor
  /// The components of the generation that stands by.
  private let standby: ManifestCursor
  /// Bytes of memory that a patch may take.
  private let memory: UInt64
  private let damage: DamageNote
  private var lastInstalledID: PackageID?
  /// What is installed by its bytes; nil as long as nothing has asked for it.
  private var digests: InstalledDigests?
  private let operation: Operation
  /// What takes the place of packages that are installed or asked for.
  let successions: Successions
  private var matched: MatchedIDs
  private let groups: DataGroups
  /// Packages that are not part of the new generation, because they do not come.
  private let leftOut: [PackageID]
  /// Installed packages follow the selection.
  private let changesGroups: Bool
  /// The current package, and whether it is known to have a component that is selected.
  private var package: (id: PackageID?, hasSelected: Bool) = (nil, false)
  /// Its components that are installed and deselected, as long as it has no other.
  private var deferred: [(entry: CatalogEntry, installed: InstalledComponent)] = []
  /// Steps that are decided and not returned yet.
  private var decided: [PlanStep] = []

  /// - `manifest`: of the current generation; nil if nothing is installed.
  /// - `previous`: of the generation before it, if there is one: what is lost can come by a patch from its files.
  /// - `standby`: of the generation that stands by, if there is one: a patch from its files may be smaller.
  /// - `memory`: bytes that such a patch may take.
  /// - `successions`: from the beginning of the same catalog.
  /// - `damage`: what of the current generation is known to be damaged.
  /// - `leftOut`: what is not part of the new generation, because it does not come.
  init(
    _ catalog: consuming CatalogReader<XZSource>, parts: CatalogParts, manifest: consuming ManifestReader?,
    previous: consuming ManifestReader? = nil, standby: consuming ManifestReader? = nil,
    memory: UInt64 = .max, damage: DamageNote = DamageNote(),
    successions: Successions = Successions(), for operation: Operation, groups: DataGroups,
    without leftOut: [PackageID] = []
  ) throws(Failure) {
    let isUpdate = if case .update = operation { true } else { false }
    changesGroups = isUpdate || PlanWalk.releaseNumber(of: manifest) != catalog.release.number
    self.groups = groups
    self.leftOut = leftOut
    self.operation = operation
    matched = MatchedIDs(operation.ids)
    for departure in successions.departures { matched.note(departure.id) }
    self.successions = successions
    let catalogCursor = try CatalogCursor.open(catalog, parts: parts)
    let manifestCursor = try ManifestCursor.open(manifest)
    let previousCursor = try ManifestCursor.open(previous)
    let standbyCursor = try ManifestCursor.open(standby)
    (self.catalog, self.manifest) = (catalogCursor, manifestCursor)
    (self.previous, self.standby) = (previousCursor, standbyCursor)
    self.memory = memory
    self.damage = damage
  }

  /// Nil if nothing is installed.
  static func releaseNumber(of manifest: borrowing ManifestReader?) -> UInt64? {
    switch manifest {
    case .some(let manifest): manifest.release.release.number
    case .none: nil
    }
  }

  /// The parts of the catalog that were read: those with something installed or to be installed.
  var enteredParts: [CatalogReference] { catalog.entered }

  /// The ids of the operation that nothing so far belonged to.
  var unmatched: [PackageID] { matched.unmatched }

  /// What becomes of the next component; nil after the last.
  ///
  /// - `generation`: the one that the manifest is of, to see whether what is to stay is there.
  @inline(never)
  mutating func next(from generation: borrowing Generation) throws(Failure) -> PlanStep? {
    while decided.isEmpty {
      guard let step = try walk() else {
        finishPackage(before: nil)
        break
      }
      take(step)
    }
    if decided.isEmpty { return nil }
    let step = decided.removeFirst().leavingOut(leftOut)
    return generation.isEmpty ? step : try settle(step, in: generation)
  }

  /// The step with what the generation really has.
  private mutating func settle(
    _ step: PlanStep, in generation: borrowing Generation
  ) throws(Failure) -> PlanStep {
    switch step {
    case .keep(let entry, let component):
      return isWhole(component, in: generation) ? step : try replaceLost(component, by: entry)
    case .fetch(let entry, .current(let component)):
      guard isMapWhole(component, in: generation) else { return try replaceLost(component, by: entry) }
      return try replaceStaged(component, by: entry) ?? step
    case .fetch(let entry, .none): return try findElsewhere(entry, in: generation) ?? step
    case .fetch(_, .previous), .fetch(_, .standby), .fetch(_, .lost), .link, .remove, .withdraw, .ignore:
      return step
    }
  }

  // MARK: - Other names

  /// The step for a component of which nothing is installed, and whose bytes, or those that a patch starts from, are
  /// installed under another name; nil if none are.
  private mutating func findElsewhere(
    _ entry: CatalogEntry, in generation: borrowing Generation
  ) throws(Failure) -> PlanStep? {
    if self.digests == nil { self.digests = try InstalledDigests(of: generation) }
    guard let digests else { return nil }
    // What is known to be damaged gets no other name.
    if let same = try digests.component(with: entry.digest, in: generation),
      same.isTree == entry.name.file.isTree, isMapWhole(same, in: generation), isWhole(same, in: generation)
    {
      return .link(entry, same)
    }
    // Of those that need no other one, the smallest.
    let direct = entry.patches.filter { $0.to == nil }.sorted { $0.container.size < $1.container.size }
    for patch in direct + entry.patches.filter({ $0.to != nil }) {
      guard let base = try digests.component(with: patch.from, in: generation),
        isMapWhole(base, in: generation)
      else { continue }
      return .fetch(entry, base: .current(base))
    }
    return nil
  }

  // MARK: - Files

  /// The component's files are there with the sizes that they must have, and not known to be damaged; what cannot be
  /// looked at counts as lost.
  private func isWhole(_ component: InstalledComponent, in generation: borrowing Generation) -> Bool {
    if operation.mends(component.name.id) && damage.part(component, in: generation.number) != nil {
      return false
    }
    do throws(Failure) { return try generation.hasFiles(component) } catch { return false }
  }

  /// The same of the component's map alone, from which a patch can start.
  private func isMapWhole(_ component: InstalledComponent, in generation: borrowing Generation) -> Bool {
    if damage.part(component, in: generation.number) == .component { return false }
    do throws(Failure) { return try generation.hasFile(component) } catch { return false }
  }

  /// The step for a component whose files are lost.
  private mutating func replaceLost(
    _ component: InstalledComponent, by entry: CatalogEntry
  ) throws(Failure) -> PlanStep {
    guard let older = try previous.seek(component.name), older.digest != component.digest else {
      return .fetch(entry, base: .lost(component))
    }
    return .fetch(entry, base: .previous(older, lost: component))
  }

  /// The step for a component of which a newer version stands by, if a patch from that is smaller; nil if none is.
  private mutating func replaceStaged(
    _ component: InstalledComponent, by entry: CatalogEntry
  ) throws(Failure) -> PlanStep? {
    guard let newer = try standby.seek(component.name), newer.digest != component.digest,
      let patch = entry.patch(from: newer.digest)?.container, patch.memory <= memory
    else { return nil }
    let direct = entry.patch(from: component.digest)?.container
    if let direct, direct.memory <= memory, direct.size <= patch.size { return nil }
    return .fetch(entry, base: .standby(newer, insteadOf: component))
  }

  // MARK: - Data groups

  /// What a component would be without the rest of its package.
  private indirect enum Step {
    case decided(PlanStep)
    /// Installed, deselected, and to be removed unless it is all that the package has.
    case deselected(CatalogEntry, InstalledComponent)
  }

  private mutating func take(_ step: Step) {
    switch step {
    case .deselected(let entry, let component):
      finishPackage(before: component.name.id)
      if package.hasSelected {
        decided.append(.remove(component))
      } else {
        deferred.append((entry, component))
      }
    case .decided(let step):
      switch step {
      case .keep(let entry, _), .link(let entry, _), .fetch(let entry, _):
        finishPackage(before: entry.name.id)
        package.hasSelected = true
        for (_, component) in deferred { decided.append(.remove(component)) }
        deferred = []
      case .remove(let component), .withdraw(let component): finishPackage(before: component.name.id)
      case .ignore(let entry): finishPackage(before: entry.name.id)
      }
      decided.append(step)
    }
  }

  /// Ends a package when the next one, `id`, begins, or none: what it would have lost, it keeps if that is all it has.
  private mutating func finishPackage(before id: PackageID?) {
    guard id != package.id else { return }
    for (entry, component) in deferred { decided.append(PlanWalk.kept(component, as: entry)) }
    deferred = []
    package = (id, false)
  }

  private static func kept(_ component: InstalledComponent, as entry: CatalogEntry) -> PlanStep {
    component.digest == entry.digest ? .keep(entry, component) : .fetch(entry, base: .current(component))
  }

  // MARK: - The two lists

  private mutating func walk() throws(Failure) -> Step? {
    while let part = catalog.part {
      if let installed = manifest.component, installed.name.id < part.first { return try dropInstalled() }
      if !concerns(part) {
        try catalog.advance()
      } else if try !catalog.enter() {
        throw .lostPart(firstPackage: part.first.text)
      }
    }
    guard let entry = catalog.entry else { return try dropInstalled() }
    if let installed = manifest.component, installed.name < entry.name { return try dropInstalled() }
    try catalog.advance()
    if let installed = try manifest.take(entry.name) { return replace(installed, by: entry) }
    let id = entry.name.id
    let isInstalled = id == lastInstalledID || manifest.isAt(id)
    if case .install = operation { matched.note(id) }
    let follows = successions.follow(with: id) && !operation.except.includes(id)
    let isWanted =
      operation.wants(id, isInstalled: isInstalled || follows)
      && groups.isSelected(entry.name.dataGroup)
      && (changesGroups || !isInstalled)
    return .decided(isWanted ? .fetch(entry, base: .none) : .ignore(entry))
  }

  /// The part may list something that is installed, or to be installed.
  private func concerns(_ part: CatalogPart) -> Bool {
    if let installed = manifest.component, installed.name.id <= part.last { return true }
    if successions.mayBeListed(in: part) { return true }
    if case .install(let ids, _, _) = operation { return part.mayList(ids) }
    return false
  }

  private mutating func replace(_ component: InstalledComponent, by entry: CatalogEntry) -> Step {
    lastInstalledID = component.name.id
    matched.note(component.name.id)
    guard operation.wants(component.name.id, isInstalled: true) else { return .decided(.remove(component)) }
    if changesGroups && !groups.isSelected(component.name.dataGroup) { return .deselected(entry, component) }
    return .decided(PlanWalk.kept(component, as: entry))
  }

  /// Takes an installed component that the catalog does not list.
  private mutating func dropInstalled() throws(Failure) -> Step? {
    guard let next = manifest.component else { return nil }
    _ = try manifest.take(next.name)
    lastInstalledID = next.name.id
    matched.note(next.name.id)
    let isWanted = operation.wants(next.name.id, isInstalled: true)
    return .decided(isWanted ? .withdraw(next) : .remove(next))
  }
}
