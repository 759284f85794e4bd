internal import Catalog
internal import Crypto
internal import MapModel
internal import MapTree
internal import Platform
internal import Store

/// One operation on its way from the current generation to a release.
///
/// `survey`, `stage` and `commit` follow one another; each walks through the release once (`walk`). The store is passed
/// to them, as it is open for longer than a run.
struct Run: ~Copyable {
  let operation: Operation
  let target: CatalogedRelease
  /// The current generation.
  let generation: Generation
  /// The one before it, empty if it cannot be read: maps that are lost can come by a patch from its files.
  let previous: Generation
  /// The one that stands by, empty if there is none: a patch from its files may be smaller.
  let standby: Generation
  let damage: DamageNote
  let groups: DataGroups
  private let settings: SharedConfiguration
  let events: ActivityPublisher
  let heartbeat: Heartbeat
  var stager: Stager
  var figures = RunFigures()
  /// The parts of the target's catalog that list what is installed or to be installed.
  var parts: [CatalogReference] = []
  /// The first components that the plan fetches.
  var firstNames: [ComponentName] = []
  /// What the server did not give to this device.
  var refusals = Refusals()
  /// Packages that the new generation does not have because of that.
  var leftOut: [PackageID] = []
  /// Those of them that the device owes.
  var missing: [PackageID] = []

  init(
    _ operation: Operation, from generation: consuming Generation, to target: CatalogedRelease,
    previous: consuming Generation = Generation(), standby: consuming Generation = Generation(),
    context: RunContext, updater: borrowing Updater
  ) {
    self.operation = operation
    self.target = target
    self.generation = generation
    self.previous = previous
    self.standby = standby
    damage = context.damage
    groups = context.groups
    settings = updater.settings
    events = updater.events
    heartbeat = updater.heartbeat
    stager = Stager(
      memory: updater.configuration.containerMemory, unusable: context.unusable,
      repository: updater.repository,
      events: updater.events,
      heartbeat: updater.heartbeat)
    if updater.configuration.download.fallback == .never { stager.refusesFull = updater.repository.isMetered }
  }

  var configuration: Configuration { _read { yield settings.value } }

  /// The component takes the place of one that the user has or had, so that `fallback` applies to it.
  func replaces(_ installed: InstalledComponent?) -> Bool {
    switch operation {
    case .update: installed != nil
    case .install, .uninstall, .repair, .area: operation.isOwed
    }
  }

  /// Walks through everything that the operation does, in the order of the catalog.
  @inline(never)  // 10 KB at each of its calls
  func walk(_ store: borrowing Store) throws(Failure) -> PlanWalk {
    let catalog = try store.openCatalog(target, from: generation)
    let parts = store.catalogParts(from: generation)
    let before = try Run.componentsIfWhole(of: previous)
    let staged = try Run.componentsIfWhole(of: standby)
    let successions = try successions(store)
    return try PlanWalk(
      catalog, parts: parts, manifest: try generation.components(), previous: before,
      standby: staged, memory: stager.memory, damage: damage,
      successions: successions, for: operation, groups: groups, without: leftOut)
  }

  /// The packages that take the place of others.
  private func successions(_ store: borrowing Store) throws(Failure) -> Successions {
    let catalog = try store.openCatalog(target, from: generation)
    return try operation.successions(catalog, installed: try generation.components())
  }

  private static func componentsIfWhole(
    of generation: borrowing Generation
  ) throws(Failure) -> ManifestReader? {
    do throws(Failure) { return try generation.components() } catch {
      guard case .noMemory = error else { return nil }
      throw error
    }
  }

  /// Bytes and files that the file system has left.
  func space(_ store: borrowing Store) throws(Failure) -> Space { try store.space() }
}
