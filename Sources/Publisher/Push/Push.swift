internal import Catalog
internal import MapModel
internal import Platform
package import Releases
internal import Trust

/// Copies the served files of a repository to a destination, such as a bucket, in the order that devices need.
///
/// 1. Read the metadata of one moment. The destination must not have newer metadata, or that of another repository.
/// 2. Copy the catalogs, components and payloads that are missing there.
/// 3. Copy the snapshot and the targets.
/// 4. If the repository has changed meanwhile, begin again: a file may have been removed before it was copied.
/// 5. Copy the timestamp, which leads to all of that, and then the roots. Where a key was lost, the newest root that is
///    there does not verify the new metadata: then the roots come first, and devices are without metadata that they trust
///    until the timestamp follows.
///
/// Until step 5, devices see what they saw before. Nothing is removed, so a device in the middle of an update finishes it.
package struct Push: ~Copyable {
  private let repository: Repository
  private let place: Destination
  private var program: Rclone
  private let observe: (PushStage, Int) -> Void

  package struct Report: Equatable, Sendable {
    /// The newest release at the destination; nil without releases.
    package let release: ServedRelease?
    /// The version of the timestamp at the destination.
    package let timestamp: UInt64
    /// All files of the repository.
    package let files: Int
    package let size: UInt64
    /// Files that this push copied; the others were there.
    package let copied: Int
  }

  /// - `observe`: called with the stage and the number of files copied so far.
  package init(
    _ repository: Repository, to place: Destination,
    observe: @escaping (PushStage, Int) -> Void = { _, _ in }
  ) throws(PublisherError) {
    guard !place.text.hasPrefix("-"), !place.text.isEmpty else { throw .push(.notADestination(place.shown)) }
    let program = try Rclone(to: place)
    self.repository = repository
    self.place = place
    self.observe = observe
    self.program = program
  }

  /// Copies everything that is missing.
  package mutating func run() throws(PublisherError) -> Report {
    for _ in 0..<10 {
      let (served, metadata) = try ServedMetadata.withFiles(of: repository)
      let root = try compare(with: served)
      let content = try content(of: served)
      try copy(content.map(\.name), of: .content)
      for file in metadata { if let bytes = file.bytes { try program.write("here/\(file.name)", bytes) } }
      let roots = metadata.map(\.name).filter { $0.hasSuffix(".root.json") }
      let order = try order(of: served, after: root)
      try copy([served.snapshot, served.targets].map { "metadata/\($0.name)" }, of: .metadata)
      guard try ServedMetadata.timestamp(of: repository) == served.timestamp.bytes else { continue }
      for stage in order { try copy(stage.isOfRoots ? roots : [ServedMetadata.timestampPath], of: stage) }
      return Report(
        release: served.releases.last, timestamp: served.timestamp.version,
        files: content.count + metadata.count,
        size: (content + metadata).reduce(0) { $0 + $1.size }, copied: program.copied)
    }
    throw .push(.changing(path: repository.path))
  }

  private mutating func copy(_ names: [String], of stage: PushStage) throws(PublisherError) {
    // A relative path with a colon would be a remote.
    let here = repository.path.hasPrefix("/") ? repository.path : "./\(repository.path)"
    try program.copy(
      names, from: stage == .content ? here : "\(program.folder.path)/here", as: stage
    ) { observe(stage, $0) }
  }

  /// The order of the timestamp and the roots, for a destination with roots up to that version.
  private func order(of served: ServedMetadata, after version: UInt64?) throws(PublisherError) -> [PushStage]
  {
    guard let version, version < served.rootFile.version else { return [.timestamp, .roots] }
    let root = try ServedMetadata.root(version, in: try repository.open())
    for file in [served.targets, served.snapshot, served.timestamp] where try !file.isValid(under: root) {
      return [.neededRoots, .neededTimestamp]
    }
    return [.timestamp, .roots]
  }

  /// Refuses a place that devices would have to go back from, or could no longer trust; the version of the newest root
  /// that is there, nil for none.
  private mutating func compare(with served: ServedMetadata) throws(PublisherError) -> UInt64? {
    let first = SignedFile.name(.root, version: 1)
    try program.fetch(["timestamp.json", "*.root.json"], below: ServedMetadata.folder)
    if let root = try program.read("there/\(first)") {
      let ours = try onFile { () throws(Failure) in
        try File(opening: "\(repository.path)/\(ServedMetadata.folder)/\(first)")
          .bytes(upTo: PublisherLimits.metadataFile)
      }
      guard root == ours else { throw .push(.otherRepository(place.shown)) }
    }
    var newest: UInt64?
    for version in 1...served.rootFile.version
    where try program.has("there/\(SignedFile.name(.root, version: version))") {
      newest = version
    }
    guard let bytes = try program.read("there/timestamp.json") else { return newest }
    let version: UInt64
    do throws(TrustError) {
      version = try SignedFile(parsing: bytes, file: "\(place.shown)/timestamp.json").version
    } catch {
      throw .push(.otherRepository(place.shown))
    }
    guard version <= served.timestamp.version else {
      throw .push(.newerThere(place.shown, version: version, ours: served.timestamp.version))
    }
    return newest
  }

  /// All files that the catalogs of all releases list, each once, except for patches that `prune` has removed.
  private func content(of served: ServedMetadata) throws(PublisherError) -> [BundleFile] {
    let directory = try repository.open()
    var files: [BundleFile] = []
    var names: Set<String> = []
    for release in served.releases.flatMap(\.catalogs) {
      let catalog = try repository.catalog(of: release)
      var needed = [BundleFile(name: release.catalogURL, size: release.catalog.size)]
      for part in catalog.parts { needed.append(BundleFile(name: part.url, size: part.file.size)) }
      for entry in catalog.entries {
        needed.append(BundleFile(name: entry.url, size: entry.size))
        for payload in try entry.served(by: directory).containers where !names.contains(payload.url) {
          needed.append(BundleFile(name: payload.url, size: payload.size))
        }
      }
      for file in needed where names.insert(file.name).inserted {
        guard try directory.fileSize(of: file.name) == file.size else {
          throw .push(.damaged(path: "\(repository.path)/\(file.name)"))
        }
        files.append(file)
      }
    }
    return files
  }
}
