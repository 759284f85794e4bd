internal import Catalog
internal import DeltaCreate
internal import MapModel
internal import Platform
internal import Releases

/// The steps from the input to the catalog, 3 to 6.
extension Publication {
  /// The result of step 3.
  struct Prepared {
    let release: Release
    let hashed: [HashedComponent]
    let jobs: [ComponentJob]
    let regions: RegionNames
    /// How ids follow from the names of files.
    let layout: NameLayout?
    let replaced: ReplacedPackages
    /// Components of the previous release that are not in this one.
    let gone: [ComponentName]
    /// The packages among them.
    let lost: LostPackages
    /// Parts of the previous release's catalog.
    let parts: [CatalogPart]
    /// The input is a directory, most of whose files may be the same the next time.
    let hasFolder: Bool
  }

  /// Reads the input, and compares it with the releases in `served`.
  func prepare(
    _ directory: borrowing Directory, after served: [ServedRelease], observe: (ReleaseEvent) -> Void
  ) async throws(PublisherError) -> Prepared {
    let release = try next(after: served)
    let window = try served.suffix(max(options.patchReleases, 1)).reversed().map {
      (served) throws(PublisherError) in
      try repository.catalog(of: served)
    }
    let newest = window.first ?? CatalogIndex()
    let payloads = PayloadIndex(window)
    let cache = PayloadCache(for: release.number)
    let layout = try layout(of: directory)
    let (found, hasFolder) = try read(
      directory, for: release, by: layout, after: served, newest: newest, observe: observe)
    observe(.ignored(found.ignored))
    observe(.warned(found.warnings))
    try checkForm(of: found.components, after: newest)
    let ids = Set(found.components.map(\.description.name.id))
    let replaced = try replacedPackages(found, ids, by: layout, in: release, after: served, newest: newest)
    if let first = replaced.unknown.first {
      observe(.warned([.unknownReplaced(first: first, others: replaced.unknown.count - 1)]))
    }
    let gone = newest.gone(in: found.components.map(\.description.name)).filter { !replaced.replaces($0.id) }
    observe(.gone(gone))
    var lost = LostPackages(Set(gone.map(\.id)).subtracting(ids).sorted())
    // Without a new package, none can be a successor.
    if ids.allSatisfy(newest.hasPackage) { try checkRemovals(gone, lost) }
    let hashed = try await hashComponents(
      found.components, for: release, after: newest, known: KnownInputs(of: directory), observe: observe)
    var origins = Origins(replaced)
    origins.related = try await RelatedContent(
      of: hashed.filter { origins.named($0.description.name, in: newest).isEmpty }, gone: lost.ids,
      after: newest, in: repository, jobs: options.jobs)
    let new = hashed.map(\.description.name).filter { newest[$0] == nil }
    lost.successors = origins.related.successors.with(versionsOf: gone, in: new)
    try checkRemovals(gone, lost)
    let bases = Array(window.prefix(options.patchReleases))
    let previousHadPatches = bases.count > 1 && bases[0].hasPatches(from: bases[1])
    let jobs = hashed.map {
      ComponentJob(
        of: $0, in: repository, window: bases, origins: origins,
        previousHadPatches: previousHadPatches, payloads: payloads, cache: cache, memory: options.memory)
    }
    let unused = try cache.unused(jobs.flatMap(\.recipes), in: directory)
    if unused > 0 { observe(.warned([.unusedPayloads(unused, path: "\(repository.path)/\(cache.folder)")])) }
    return Prepared(
      release: release, hashed: hashed, jobs: jobs, regions: found.regions, layout: layout,
      replaced: replaced, gone: gone, lost: lost, parts: newest.parts, hasFolder: hasFolder)
  }

