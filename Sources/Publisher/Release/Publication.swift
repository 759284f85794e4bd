internal import Catalog
internal import Crypto
internal import Platform
internal import Trust

/// Makes a release out of a directory of map data and adds it to a repository.
///
/// 1. Lock the payloads: no other release and no `prune` until this one has ended.
/// 2. Look at the metadata, and decrypt the keys.
/// 3. Read the input; nothing is written while it can still be refused.
/// 4. Check the space.
/// 5. Write components and payloads, each complete and durable before it gets its name.
/// 6. Write the catalog and read it back.
/// 7. Sign and replace the metadata (`MetadataSession`). Up to here devices see the old release, from here the new
///    one; or it waits until enough others have signed.
///
/// Only steps 2 and 7 lock the metadata, so that it can be signed and changed during the hours between them; step 7
/// takes it as it is then, and refuses if there are other releases than in step 2.
package struct Publication: Sendable {
  private let repository: Repository
  private let input: String
  private let label: String
  private let options: Options

  /// What can be chosen.
  package struct Options: Sendable {
    /// How many releases back patches are made from.
    package var patchReleases = 2
    /// How many components are worked on at a time.
    package var jobs = 1
    /// The bytes that all of them may take together to search for matches; a file that needs more than all of it is
    /// matched by blocks.
    package var memory = Int.max
    /// How many components of the release before may be missing from the input.
    package var allowedRemovals = 0
    /// How many of a hundred devices the release is for.
    package var rollout: UInt64 = 100
    package var validity = Validity()
    /// Seconds since 1970, whenever they are asked for: a release may take hours.
    package var clock: @Sendable () -> Int64

    package init(clock: @escaping @Sendable () -> Int64) { self.clock = clock }
  }

  package init(
    of input: String, label: String, in repository: Repository, _ options: Options
  ) throws(PublisherError) {
    if let found = ControlCharacter(inName: label) { throw .controlInLabel(codePoint: found.codePoint) }
    guard Identifier.isLabel(label) else { throw .badLabel(label) }
    self.repository = repository
    self.input = input
    self.label = label
    self.options = options
  }

  /// Publishes the release, signed by keys in `store`.
  package func run(
    signing store: KeyStore, _ observe: (ReleaseEvent) -> Void = { _ in }
  ) async throws(PublisherError) -> ReleaseReport {
    let directory = try repository.open()
    let payloads = try Repository.lockPayloads(in: directory)  // 1
    let result: Result<ReleaseReport, PublisherError>
    do throws(PublisherError) { result = .success(try await publish(directory, store, observe)) } catch {
      result = .failure(error)
    }
    _ = consume payloads
    // Whether there is a release is decided; if this fails, the next run does it.
    do throws(PublisherError) {
      try Repository.lock(directory)
      try Workspace.clean(directory)
    } catch {}
    return try result.get()
  }

  private func publish(
    _ directory: borrowing Directory, _ store: KeyStore, _ observe: (ReleaseEvent) -> Void
  ) async throws(PublisherError) -> ReleaseReport {
    let started = Clock.milliseconds
    let served = try look(store)  // 2
    let release = try next(after: served)
    let window = try served.suffix(max(options.patchReleases, 1)).reversed().map {
      (served) throws(PublisherError) in
      try repository.catalog(of: served)
    }
    let newest = window.first ?? CatalogIndex()
    let payloads = try PayloadIndex(
      of: repository, window: window, older: served.dropLast(window.count))

    let found = try InputScanner.scan(input, release: release)  // 3
    observe(.ignored(found.ignored))
    let gone = gone(from: newest, found.components)
    observe(.gone(gone))
    guard gone.count <= options.allowedRemovals else {
      throw .componentsGone(count: gone.count, allowed: options.allowedRemovals, path: input)
    }
    let hashed = try await hashComponents(found.components, release, newest, observe)
    let bases = Array(window.prefix(options.patchReleases))
    let previousHadPatches = bases.count > 1 && bases[0].hasPatches(from: bases[1])
    let components = hashed.map {
      ComponentJob(
        of: $0, in: repository, window: bases, previousHadPatches: previousHadPatches, payloads: payloads)
    }
    try checkSpace(components, directory)  // 4
    try Workspace.make(directory)
    let reports = try await produce(components, observe)  // 5
    let made = try write(reports.map(\.entry), found.regions, of: release)  // 6
    for folder in Repository.folders { try synchronize(directory, folder) }
    let (outcome, metadata) = try apply(made, after: served, store, observe)  // 7
    return ReleaseReport(
      release: release, catalog: made, outcome: outcome, served: metadata,
      previous: served.last.map { Release(number: $0.number, label: $0.label) }, components: reports,
      gone: gone, milliseconds: Clock.milliseconds - started)
  }

  private static var roles: [Root.TopLevel] { [.targets, .snapshot, .timestamp] }

  private func session(_ store: KeyStore) throws(PublisherError) -> MetadataSession {
    try MetadataSession.begin(of: repository, store, validity: options.validity, now: options.clock())
  }

  /// The releases that this one comes after; keys that cannot be used are found here, before the work.
  private func look(_ store: KeyStore) throws(PublisherError) -> [ReleaseTarget] {
    let session = try session(store)
    try Workspace.empty(session.directory)
    try session.unlock(Publication.roles)
    return try session.releases()
  }

  /// Adds the release to the metadata as it is now.
  private func apply(
    _ made: ReleaseTarget, after served: [ReleaseTarget], _ store: KeyStore,
    _ observe: (ReleaseEvent) -> Void
  ) throws(PublisherError) -> (ChangeOutcome, ServedMetadata) {
    try waiting(observe) { () throws(PublisherError) in
      var session = try session(store)
      let now = try session.releases()
      // Their roll-out may have changed.
      let isSame = now.elementsEqual(served) {
        $0.number == $1.number && $0.catalog == $1.catalog && $0.label.utf8.elementsEqual($1.label.utf8)
      }
      guard isSame else { throw .releasesChanged(path: repository.path) }
      try session.unlock(Publication.roles)
      return (try session.publish(now + [made]), session.served)
    }
  }

  /// Repeats `body` while another process has the metadata: it works for an instant, and this one has for hours.
  private func waiting<Result>(
    _ observe: (ReleaseEvent) -> Void, _ body: () throws(PublisherError) -> Result
  ) throws(PublisherError) -> Result {
    let limit = Clock.milliseconds + Publication.longestWait
    var isWaiting = false
    while true {
      do throws(PublisherError) { return try body() } catch {
        guard case .busy = error, Clock.milliseconds < limit else { throw error }
      }
      if !isWaiting { observe(.waiting) }
      isWaiting = true
      Clock.sleep(milliseconds: 100)
    }
  }

  /// Milliseconds; long enough to type a passphrase.
  private static var longestWait: UInt64 { 600_000 }

  private func write(
    _ entries: [CatalogEntry], _ regions: RegionNames, of release: Release
  ) throws(PublisherError) -> ReleaseTarget {
    let name = "catalog.xz"
    let workspace = try Workspace(repository)
    let made = try CatalogFile.write(
      entries, regions, of: release, rollout: options.rollout, to: name, in: workspace)
    try workspace.publish(name, as: made.url)
    return made
  }

  private func next(after served: [ReleaseTarget]) throws(PublisherError) -> Release {
    if let same = served.first(where: { $0.label.utf8.elementsEqual(label.utf8) }) {
      throw .labelUsed(label, number: same.number)
    }
    guard served.count < Catalog.Limits.releases else { throw .tooManyReleases(path: repository.path) }
    return Release(number: (served.last?.number ?? 0) + 1, label: label)
  }

  /// Reads every data file once, the largest first.
  private func hashComponents(
    _ inputs: [InputComponent], _ release: Release, _ newest: CatalogIndex,
    _ observe: (ReleaseEvent) -> Void
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

  private func checkSpace(
    _ components: [ComponentJob], _ directory: borrowing Directory
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
  private func produce(
    _ components: [ComponentJob], _ observe: (ReleaseEvent) -> Void
  ) async throws(PublisherError) -> [ComponentReport] {
    let largestFirst = components.sorted { $0.weight > $1.weight }
    let total = components.reduce(0) { $0 + $1.weight }
    var done: UInt64 = 0
    // How a file is matched depends on its size and this alone: the bytes are the same however many jobs there are.
    let memory = options.memory
    let reports = try await WorkerPool.run(
      largestFirst, jobs: options.jobs, memory: memory, need: { $0.memoryNeeded(of: memory) }
    ) { (job) throws(PublisherError) in
      (report: try job.run(memory: memory), weight: job.weight)
    } finished: {
      done += $0.weight
      observe(.made($0.report, done: done, total: total))
    }
    return reports.map(\.report).sorted { $0.entry.name < $1.entry.name }
  }

  private func synchronize(_ directory: borrowing Directory, _ name: String) throws(PublisherError) {
    try onFile { () throws(FileError) in
      let folder = try directory.openDirectory(name)
      try folder.synchronize()
    }
  }

  /// Both are in the order of their names.
  private func gone(from newest: CatalogIndex, _ components: [InputComponent]) -> [ComponentName] {
    var next = components[...]
    return newest.entries.map(\.name).filter { name in
      next = next.drop { $0.description.name < name }
      return next.first?.description.name != name
    }
  }
}
