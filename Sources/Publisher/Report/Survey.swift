package import MapModel
internal import Releases
package import Reporting

/// Gathers the report about the releases of a repository: only reads it, and takes no lock in it.
package struct Survey {
  /// A step of the survey, for display.
  package enum Event {
    case reading(Release)
    case explaining(Release, done: Int, total: Int)
  }

  private let repository: Repository
  private let served: ServedMetadata
  private var releases: [ServedRelease] { served.releases }
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
    served = try ServedMetadata(of: repository)
    guard !releases.isEmpty else { throw .repository(.noReleases(path: repository.path)) }
  }

  /// Reads each catalog once, from the oldest release to the newest.
  package func run(_ observe: (Event) -> Void = { _ in }) async throws(PublisherError) -> Report {
    let dates = PublicationDates(of: served, in: try repository.open()).dates
    var reported: [Report.Release] = []
    var places = PlaceTable()
    // The releases before that devices have or take, the nearest first.
    var bases: [(served: ServedRelease, catalog: CatalogIndex)] = []
    for (index, served) in releases.enumerated() {
      try checkStop()
      observe(.reading(served.release))
      let catalog = try repository.catalog(of: served)
      var release = Report.Release(
        served, catalog, after: bases.first?.catalog, published: dates[served.number])
      if index >= releases.count - PublisherLimits.reportedReleases {
        try checkStop()
        release.details = try await details(of: served, catalog, after: bases, places: &places, observe)
      }
      reported.append(release)
      guard release.isOffered else { continue }
      bases = [(served, catalog)] + bases.prefix(PublisherLimits.reportedBases - 1)
    }
    let name = PathParts(of: try PathParts.absolute(repository.path)).name
    return Report(name, releases: reported.reversed(), places: places.all)
  }

  private func details(
    of served: ServedRelease, _ catalog: CatalogIndex,
    after bases: [(served: ServedRelease, catalog: CatalogIndex)], places: inout PlaceTable,
    _ observe: (Event) -> Void
  ) async throws(PublisherError) -> Report.Details {
    let packages = Report.Package.all(of: catalog, after: bases.map(\.catalog), places: &places)
    var changes = ChangedComponents()
    if let base = bases.first {
      changes = try ChangedComponents(of: catalog, after: base.catalog, in: repository)
    }
    return Report.Details(
      bases: bases.map { base in
        Report.Base(
          base.served.number, label: base.served.label, update: Report.Update(of: catalog, from: base.catalog)
        )
      },
      packages: packages, largest: try await explain(changes.patched, of: served.release, observe),
      inFull: changes.inFull.map(\.component), pruned: changes.pruned)
  }

  /// Takes the patches of the largest updates apart.
  private func explain(
    _ changes: [ChangedComponent], of release: Release, _ observe: (Event) -> Void
  ) async throws(PublisherError) -> [Report.LargeUpdate] {
    var largest = Array(changes.prefix(PublisherLimits.explainedUpdates))
    let directory = try repository.open()
    for index in largest.indices { largest[index].findFigures(in: directory) }
    var done = 0
    let (repository, memory) = (repository, memory)
    return try await WorkerPool.run(
      largest, jobs: jobs, memory: memory, need: { $0.memoryNeeded(of: memory) }
    ) { (change) throws(PublisherError) in
      try change.explained(in: repository, memory: memory)
    } finished: { _ in
      done += 1
      observe(.explaining(release, done: done, total: largest.count))
    }
  }

  private func checkStop() throws(PublisherError) {
    if shouldStop() { throw .stopped }
  }
}
