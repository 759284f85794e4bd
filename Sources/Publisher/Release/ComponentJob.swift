internal import Catalog
internal import Crypto
internal import DeltaCreate
internal import Platform
internal import Reporting

/// The work on one component of a release: its file, the packed form, the patches.
struct ComponentJob: Sendable {
  let repository: Repository
  let component: HashedComponent
  /// Older components that patches start from, each with another digest, the newest first.
  let bases: [Base]
  /// The component that a device at the previous release starts from; nil without one.
  private let installed: CatalogEntry?
  /// Older components from which there is no worthwhile patch, as an earlier release found.
  private let worthless: [Base]
  /// How the packed form is made.
  let packing: SearchBudget
  /// The payloads that the releases in the window list.
  let payloads: PayloadIndex
  /// The payloads that were made for this release before.
  let cache: PayloadCache
  /// Patches are made, and those of the previous release carried over.
  let carriesPatches: Bool
  /// Its file shares blocks with that of the input, where possible.
  var isSharing = false
  /// The processors that help.
  var processors = Processors.none
  /// Called with the progress of work that takes long.
  var observe: WorkEvent.Observer = { _ in }

  /// An older component, and how matches in it are searched for.
  struct Base: Sendable {
    let entry: CatalogEntry
    let plan: SearchBudget
  }

  /// Takes the bases from the releases in `window`, the newest first; without any there are no patches.
  ///
  /// - `previousHadPatches`: the newest of them was made with patches from the one before it. An unchanged component
  ///   without a patch from there had no worthwhile one then, so it has none now.
  /// - `memory`: the bytes that searching for matches may take.
  init(
    of component: HashedComponent, in repository: Repository, window: [CatalogIndex],
    origins: Origins = Origins(), previousHadPatches: Bool, payloads: PayloadIndex, cache: PayloadCache,
    memory: Int
  ) {
    self.repository = repository
    self.component = component
    self.payloads = payloads
    self.cache = cache
    carriesPatches = !window.isEmpty
    var (bases, worthless): ([Base], [Base]) = ([], [])
    for (age, release) in window.enumerated() {
      for entry in origins.bases(of: component, in: release) where entry.digest != component.digest {
        if (bases + worthless).contains(where: { $0.entry.digest == entry.digest }) { continue }
        let pair = ComponentJob.pair(from: entry, to: component, in: repository)
        let base = Base(entry: entry, plan: pair.plan(limit: memory))
        let isWorthless = age == 1 && previousHadPatches && component.isUnchanged
        if isWorthless && component.previous?.patch(from: entry.digest) == nil {
          worthless.append(base)
        } else {
          bases.append(base)
        }
      }
    }
    self.bases = bases
    installed =
      component.previous ?? window.first.flatMap { origins.named(component.description.name, in: $0).first }
    self.worthless = worthless
    packing = ComponentJob.pair(from: nil, to: component, in: repository).plan(limit: memory)
  }

  /// How the payload from this base is made; nil: the packed form.
  func recipe(from base: Base?) -> PayloadCache.Recipe {
    PayloadCache.Recipe(old: base?.entry.digest, new: component.digest, plan: base?.plan ?? packing)
  }

  /// How all payloads are made that may be needed now, or by a later release.
  var recipes: [PayloadCache.Recipe] { ([nil] + bases + worthless).map { recipe(from: $0) } }

  static func pair(
    from base: CatalogEntry?, to component: HashedComponent, in repository: Repository
  ) -> PatchPair {
    PatchPair(
      old: base.map { "\(repository.path)/\($0.url)" }, oldSize: base?.size ?? 0,
      new: "\(repository.path)/\(component.url)", newSize: component.size)
  }

  /// Bytes to be processed, roughly.
  var weight: UInt64 {
    let missing = bases.count {
      component.previous?.patch(from: $0.entry.digest) == nil || !component.isUnchanged
    }
    return component.size * UInt64(missing + (component.isUnchanged ? 0 : 2))
  }

  /// The bytes of memory that making the payloads takes.
  var memoryNeeded: Int {
    weight == 0 ? 0 : bases.reduce(packing.memory) { max($0, $1.plan.memory) }
  }

  /// How payloads were searched for matches.
  private struct Search {
    /// The plan of each patch that was made.
    var patches: [SearchBudget] = []
    /// The plan of the packed form; nil if it was not made.
    var packed: SearchBudget?
    /// What became of the streams in the first payload of those, patches before the packed form.
    var streams: StreamFigures?
    /// The streams that could not be rebuilt, for each base whose patch was made for this release.
    var notRebuilt: [Digest: Report.NotRebuilt] = [:]

    /// The plan that says most about the patches: matching by blocks wherever that occurs, else the largest search.
    var plan: SearchBudget? {
      patches.first { $0.index == .blocks } ?? patches.max { $0.memory < $1.memory } ?? packed
    }
  }

