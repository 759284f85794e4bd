internal import Catalog
package import MapModel
internal import Platform
internal import Releases

/// Pages about the releases of a repository: only reads it, and takes no lock in it.
///
/// The same repository gives the same bytes.
package struct Report {
  /// What is being done, for display.
  package enum Event {
    case reading(Release)
    case explaining(Release, done: Int, total: Int)
  }

  private let repository: Repository
  private let releases: [ServedRelease]
  private let jobs: Int
  private let memory: Int
  private let shouldStop: () -> Bool

  /// - `jobs`: how many patches are looked into at a time.
  /// - `memory`: the bytes that looking into all of them may take together.
  /// - `shouldStop`: asked between two steps; true ends it with `stopped`.
  package init(
    of repository: Repository, jobs: Int, memory: Int, shouldStop: @escaping () -> Bool = { false }
  ) throws(PublisherError) {
    self.repository = repository
    self.jobs = jobs
    self.memory = memory
    self.shouldStop = shouldStop
    releases = try repository.releases()
    guard !releases.isEmpty else { throw .report(.noReleases(path: repository.path)) }
  }

  /// The releases that get a page, the newest first.
  private var pages: [ServedRelease] { releases.suffix(PublisherLimits.reportedReleases).reversed() }

  /// Writes all pages to the directory at `path`; how many.
  package func write(to path: String, observe: (Event) -> Void = { _ in }) async throws(PublisherError) -> Int
  {
    var folder = try ReportFolder(path)
    let history = try history(observe)
    for (index, served) in pages.enumerated() {
      let page = try await page(served, history: history, observe)
      try folder.add(ReportPage.fileName(served.release, isNewest: index == 0), page)
    }
    try folder.publish()
    return pages.count
  }

  /// The figures of all releases, the newest first.
  private func history(_ observe: (Event) -> Void) throws(PublisherError) -> [ReleaseFigures] {
    var previous: CatalogIndex?
    var history: [ReleaseFigures] = []
    for served in releases {
      try checkStop()
      observe(.reading(served.release))
      let catalog = try repository.catalog(of: served)
      history.append(ReleaseFigures(served, catalog, after: previous))
      previous = catalog
    }
    return history.reversed()
  }

  private func page(
    _ served: ServedRelease, history: [ReleaseFigures], _ observe: (Event) -> Void
  ) async throws(PublisherError) -> [UInt8] {
    try checkStop()
    observe(.reading(served.release))
    guard let place = releases.firstIndex(of: served),
      let figures = history.first(where: { $0.served == served })
    else { return [] }
    let before = releases[..<place].suffix(PublisherLimits.reportedBases).reversed()
    let catalog = try repository.catalog(of: served)
    var bases: [CatalogIndex] = []
    for release in before { bases.append(try repository.catalog(of: release)) }
    var downloads: [(base: Release, figures: DeviceDownload)] = []
    for (release, base) in zip(before, bases) {
      downloads.append((release.release, DeviceDownload(of: catalog, from: base)))
    }
    var large = LargeUpdate.Candidates()
    if let base = bases.first { large = try LargeUpdate.candidates(of: catalog, after: base, in: repository) }
    let page = ReportPage(
      release: figures, packages: PackageFigures.all(of: catalog, after: bases), downloads: downloads,
      large: try await explain(large.patched, of: served.release, observe), candidates: large,
      history: history, pages: pages.map(\.release))
    return try page.html()
  }

  /// Takes the patches of the largest updates apart.
  private func explain(
    _ candidates: [LargeUpdate.Candidate], of release: Release, _ observe: (Event) -> Void
  ) async throws(PublisherError) -> [LargeUpdate] {
    let largest = Array(candidates.prefix(PublisherLimits.explainedUpdates))
    var done = 0
    let (repository, memory) = (repository, memory)
    let updates = try await WorkerPool.run(
      largest, jobs: jobs, memory: memory, need: { $0.memoryNeeded(of: memory) }
    ) { (candidate) throws(PublisherError) in
      try LargeUpdate(candidate, in: repository, memory: memory)
    } finished: { _ in
      done += 1
      observe(.explaining(release, done: done, total: largest.count))
    }
    return updates.compactMap { $0 }
  }

  private func checkStop() throws(PublisherError) {
    if shouldStop() { throw .stopped }
  }
}
