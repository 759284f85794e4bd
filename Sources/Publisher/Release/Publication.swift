internal import Catalog
internal import MapModel
internal import Platform
internal import Releases

/// Makes a release out of a directory or archive of map data, or of an older release, and adds it to a repository.
///
/// 1. Lock the payloads: no other release and no `prune` until this one ends.
/// 2. Read the metadata, and decrypt the keys.
/// 3. Read the input; nothing is written until it is accepted, except for an archive, which is unpacked in `.work`.
/// 4. Check the space.
/// 5. Write the components and payloads that are missing, each complete before it gets its name; check the download of a
///    device.
/// 6. Write the catalog and read it back.
/// 7. Flush the file system, once for all of them.
/// 8. Sign and replace the metadata (`MetadataSession`). Up to here devices see the old release, from here the new
///    one; or it waits until enough others have signed.
///
/// Only steps 2 and 8 lock the metadata, so that it can be signed and changed during the hours between them; step 8
/// reads it again, and fails if the releases are no longer those of step 2.
package struct Publication: Sendable {
  let repository: Repository
  let input: ReleaseInput
  let label: String
  private(set) var options: Options

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
    /// The largest download of a device with all maps of the previous release, as a percentage of those maps in full.
    package var allowedDownload: UInt64?
    /// The form of components; nil: plain, unless devices have them as `.dat` files.
    package var form: ComponentForm?
    /// How ids follow from the names of files.
    package var layout = LayoutChoice.recorded
    /// New components share blocks with the files of the input, where the file system can do that.
    package var sharesInput = false
    /// Which devices the release is for, and from when on.
    package var offer = ReleaseOffer()
    package var validity = Validity()
    /// Called with the progress of components that take long.
    package var observeWork: WorkEvent.Observer = { _ in }
    /// Returns the current time in seconds since 1970: a release may take hours.
    package var clock: @Sendable () -> Int64

    package init(clock: @escaping @Sendable () -> Int64) { self.clock = clock }
  }

  package init(
    of input: ReleaseInput, label: String, in repository: Repository, options: Options
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
    try await locked { (directory) throws(PublisherError) in
      try await publish(directory, signing: store, observe: observe)
    }
  }

  /// Previews the release by steps 1 to 4; needs no keys, and changes nothing.
  ///
  /// One that lacks more components than are allowed is previewed, too, and says that it would be refused.
  package func preview(
    _ observe: (ReleaseEvent) -> Void = { _ in }
  ) async throws(PublisherError) -> ReleasePreview {
    var lenient = self
    lenient.options.allowedRemovals = .max
    return try await locked { [lenient] (directory) throws(PublisherError) in
      let served = try repository.releases()
      let prepared = try await lenient.prepare(directory, after: served, observe: observe)
      return ReleasePreview(
        release: prepared.release, previous: served.last?.release, input: input.text,
        components: prepared.hashed,
        gone: prepared.gone, lost: prepared.lost, refusal: refusal(prepared.gone, prepared.lost),
        space: try checkSpace(prepared, in: directory).estimate)
    }
  }

  /// Does step 1 and `body`, and removes the files that are left.
  func locked<Result: Sendable>(
    _ body: (borrowing Directory) async throws(PublisherError) -> Result
  ) async throws(PublisherError) -> Result {
    let directory = try repository.open()
    let payloads = try RepositoryLock(.payloads, of: directory)  // 1
    let result: Swift.Result<Result, PublisherError>
    do throws(PublisherError) { result = .success(try await body(directory)) } catch {
      result = .failure(error)
    }
    _ = consume payloads
    // The release is already committed, or not; failing to clean up is harmless.
    do throws(PublisherError) {
      let metadata = try RepositoryLock(.metadata, of: directory)
      try Workspace.clean(directory)
      _ = consume metadata
    } catch {}
    return try result.get()
  }

  private func publish(
    _ directory: borrowing Directory, signing store: KeyStore, observe: (ReleaseEvent) -> Void
  ) async throws(PublisherError) -> ReleaseReport {
    let started = Clock.milliseconds
    let served = try look(store)  // 2
    let prepared = try await prepare(directory, after: served, observe: observe)  // 3
    let isSharing = try checkSpace(prepared, in: directory).isSharing  // 4
    try Workspace.make(directory)
    let cache = PayloadCache(for: prepared.release.number)
    try cache.makeFolder(in: directory)
    let reports = try await produce(prepared.jobs, isSharing: isSharing, observe: observe)  // 5
    try checkDownload(reports)
    let listed = try await CatalogFile(
      repository: repository, entries: reports.map(\.entry), regions: prepared.regions,
      replaced: prepared.replaced.all,
      release: prepared.release, jobs: options.jobs, known: Set(prepared.parts.map(\.url))
    ).write(options.offer)  // 6
    try onFile { () throws(Failure) in try directory.synchronizeFileSystem() }  // 7
    let (outcome, metadata) = try apply(listed, after: served, signing: store, observe: observe)  // 8
    // Only saves time; the release is there.
    do throws(PublisherError) {
      try remember(prepared, cache: cache, in: directory)
      try await keepFigures(of: reports, in: directory)
    } catch {}
    return ReleaseReport(
      release: prepared.release, catalog: listed, outcome: outcome, served: metadata,
      previous: served.last?.release, components: reports, wasToShare: options.sharesInput,
      gone: prepared.gone, lost: prepared.lost, milliseconds: Clock.milliseconds - started)
  }

  /// Remembers what saves time in the next release.
  private func remember(
    _ prepared: Prepared, cache: PayloadCache, in directory: borrowing Directory
  ) throws(PublisherError) {
    let next = PayloadCache(for: prepared.release.number + 1)
    var names: Set<String> = []
    for recipe in prepared.jobs.flatMap(\.recipes) { names.insert(try cache.name(recipe)) }
    try onFile { () throws(Failure) in
      try cache.end(in: directory, next: next, keeping: names)
      try RecordedLayout.replace(by: prepared.layout, in: directory)
      if prepared.hasFolder { try KnownInputs.replace(by: prepared.hashed, in: directory) }
    }
  }
}
