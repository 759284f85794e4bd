internal import Catalog
internal import Crypto
internal import DeltaCreate
internal import Platform

/// All that is made for one component of a release: its file, the packed form, the patches.
struct ComponentJob: Sendable {
  let repository: Repository
  let component: HashedComponent
  /// Older components of the same name, each with another digest, the newest first.
  let bases: [CatalogEntry]
  let payloads: PayloadIndex
  /// Patches are wanted, those of the release before among them.
  let carriesPatches: Bool

  /// Takes the bases from the releases in `window`, the newest first; without any there are no patches.
  ///
  /// `previousHadPatches`: the newest of them was made with patches from the one before it. An unchanged component without
  /// a patch from there had none that was worth it then, so it has none now.
  init(
    of component: HashedComponent, in repository: Repository, window: [CatalogIndex],
    previousHadPatches: Bool, payloads: PayloadIndex
  ) {
    self.repository = repository
    self.component = component
    self.payloads = payloads
    carriesPatches = !window.isEmpty
    var bases: [CatalogEntry] = []
    for (age, release) in window.enumerated() {
      guard let entry = release[component.description.name], entry.digest != component.digest,
        !bases.contains(where: { $0.digest == entry.digest })
      else { continue }
      let isWorthless = age == 1 && previousHadPatches && component.isUnchanged
      if isWorthless && component.previous?.patch(from: entry.digest) == nil { continue }
      bases.append(entry)
    }
    self.bases = bases
  }

  /// Bytes that have to be gone through, more or less.
  var weight: UInt64 {
    let missing = bases.count { component.previous?.patch(from: $0.digest) == nil || !component.isUnchanged }
    return component.size * UInt64(missing + (component.isUnchanged ? 0 : 2))
  }

  /// The bytes that making the payloads takes, of the `memory` that searching for matches may take.
  func memoryNeeded(of memory: Int) -> Int {
    weight == 0 ? 0 : PatchMaker.memoryNeeded(largestFile, of: memory)
  }

  private var largestFile: Int {
    bases.reduce(Int(clamping: component.size)) { max($0, Int(clamping: $1.size)) }
  }

  /// Makes what is missing, and puts it in its place.
  ///
  /// - `memory`: bytes that searching for matches may take.
  func run(memory: Int) throws(PublisherError) -> ComponentReport {
    let started = Clock.milliseconds
    let workspace = try Workspace(repository)
    try workspace.store(component)
    var entry = CatalogEntry(
      description: component.description, url: component.url, size: component.size, digest: component.digest)
    var unsearched = 0
    entry.packed = try packed(workspace, memory, &unsearched)
    for base in bases {
      guard let container = try patch(from: base, entry.fullDownload, workspace, memory, &unsearched)
      else { continue }
      entry.patches.append(Patch(from: base.digest, container: container))
    }
    if carriesPatches {
      entry.patches += try CarriedPatches.patches(for: entry, from: component.previous) {
        (container) throws(PublisherError) in
        try exists(container, workspace)
      }
    }
    return ComponentReport(
      entry: entry, previous: component.previous,
      isByBlocks: !bases.isEmpty && !PatchMaker.matchesSuffixes(largestFile, memory),
      unsearched: unsearched,
      milliseconds: Clock.milliseconds - started)
  }

  private func packed(
    _ workspace: borrowing Workspace, _ memory: Int, _ unsearched: inout Int
  ) throws(PublisherError) -> Container? {
    if component.isUnchanged {
      // None was worth it then, so none is now.
      guard let carried = component.previous?.packed else { return nil }
      if try exists(carried, workspace) { return carried }
    }
    return try payload(from: nil, workspace, memory, &unsearched) {
      PayloadPolicy.keepsPacked($0, insteadOf: component.size)
    }
  }

  private func patch(
    from base: CatalogEntry, _ full: UInt64, _ workspace: borrowing Workspace, _ memory: Int,
    _ unsearched: inout Int
  ) throws(PublisherError) -> Container? {
    if component.isUnchanged, let carried = component.previous?.patch(from: base.digest)?.container,
      try exists(carried, workspace)
    {
      return carried
    }
    return try payload(from: base, workspace, memory, &unsearched) {
      PayloadPolicy.keepsPatch($0, insteadOf: full)
    }
  }

  /// Finds or makes a payload; nil if it is not worth it, or the base is no longer in the repository.
  private func payload(
    from base: CatalogEntry?, _ workspace: borrowing Workspace, _ memory: Int, _ unsearched: inout Int,
    isWorthwhile: (UInt64) -> Bool
  ) throws(PublisherError) -> Container? {
    if let base, try workspace.size(of: base.url) != base.size { return nil }
    let file = FileDigest(size: component.size, digest: component.digest)
    let root = repository.path
    let old = base.map { (path: "\(root)/\($0.url)", digest: $0.digest) }
    let new = (path: "\(root)/\(component.url)", file: file)
    if let found = payloads[base?.digest, component.digest],
      try PayloadMaker.makes(new, found, at: "\(root)/\(found.url)", from: old?.path)
    {
      return isWorthwhile(found.size) ? found : nil
    }
    let name = "\(component.digest.hex)-\(base?.digest.hex ?? "packed").patch"
    let (made, passedOver) = try PayloadMaker.make(
      from: old, to: new, as: name, memory: memory, in: workspace)
    unsearched += passedOver
    guard isWorthwhile(made.size) else {
      try workspace.discard(name)
      return nil
    }
    try workspace.publish(name, as: made.url)
    return made
  }

  private func exists(_ container: Container, _ workspace: borrowing Workspace) throws(PublisherError)
    -> Bool
  {
    try workspace.size(of: container.url) == container.size
  }
}
