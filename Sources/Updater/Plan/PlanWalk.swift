package import Catalog
package import MapModel
internal import MapTree
internal import Platform
package import Store

/// What becomes of one component.
package enum PlanStep: Equatable {
  /// Is installed as the catalog lists it, and stays.
  case keep(CatalogEntry, InstalledComponent)
  /// Is fetched; `installed` is the older one, if there is one, or the same one if its file is lost.
  case fetch(CatalogEntry, installed: InstalledComponent?)
  /// Goes, because it was asked for.
  case remove(InstalledComponent)
  /// Goes, because the release does not have it any more.
  case withdraw(InstalledComponent)
  /// Is in the catalog and not wanted.
  case ignore(CatalogEntry)
}

/// Walks through a catalog and a manifest side by side, both in the order of their names.
///
/// That takes the memory of one entry of each, however many there are; and of the entries of one package that are
/// installed and deselected, until it is known whether it has another one.
///
/// The selection of data groups holds for what is installed anew. Packages that are installed follow it in an update,
/// and whenever the release changes; in other operations they stay as they are. A package that would lose every
/// component keeps those it has.
package struct PlanWalk: ~Copyable {
  private var catalog: CatalogReader<XZSource>
  private var manifest: ManifestReader?
  private var entry: CatalogEntry?
  private var installed: InstalledComponent?
  private var lastInstalledID = ""
  private let operation: Operation
  private var hasMatched: [Bool]
  private let groups: DataGroups
  /// Installed packages follow the selection.
  private let changesGroups: Bool
  /// The package that the walk is at, and whether it is known to have a component that is selected.
  private var package = (id: "", hasSelected: false)
  /// Its components that are installed and deselected, as long as it has no other.
  private var spared: [(entry: CatalogEntry, installed: InstalledComponent)] = []
  /// What was decided and not told yet.
  private var decided: [PlanStep] = []

  /// `manifest`: of the current generation; nil if nothing is installed.
  init(
    _ catalog: consuming CatalogReader<XZSource>, _ manifest: consuming ManifestReader?,
    _ operation: Operation, _ groups: DataGroups
  ) throws(UpdateError) {
    var manifest = manifest
    let (release, first) = try PlanWalk.begin(&manifest)
    let isUpdate = if case .update = operation { true } else { false }
    changesGroups = isUpdate || release != catalog.release.number
    self.groups = groups
    self.catalog = catalog
    self.manifest = manifest
    installed = first
    self.operation = operation
    hasMatched = operation.ids.map { _ in false }
  }

  /// The ids of the operation that nothing so far belonged to.
  package var unmatched: [String] {
    var ids: [String] = []
    for (index, id) in operation.ids.enumerated() where !hasMatched[index] { ids.append(id) }
    return ids
  }

  /// What becomes of the next component; nil after the last.
  ///
  /// - `generation`: the one that the manifest is of, to see whether what is to stay is there.
  package mutating func next(from generation: borrowing Generation?) throws(UpdateError) -> PlanStep? {
    while decided.isEmpty {
      guard let step = try walk() else {
        settle(package: "")
        break
      }
      take(step)
    }
    if decided.isEmpty { return nil }
    let step = decided.removeFirst()
    guard case .keep(let entry, let component) = step, !PlanWalk.hasFiles(component, in: generation) else {
      return step
    }
    return .fetch(entry, installed: component)
  }

  /// The component's files are there with the sizes that they must have; what cannot be looked at counts as lost.
  private static func hasFiles(
    _ component: InstalledComponent, in generation: borrowing Generation?
  ) -> Bool {
    switch generation {
    case .some(let generation):
      do throws(StoreError) { return try generation.hasFiles(component) } catch { return false }
    case .none: return true
    }
  }

  // MARK: - Data groups

  /// What a component would be without a look at the rest of its package.
  private enum Step {
    case decided(PlanStep)
    /// Installed, deselected, and to go unless it is all that the package has.
    case deselected(CatalogEntry, InstalledComponent)
  }

  private mutating func take(_ step: Step) {
    switch step {
    case .deselected(let entry, let component):
      settle(package: component.id)
      if package.hasSelected {
        decided.append(.remove(component))
      } else {
        spared.append((entry, component))
      }
    case .decided(let step):
      switch step {
      case .keep(let entry, _), .fetch(let entry, _):
        settle(package: entry.name.id)
        package.hasSelected = true
        for (_, component) in spared { decided.append(.remove(component)) }
        spared = []
      case .remove, .withdraw, .ignore: break
      }
      decided.append(step)
    }
  }

  /// Ends a package when the next one begins: what it would have lost, it keeps if that is all it has.
  private mutating func settle(package id: String) {
    guard !id.utf8.elementsEqual(package.id.utf8) else { return }
    for (entry, component) in spared { decided.append(PlanWalk.staying(component, entry)) }
    spared = []
    package = (id, false)
  }

  private static func staying(_ component: InstalledComponent, _ entry: CatalogEntry) -> PlanStep {
    component.digest == entry.digest ? .keep(entry, component) : .fetch(entry, installed: component)
  }

  // MARK: - The two lists

  private mutating func walk() throws(UpdateError) -> Step? {
    if entry == nil {
      entry = try wrap(catalog: catalog.next())
    }
    guard let entry else { return try dropInstalled() }
    if let installed {
      if installed.name < entry.name { return try dropInstalled() }
      if installed.name == entry.name {
        self.entry = nil
        return try replace(installed, by: entry)
      }
    }
    self.entry = nil
    let id = entry.name.id.utf8
    let isInstalled =
      id.elementsEqual(lastInstalledID.utf8) || installed.map { id.elementsEqual($0.id.utf8) } ?? false
    if case .install = operation { note(entry.name.id) }
    let isWanted =
      operation.wants(entry.name.id, isInstalled: isInstalled) && groups.isSelected(entry.name.dataGroup)
      && (changesGroups || !isInstalled)
    return .decided(isWanted ? .fetch(entry, installed: nil) : .ignore(entry))
  }

  private mutating func replace(_ component: InstalledComponent, by entry: CatalogEntry) throws(UpdateError)
    -> Step
  {
    try advance(past: component)
    note(component.id)
    guard operation.wants(component.id, isInstalled: true) else { return .decided(.remove(component)) }
    if changesGroups && !groups.isSelected(component.dataGroup) { return .deselected(entry, component) }
    return .decided(PlanWalk.staying(component, entry))
  }

  /// Takes an installed component that the catalog does not list.
  private mutating func dropInstalled() throws(UpdateError) -> Step? {
    guard let component = installed else { return nil }
    try advance(past: component)
    note(component.id)
    let isWanted = operation.wants(component.id, isInstalled: true)
    return .decided(isWanted ? .withdraw(component) : .remove(component))
  }

  private mutating func advance(past component: InstalledComponent) throws(UpdateError) {
    lastInstalledID = component.id
    installed = try PlanWalk.next(&manifest)
  }

  private mutating func note(_ id: String) {
    for (index, region) in operation.ids.enumerated() where Operation.region(region, contains: id) {
      hasMatched[index] = true
    }
  }

  /// The release that is installed, and its first component.
  private static func begin(
    _ manifest: inout ManifestReader?
  ) throws(UpdateError) -> (release: UInt64?, first: InstalledComponent?) {
    guard var reader = manifest.take() else { return (nil, nil) }
    let component = try wrap(store: reader.next())
    let release = reader.release.release.number
    manifest = consume reader
    return (release, component)
  }

  private static func next(_ manifest: inout ManifestReader?) throws(UpdateError) -> InstalledComponent? {
    guard var reader = manifest.take() else { return nil }
    let component = try wrap(store: reader.next())
    manifest = consume reader
    return component
  }
}
