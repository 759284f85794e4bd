internal import Catalog
internal import MapModel
internal import Platform
internal import Releases

/// The steps from the input to the catalog, 3 to 6.
extension Publication {
  func write(
    _ entries: [CatalogEntry], regions: RegionNames, of release: Release
  ) throws(PublisherError) -> ServedRelease {
    let name = "catalog.xz"
    let workspace = try Workspace(repository)
    let made = try CatalogFile.write(
      entries, regions: regions, of: release, rollout: options.rollout, to: name, in: workspace)
    try workspace.publish(name, as: made.catalogURL)
    return made
  }

  func next(after served: [ServedRelease]) throws(PublisherError) -> Release {
    if let same = served.first(where: { Identifier.isSame($0.label, label) }) {
      throw .label(.inUse(label, number: same.number))
    }
    guard served.count < PublisherLimits.releases else {
      throw .repository(.tooManyReleases(path: repository.path))
    }
    return Release(number: (served.last?.number ?? 0) + 1, label: label)
  }

  /// Reads every data file once, the largest first.
  func hashComponents(
    _ inputs: [InputComponent], for release: Release, after newest: CatalogIndex,
    observe: (ReleaseEvent) -> Void
  ) async throws(PublisherError) -> [HashedComponent] {
    let total = inputs.reduce(0) { $0 + $1.description.dataSize }
    var done: UInt64 = 0
    let largestFirst = inputs.sorted { $0.description.dataSize > $1.description.dataSize }
    let hashed = try await WorkerPool.run(largestFirst, jobs: options.jobs) {
      (input) throws(PublisherError) in
      try HashedComponent(input, previous: newest[input.description.name], release: release)
    } finished: {
      done += $0.description.dataSize
      observe(.read($0.description.name, done: done, total: total))
    }
    return hashed.sorted { $0.description.name < $1.description.name }
  }

  func checkSpace(
    _ components: [ComponentJob], in directory: borrowing Directory
  ) throws(PublisherError) {
    let space = try onFile { () throws(FileError) in try directory.space() }
    let workspace = try Workspace(repository)
    var new: [UInt64] = []
    for component in components.map(\.component) where try workspace.size(of: component.url) == nil {
      new.append(component.size)
    }
    let changed = components.map(\.component).filter { !$0.isUnchanged }.map(\.size)
    try SpaceEstimate(new: new, changed: changed, jobs: options.jobs, space: space).check(
      space, path: repository.path)
  }

  /// Makes everything that is missing, the largest first.
  func produce(
    _ components: [ComponentJob], observe: (ReleaseEvent) -> Void
  ) async throws(PublisherError) -> [ComponentReport] {
    let largestFirst = components.sorted { $0.weight > $1.weight }
    let total = components.reduce(0) { $0 + $1.weight }
    var done: UInt64 = 0
    let reports = try await WorkerPool.run(
      largestFirst, jobs: options.jobs, memory: options.memory, need: \.memoryNeeded
    ) { (job) throws(PublisherError) in
      (report: try job.run(), weight: job.weight)
    } finished: {
      done += $0.weight
      observe(.made($0.report, done: done, total: total))
    }
    return reports.map(\.report).sorted { $0.entry.name < $1.entry.name }
  }

  func synchronize(_ directory: borrowing Directory, folder name: String) throws(PublisherError) {
    try onFile { () throws(FileError) in
      let folder = try directory.openDirectory(name)
      try folder.synchronize()
    }
  }

  /// Both are in the order of their names.
  func gone(from newest: CatalogIndex, in components: [InputComponent]) -> [ComponentName] {
    var next = components[...]
    return newest.entries.map(\.name).filter { name in
      next = next.drop { $0.description.name < name }
      return next.first?.description.name != name
    }
  }
}