  /// Finds the components of the release.
  private func read(
    _ directory: borrowing Directory, for release: Release, by layout: NameLayout?,
    after served: [ServedRelease], newest: CatalogIndex, observe: (ReleaseEvent) -> Void
  ) throws(PublisherError) -> (found: InputScanner.Found, hasFolder: Bool) {
    switch input {
    case .release(let label):
      guard let older = served.last(where: { Identifier.isSame($0.label, label) }) else {
        throw .label(.unknown(label, path: repository.path))
      }
      let index = try repository.catalog(of: older)
      return (InputScanner.Found(repeating: index, after: newest, in: repository), false)
    case .files(let path):
      let source = try InputSource(path, of: directory, observe: observe)
      let found = try InputScanner.scan(
        source, release: release, form: options.form ?? .plain, names: layout
      ) { id, dataGroup in
        let group = newest.components(of: id).filter {
          $0.name.dataGroup == dataGroup && !$0.name.isDescribed
        }
        return group.isEmpty ? nil : group.contains { $0.name.file.isTree }
      }
      return (found, !source.isUnpacked)
    }
  }

  /// The layout of the names: from the command line, or as in the last release.
  private func layout(of directory: borrowing Directory) throws(PublisherError) -> NameLayout? {
    switch options.layout {
    case .recorded: try RecordedLayout.read(in: directory)
    case .none: nil
    case .named(let layout): layout
    }
  }

  private func replacedPackages(
    _ found: InputScanner.Found, _ ids: Set<PackageID>, by layout: NameLayout?, in release: Release,
    after served: [ServedRelease], newest: CatalogIndex
  ) throws(PublisherError) -> ReplacedPackages {
    var declared = found.replaced
    if let layout {
      // The first release with this layout has other ids for the same files.
      for name in newest.entries.map(\.name) where !name.isDescribed && !ids.contains(name.id) {
        guard let id = InputLayout.id(of: name.file, by: layout), ids.contains(id) else { continue }
        if !(declared[id]?.contains(name.id) ?? false) { declared[id, default: []].append(name.id) }
      }
    }
    return try ReplacedPackages(declared, of: ids, in: release.number, after: newest) {
      (id) throws(PublisherError) in
      for older in served.dropLast().reversed() where try repository.catalog(of: older).hasPackage(id) {
        return true
      }
      return false
    }
  }

  /// Refuses a release that lacks more components than are allowed.
  private func checkRemovals(_ gone: [ComponentName], _ lost: LostPackages) throws(PublisherError) {
    if let refusal = refusal(gone, lost) { throw refusal }
  }

  /// Why a release without these components is refused; nil: it is not.
  func refusal(_ gone: [ComponentName], _ lost: LostPackages) -> PublisherError? {
    let allowed = options.allowedRemovals
    guard gone.count > allowed else { return nil }
    return .input(.componentsGone(count: gone.count, allowed: allowed, path: input.text, lost: lost))
  }

  /// Refuses to turn `.dat` files into plain ones unless that was asked for: programs that read them would not expect it.
  private func checkForm(
    of components: [InputComponent], after newest: CatalogIndex
  ) throws(PublisherError) {
    guard options.form == nil else { return }
    for component in components where component.kind == .plain {
      let name = component.description.name
      if newest[ComponentName(id: name.id, dataGroup: name.dataGroup)] != nil {
        throw .input(.formChanges(path: component.path, old: "\(name.id)/\(name.dataGroup).dat"))
      }
    }
  }

  func next(after served: [ServedRelease]) throws(PublisherError) -> Release {
    if let same = served.first(where: { Identifier.isSame($0.label, label) }) {
      throw .label(.inUse(label, number: same.number))
    }
    guard served.count < PublisherLimits.releases else {
      throw .repository(.tooManyReleases(path: repository.path))
    }
    return Release(number: Publication.number(after: served), label: label)
  }

  /// The number of the next release.
  static func number(after served: [ServedRelease]) -> UInt64 { (served.last?.number ?? 0) + 1 }

