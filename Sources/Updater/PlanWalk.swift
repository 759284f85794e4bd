package import Catalog
internal import Platform
package import Store

/// Which packages a generation is to have, given what is installed.
package enum Operation: Equatable {
  /// The installed ones, at the newest release.
  ///
  /// All of them, whatever ids are named: a device is at one release. Named ones make it a person's wish.
  case update(of: [String] = [])
  /// The installed ones and these, or all packages of these regions; but none of those excepted.
  case install([String], except: [String] = [])
  /// The installed ones without these, or all packages of these regions; the excepted ones stay.
  case uninstall([String], except: [String] = [])

  /// The name of the command.
  package var word: String {
    switch self {
    case .update: "apply"
    case .install: "install"
    case .uninstall: "uninstall"
    }
  }

  /// The packages and regions that it is about.
  package var ids: [String] {
    switch self {
    case .update(let ids), .install(let ids, _), .uninstall(let ids, _): ids
    }
  }

  package func wants(_ id: String, isInstalled: Bool) -> Bool {
    switch self {
    case .update: isInstalled
    case .install(let ids, let except):
      isInstalled || Operation.regions(ids, contain: id) && !Operation.regions(except, contain: id)
    case .uninstall(let ids, let except):
      isInstalled && (!Operation.regions(ids, contain: id) || Operation.regions(except, contain: id))
    }
  }

  /// One of `regions` is the package itself, or a node above it.
  package static func regions(_ regions: [String], contain id: String) -> Bool {
    regions.contains { region($0, contains: id) }
  }

  /// `region` is the package itself, or a node above it.
  package static func region(_ region: String, contains id: String) -> Bool {
    id.utf8.starts(with: region.utf8)
      && (id.utf8.count == region.utf8.count
        || id.utf8.dropFirst(region.utf8.count).first == UInt8(ascii: "/"))
  }
}

/// What becomes of one component.
package enum PlanStep: Equatable {
  /// Is installed as the catalog lists it, and stays.
  case keep(CatalogEntry)
  /// Is fetched; `installed` is the older one, if there is one.
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
/// That takes the memory of one entry of each, however many there are.
package struct PlanWalk: ~Copyable {
  private var catalog: CatalogReader<XZSource>
  private var manifest: ManifestReader?
  private var entry: CatalogEntry?
  private var installed: InstalledComponent?
  private var lastInstalledID = ""
  private let operation: Operation
  private var hasMatched: [Bool]

  /// `manifest`: of the current generation; nil if nothing is installed.
  init(
    _ catalog: consuming CatalogReader<XZSource>, _ manifest: consuming ManifestReader?,
    _ operation: Operation
  ) throws(UpdateError) {
    var manifest = manifest
    let first = try PlanWalk.next(&manifest)
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

  /// What becomes of the next component; nil behind the last.
  package mutating func next() throws(UpdateError) -> PlanStep? {
    if entry == nil {
      do throws(CatalogError) { entry = try catalog.next() } catch { throw .catalog(error) }
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
    let isInstalled = lastInstalledID == entry.name.id || installed?.id == entry.name.id
    if case .install = operation { note(entry.name.id) }
    return operation.wants(entry.name.id, isInstalled: isInstalled)
      ? .fetch(entry, installed: nil) : .ignore(entry)
  }

  private mutating func replace(_ component: InstalledComponent, by entry: CatalogEntry) throws(UpdateError)
    -> PlanStep
  {
    try advance(past: component)
    note(component.id)
    guard operation.wants(component.id, isInstalled: true) else { return .remove(component) }
    return component.digest == entry.digest ? .keep(entry) : .fetch(entry, installed: component)
  }

  /// Takes an installed component that the catalog does not list.
  private mutating func dropInstalled() throws(UpdateError) -> PlanStep? {
    guard let component = installed else { return nil }
    try advance(past: component)
    note(component.id)
    return operation.wants(component.id, isInstalled: true) ? .withdraw(component) : .remove(component)
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

  private static func next(_ manifest: inout ManifestReader?) throws(UpdateError) -> InstalledComponent? {
    guard var reader = manifest.take() else { return nil }
    let component: InstalledComponent?
    do throws(StoreError) { component = try reader.next() } catch { throw .store(error) }
    manifest = consume reader
    return component
  }
}

extension InstalledComponent {
  package var name: ComponentName { ComponentName(id: id, dataGroup: dataGroup) }
}
