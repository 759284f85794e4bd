internal import MapModel
internal import Platform
internal import Releases

/// Makes a release out of a directory of map data and adds it to a repository.
///
/// 1. Lock the payloads: no other release and no `prune` until this one has ended.
/// 2. Read the metadata, and decrypt the keys.
/// 3. Read the input; nothing is written until it is accepted.
/// 4. Check the space.
/// 5. Write components and payloads, each complete and durable before it gets its name.
/// 6. Write the catalog and read it back.
/// 7. Sign and replace the metadata (`MetadataSession`). Up to here devices see the old release, from here the new
///    one; or it waits until enough others have signed.
///
/// Only steps 2 and 7 lock the metadata, so that it can be signed and changed during the hours between them; step 7
/// reads it again, and fails if the releases are no longer those of step 2.
package struct Publication: Sendable {
  let repository: Repository
  let input: String
  let label: String
  let options: Options

  /// The options of a release.
  package struct Options: Sendable {
    /// How many releases back patches are made from.
    package var patchReleases = 2
    /// How many components are worked on at a time.
    package var jobs = 1
    /// The bytes that all of them may take together to search for matches; a file that needs more than all of it is
    /// matched by blocks.
    package var memory = Int.max
    /// How many components of the previous release may be missing from the input.
    package var allowedRemovals = 0
    /// The percentage of devices that the release is offered to.
    package var rollout: UInt64 = 100
    package var validity = Validity()
    /// Returns the current time in seconds since 1970: a release may take hours.
    package var clock: @Sendable () -> Int64

    package init(clock: @escaping @Sendable () -> Int64) { self.clock = clock }
  }

  package init(
    of input: String, label: String, in repository: Repository, options: Options
  ) throws(PublisherError) {
    if let found = ControlCharacter(inName: label) {
      throw .label(.controlCharacter(codePoint: found.codePoint))
    }
    guard Identifier.isLabel(label) else { throw .label(.invalid(label)) }
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
    do throws(PublisherError) {
      result = .success(try await publish(directory, signing: store, observe: observe))
    } catch {
      result = .failure(error)
    }
    _ = consume payloads
    // The release is already committed, or not; failing to clean up is harmless.
    do throws(PublisherError) {
      try Repository.lock(directory)
      try Workspace.clean(directory)
    } catch {}
    return try result.get()
  }

  private func publish(
    _ directory: borrowing Directory, signing store: KeyStore, observe: (ReleaseEvent) -> Void
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
    let gone = gone(from: newest, in: found.components)
    observe(.gone(gone))
    guard gone.count <= options.allowedRemovals else {
      throw .input(.componentsGone(count: gone.count, allowed: options.allowedRemovals, path: input))
    }
    let hashed = try await hashComponents(found.components, for: release, after: newest, observe: observe)
    let bases = Array(window.prefix(options.patchReleases))
    let previousHadPatches = bases.count > 1 && bases[0].hasPatches(from: bases[1])
    let components = hashed.map {
      ComponentJob(
        of: $0, in: repository, window: bases, previousHadPatches: previousHadPatches, payloads: payloads,
        memory: options.memory)
    }
    try checkSpace(components, in: directory)  // 4
    try Workspace.make(directory)
    let reports = try await produce(components, observe: observe)  // 5
    let made = try write(reports.map(\.entry), regions: found.regions, of: release)  // 6
    for folder in Repository.folders { try synchronize(directory, folder: folder) }
    let (outcome, metadata) = try apply(made, after: served, signing: store, observe: observe)  // 7
    return ReleaseReport(
      release: release, catalog: made, outcome: outcome, served: metadata,
      previous: served.last?.release, components: reports,
      gone: gone, milliseconds: Clock.milliseconds - started)
  }
}