  /// Reads every data file that is not known, the largest first.
  func hashComponents(
    _ inputs: [InputComponent], for release: Release, after newest: CatalogIndex, known: KnownInputs,
    observe: (ReleaseEvent) -> Void
  ) async throws(PublisherError) -> [HashedComponent] {
    let total = inputs.reduce(0) { $0 + $1.description.dataSize }
    var done: UInt64 = 0
    let largestFirst = inputs.sorted { $0.description.dataSize > $1.description.dataSize }
    let hashed = try await WorkerPool.run(largestFirst, jobs: options.jobs) {
      (input) throws(PublisherError) in
      try HashedComponent(
        input, previous: newest[input.description.name], release: release, isAligned: options.sharesInput,
        known: known)
    } finished: {
      done += $0.description.dataSize
      observe(.read($0.description.name, done: done, total: total))
    }
    return hashed.sorted { $0.description.name < $1.description.name }
  }

  /// Checks that there is room for the release, and tries whether its components can share blocks with the input.
  func checkSpace(
    _ prepared: Prepared, in directory: borrowing Directory
  ) throws(PublisherError) -> (estimate: SpaceEstimate, isSharing: Bool) {
    let isSharing = try canShare(prepared.hashed, in: directory)
    let space = try onFile { () throws(Failure) in try directory.space() }
    let workspace = try Workspace(repository)
    var new: [UInt64] = []
    for component in prepared.hashed where try workspace.size(of: component.url) == nil {
      if isSharing && component.isShareable { continue }
      new.append(component.size)
    }
    let changed = prepared.hashed.filter { !$0.isUnchanged }.map(\.size)
    let estimate = SpaceEstimate(new: new, changed: changed, jobs: options.jobs, space: space)
    try estimate.check(space, path: repository.path)
    return (estimate, isSharing)
  }

  /// Tries it with the largest new component, if components are to share blocks.
  private func canShare(
    _ components: [HashedComponent], in directory: borrowing Directory
  ) throws(PublisherError) -> Bool {
    let shareable = components.filter { !$0.isUnchanged && $0.isShareable }
    guard options.sharesInput, let largest = shareable.max(by: { $0.size < $1.size }) else { return false }
    try Workspace.make(directory)
    return try Workspace(repository).canShare(largest.input.file)
  }

  /// Refuses a release that devices would have to download more of than is allowed.
  func checkDownload(_ components: [ComponentReport]) throws(PublisherError) {
    guard let allowed = options.allowedDownload else { return }
    let updates = components.compactMap { component in
      component.update.map { (name: component.entry.name, size: $0, full: component.entry.fullDownload) }
    }
    let size = updates.reduce(0) { $0 + $1.size }
    let full = updates.reduce(0) { $0 + $1.full }
    guard Double(size) * 100 > Double(full) * Double(allowed) else { return }
    let largest = updates.sorted { ($1.size, $0.name) < ($0.size, $1.name) }.prefix(3).map(\.name)
    throw .input(.downloadTooLarge(size, of: full, allowed: allowed, largest: largest))
  }

  /// Makes everything that is missing, the largest first.
  func produce(
    _ components: [ComponentJob], isSharing: Bool, observe: (ReleaseEvent) -> Void
  ) async throws(PublisherError) -> [ComponentReport] {
    let machine = SharedMachine(processors: options.jobs, memory: options.memory)
    let largestFirst = components.sorted { $0.weight > $1.weight }
    let total = components.reduce(0) { $0 + $1.weight }
    var done: UInt64 = 0
    let reports = try await WorkerPool.run(
      largestFirst, jobs: options.jobs, memory: machine.memory, need: \.memoryNeeded
    ) { (job) throws(PublisherError) in
      var job = job
      job.isSharing = isSharing
      job.observe = options.observeWork
      job.processors = machine.processors(forSearch: job.memoryNeeded)
      return try machine.processors.occupying { () throws(PublisherError) in
        (report: try job.run(), weight: job.weight)
      }
    } finished: {
      done += $0.weight
      observe(.made($0.report, done: done, total: total))
    }
    return reports.map(\.report).sorted { $0.entry.name < $1.entry.name }
  }
}