  /// Makes the missing files, and gives them their names.
  func run() throws(PublisherError) -> ComponentReport {
    let started = Clock.milliseconds
    let workspace = try Workspace(repository)
    let storage = try workspace.store(component, isSharing: isSharing)
    var entry = CatalogEntry(
      description: component.description, url: component.url, size: component.size, digest: component.digest)
    entry.files = component.input.fileCount
    var search = Search()
    entry.packed = try packed(in: workspace, search: &search)
    for base in bases {
      guard
        let container = try patch(from: base, insteadOf: entry.fullDownload, in: workspace, search: &search)
      else {
        continue
      }
      entry.patches.append(Patch(from: base.entry.digest, container: container))
    }
    if carriesPatches {
      entry.patches += try CarriedPatches.patches(for: entry, from: installed) {
        (container) throws(PublisherError) in
        try exists(container, in: workspace)
      }
    }
    return ComponentReport(
      entry: entry, previous: component.previous, base: installed, plan: search.plan, streams: search.streams,
      notRebuilt: installed.flatMap { search.notRebuilt[$0.digest] }, storage: storage,
      milliseconds: Clock.milliseconds - started)
  }

  private func packed(
    in workspace: borrowing Workspace, search: inout Search
  ) throws(PublisherError) -> Container? {
    if component.isUnchanged {
      // None was worthwhile then, so none is now.
      guard let carried = component.previous?.packed else { return nil }
      if try exists(carried, in: workspace) { return carried }
    }
    return try payload(from: nil, in: workspace, search: &search) {
      PayloadPolicy.keepsPacked($0, insteadOf: component.size)
    }
  }

  private func patch(
    from base: Base, insteadOf full: UInt64, in workspace: borrowing Workspace, search: inout Search
  ) throws(PublisherError) -> Container? {
    if component.isUnchanged, let carried = component.previous?.patch(from: base.entry.digest)?.container,
      try exists(carried, in: workspace)
    {
      return carried
    }
    return try payload(from: base, in: workspace, search: &search) {
      PayloadPolicy.keepsPatch($0, insteadOf: full)
    }
  }

  /// Finds or makes a payload; nil if it is not worthwhile, or the base is no longer in the repository.
  private func payload(
    from base: Base?, in workspace: borrowing Workspace, search: inout Search, isWorthwhile: (UInt64) -> Bool
  ) throws(PublisherError) -> Container? {
    if let base, try workspace.size(of: base.entry.url) != base.entry.size { return nil }
    let recipe = recipe(from: base)
    let pair = ComponentJob.pair(from: base?.entry, to: component, in: repository)
    if let listed = payloads[recipe.old, recipe.new], try exists(listed, in: workspace),
      try PayloadCheck(pair: pair).accepts(listed, at: workspace.path(of: listed.url))
    {
      return isWorthwhile(listed.size) ? listed : nil
    }
    let container: Container
    switch try cache.find(recipe, in: workspace) {
    case .notWorthwhile: return nil
    case .payload(let found)
    where try PayloadCheck(pair: pair).accepts(found, at: workspace.path(of: cache.name(recipe))):
      container = found
      if let old = recipe.old { search.notRebuilt[old] = try cache.notRebuilt(recipe, in: workspace) }
    case .payload, nil:
      let new = try cache.produce(
        recipe, between: pair, in: workspace, helpedBy: processors,
        observe: WorkEvent.late(component.description.name, to: observe))
      if base == nil || search.patches.isEmpty { search.streams = new.streams }
      if base == nil { search.packed = recipe.plan } else { search.patches.append(recipe.plan) }
      if let old = recipe.old { search.notRebuilt[old] = Report.NotRebuilt(new.streams) }
      container = new.container
    }
    guard isWorthwhile(container.size) else {
      try cache.dismiss(recipe, in: workspace)
      return nil
    }
    try workspace.link(cache.name(recipe), as: container.url)
    return container
  }

  private func exists(_ container: Container, in workspace: borrowing Workspace) throws(PublisherError)
    -> Bool
  {
    try workspace.size(of: container.url) == container.size
  }

  /// The payloads that `run` would have to make: their bases, nil for the packed form.
  func missing() throws(PublisherError) -> [Base?] {
    let workspace = try Workspace(repository)
    var missing: [Base?] = []
    for base in [nil] + bases where try !isSettled(base, in: workspace) { missing.append(base) }
    return missing
  }

  /// The payload from this base is there, or will not be made.
  private func isSettled(_ base: Base?, in workspace: borrowing Workspace) throws(PublisherError) -> Bool {
    let recipe = recipe(from: base)
    if let base, try workspace.size(of: base.entry.url) != base.entry.size { return true }
    if component.isUnchanged {
      let carried =
        if let base { component.previous?.patch(from: base.entry.digest)?.container } else {
          component.previous?.packed
        }
      if carried == nil && base == nil { return true }
      if let carried, try exists(carried, in: workspace) { return true }
    }
    if let listed = payloads[recipe.old, recipe.new], try exists(listed, in: workspace) { return true }
    return try cache.find(recipe, in: workspace) != nil
  }
}
