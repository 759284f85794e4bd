internal import Catalog
internal import MapModel
internal import Platform
internal import Releases

extension Publication {
  /// Makes the catalog by which devices go back from `recalled` to `older`: that of the older release, with patches from the
  /// recalled one in the place of its own.
  ///
  /// - `next`: the number of the next release, whose payloads may have been made already.
  func makeWayBack(
    from recalled: ServedRelease, to older: ServedRelease, in directory: borrowing Directory, next: UInt64,
    observe: (ReleaseEvent) -> Void
  ) async throws(PublisherError) -> CatalogedRelease {
    let (from, to) = (try repository.catalog(of: recalled), try repository.catalog(of: older))
    let found = InputScanner.Found(repeating: to, after: from, in: repository)
    // Devices at the recalled release are to see what takes the place of their packages.
    let replaced = try ReplacedPackages(
      found.replaced, of: Set(to.entries.map(\.name.id)), in: recalled.number + 1, after: from
    ) { _ in true }
    var hashed: [HashedComponent] = []
    for component in found.components {
      let previous = from[component.description.name]
      hashed.append(try HashedComponent(component, previous: previous, release: older.release))
    }
    try Workspace.make(directory)
    // No release has this number, so that what is made is not taken for what a plan has made.
    let cache = PayloadCache(for: 0)
    try cache.makeFolder(in: directory)
    let jobs = hashed.map {
      ComponentJob(
        of: $0, in: repository, window: [from], origins: Origins(replaced), previousHadPatches: false,
        payloads: PayloadIndex([from, to]), cache: cache, memory: options.memory)
    }
    let reports = try await produce(jobs, isSharing: false, observe: observe)
    let made = try await CatalogFile(
      repository: repository, entries: reports.map(\.entry), regions: found.regions, replaced: replaced.all,
      release: older.release, jobs: options.jobs, known: Set((from.parts + to.parts).map(\.url))
    ).write(ReleaseOffer())
    try PayloadCache.clean(directory, next: next)
    try onFile { () throws(Failure) in try directory.synchronizeFileSystem() }
    return made.cataloged
  }
}
