internal import Platform
package import Releases
package import Trust

/// The locked metadata of a repository, to be changed.
///
/// A change becomes visible by one rename: that of `timestamp.json`, or that of a new root (`apply`).
package struct MetadataSession: ~Copyable {
  let repository: Repository
  let directory: Directory
  private let lock: RepositoryLock
  package let store: KeyStore
  let now: Int64
  let validity: Validity
  package internal(set) var served: ServedMetadata
  package internal(set) var pending: PendingFiles

  /// Locks the metadata, removes the files of an interrupted run, and finishes its change.
  package static func begin(
    of repository: Repository, keys store: KeyStore, validity: Validity, now: Int64
  ) throws(PublisherError) -> MetadataSession {
    let directory = try repository.open()
    let lock = try RepositoryLock(.metadata, of: directory)
    try store.check(outside: directory)
    try Workspace.clean(directory)
    let served = try ServedMetadata(of: repository)
    let pending = try PendingFiles(of: directory, after: served)
    var session = MetadataSession(
      repository, directory: directory, lock: lock, store: store, validity: validity, now: now,
      served: served,
      pending: pending)
    try session.finishInterrupted()
    session.setAsideRevoked()
    return session
  }

  private init(
    _ repository: Repository, directory: consuming Directory, lock: consuming RepositoryLock, store: KeyStore,
    validity: Validity, now: Int64, served: ServedMetadata, pending: PendingFiles
  ) {
    self.repository = repository
    self.directory = directory
    self.lock = lock
    self.store = store
    self.validity = validity
    self.now = now
    self.served = served
    self.pending = pending
  }

  /// Signs again what an interrupted change of keys left signed by the previous root only.
  ///
  /// If signatures are missing, every change reports that: it needs the same files.
  private mutating func finishInterrupted() throws(PublisherError) {
    for role in Root.TopLevel.allCases where try !served[role].isValid(under: served.root) {
      _ = try apply(PendingFiles())
      return
    }
  }

  /// The releases, including those that wait for signatures.
  package func releases() throws(PublisherError) -> [ServedRelease] {
    try pending.releases() ?? served.releases
  }

  /// The root that will be in force once the pending changes are published.
  func nextRoot() throws(PublisherError) -> Root { try pending.nextRoot(after: served.root) }

  /// Files other than the timestamp that have to be renewed soon.
  package func expiring() -> [SignedFile] {
    [served.rootFile, served.targets, served.snapshot].filter { $0.isDue(at: now) }
  }

  // MARK: - Changes

  /// Decrypts the available keys of these roles, so that a wrong passphrase is found before the work.
  package func unlock(_ roles: [Root.TopLevel]) throws(PublisherError) {
    for role in roles {
      var found = 0
      for key in try RootContent(served.root)[role].keys where try store.unlock(key, of: role) { found += 1 }
      let threshold = Int(clamping: served.root.role(role).threshold)
      // Root and targets can be signed elsewhere and later; the others cannot.
      guard found >= threshold || role == .targets || role == .root else {
        throw .signatures(.tooFewKeys(role: role.name, found: found, threshold: threshold, path: store.path))
      }
    }
  }

  /// Publishes targets that list these releases.
  package mutating func publish(_ releases: [ServedRelease]) throws(PublisherError) -> ChangeOutcome {
    var change = PendingFiles()
    change.targets = try targets(releases)
    return try apply(change)
  }

  /// Publishes a root with these keys and thresholds.
  mutating func publish(_ content: RootContent) throws(PublisherError) -> ChangeOutcome {
    var change = PendingFiles()
    let head = validity.head(.root, after: served.rootFile, now: now)
    change.root = try SignedFile(content.signed(head), file: SignedFile.name(.root, version: head.version))
    return try apply(change)
  }

  /// Signs a new version with a new expiry, and the files that depend on it.
  package mutating func renew(_ role: Root.TopLevel) throws(PublisherError) -> ChangeOutcome {
    switch role {
    case .root: return try publish(RootContent(nextRoot()))
    case .targets: return try publish(releases())
    case .snapshot, .timestamp: return try apply(PendingFiles(), renewing: role)
    }
  }

  func targets(_ releases: [ServedRelease]) throws(PublisherError) -> SignedFile {
    let head = validity.head(.targets, after: served.targets, now: now)
    let name = SignedFile.name(.targets, version: head.version)
    let file = try SignedFile(MetadataText.targets(releases, head: head), file: name)
    guard UInt64(file.bytes.count) <= TrustLimits.fileInMemory / 2 else {
      throw .repository(.tooManyReleases(path: repository.path))
    }
    return file
  }
}
