internal import Platform
package import Trust

/// The metadata of a repository while one process changes it.
///
/// A change becomes visible by one rename: that of `timestamp.json`, or that of a new root (`apply`).
package struct MetadataSession: ~Copyable {
  let repository: Repository
  let directory: Directory
  package let store: KeyStore
  let now: Int64
  let validity: Validity
  package private(set) var served: ServedMetadata
  package private(set) var pending: PendingFiles

  /// Locks the metadata, removes what an interrupted run left, and finishes what it began.
  package static func begin(
    of repository: Repository, _ store: KeyStore, validity: Validity, now: Int64
  ) throws(PublisherError) -> MetadataSession {
    let directory = try repository.locked()
    try store.check(outside: directory)
    try Workspace.clean(directory)
    let served = try ServedMetadata(of: repository)
    let pending = try PendingFiles(of: directory, after: served)
    var session = MetadataSession(repository, directory, store, validity, now, served, pending)
    try session.finishInterrupted()
    session.setAsideRevoked()
    return session
  }

  private init(
    _ repository: Repository, _ directory: consuming Directory, _ store: KeyStore, _ validity: Validity,
    _ now: Int64, _ served: ServedMetadata, _ pending: PendingFiles
  ) {
    self.repository = repository
    self.directory = directory
    self.store = store
    self.validity = validity
    self.now = now
    self.served = served
    self.pending = pending
  }

  /// A new root is there, and what its keys should have signed is not.
  private mutating func finishInterrupted() throws(PublisherError) {
    for role in Root.TopLevel.allCases where try !served[role].isValid(under: served.root) {
      _ = try apply(PendingFiles())
      return
    }
  }

  /// The releases, those that wait for signatures included.
  package func releases() throws(PublisherError) -> [ReleaseTarget] {
    try pending.releases() ?? served.releases
  }

  /// The root that will be in force when what waits is published.
  func nextRoot() throws(PublisherError) -> Root { try nextRoot(pending) }

  private func nextRoot(_ change: PendingFiles) throws(PublisherError) -> Root {
    guard let root = try MetadataSession.root(change) else { return served.root }
    return root
  }

  private static func root(_ files: PendingFiles) throws(PublisherError) -> Root? {
    guard let file = files.root else { return nil }
    do throws(TrustError) { return try Root(Envelope(file.bytes, file: file.name)) } catch {
      throw .metadata(error)
    }
  }

  /// What the other roles signed and is about to expire: within 30 days, or half of its time if that is less.
  package func expiring() -> [SignedFile] {
    [served.rootFile, served.targets, served.snapshot].filter { file in
      file.expires - now < min(30 * 86_400, (file.validity ?? .max) / 2)
    }
  }

  // MARK: - Changes

  /// Decrypts the keys at hand of these roles, so that a wrong passphrase is found before the work.
  package func unlock(_ roles: [Root.TopLevel]) throws(PublisherError) {
    for role in roles {
      var found = 0
      for id in served.root.role(role).keyIDs where try store.unlock(role, id.text) { found += 1 }
      let threshold = Int(clamping: served.root.role(role).threshold)
      // Root and targets can be signed elsewhere and later; the others cannot.
      guard found >= threshold || role == .targets || role == .root else {
        throw .keysElsewhere(role: role.name, found: found, threshold: threshold, path: store.path)
      }
    }
  }

  /// Lists these releases instead of those before.
  package mutating func publish(_ releases: [ReleaseTarget]) throws(PublisherError) -> ChangeOutcome {
    var change = PendingFiles()
    change.targets = try targets(releases)
    return try apply(change)
  }

  /// Puts these keys and thresholds in force.
  mutating func publish(_ content: RootContent) throws(PublisherError) -> ChangeOutcome {
    var change = PendingFiles()
    let head = validity.head(.root, after: served.rootFile, now: now)
    change.root = try SignedFile(content.signed(head), file: SignedFile.name(.root, head.version))
    return try apply(change)
  }

  /// A new version with a new expiry, and of whatever depends on it.
  package mutating func renew(_ role: Root.TopLevel) throws(PublisherError) -> ChangeOutcome {
    switch role {
    case .root: return try publish(RootContent(nextRoot()))
    case .targets: return try publish(releases())
    case .snapshot, .timestamp: return try apply(PendingFiles(), renewing: role)
    }
  }

  private func targets(_ releases: [ReleaseTarget]) throws(PublisherError) -> SignedFile {
    let head = validity.head(.targets, after: served.targets, now: now)
    let name = SignedFile.name(.targets, head.version)
    let file = try SignedFile(MetadataText.targets(releases, head), file: name)
    guard UInt64(file.bytes.count) <= Trust.Limits.fileInMemory / 2 else {
      throw .tooManyReleases(path: repository.path)
    }
    return file
  }

  // MARK: - From a change to what devices see

  /// Signs a change with the keys at hand, and publishes it if they suffice; what else waits goes on waiting.
  ///
  /// 1. What the next root no longer vouches for is signed again.
  /// 2. Root and targets are signed by the keys that are here. If that is too few, they wait in `.pending`.
  /// 3. Snapshot and timestamp follow from them; their keys have to be here.
  /// 4. All files get their names, those that nobody looks for yet first (`write`).
  mutating func apply(
    _ wanted: PendingFiles, renewing renewed: Root.TopLevel? = nil
  ) throws(PublisherError) -> ChangeOutcome {
    var change = wanted
    let next = try nextRoot(change)
    if change.targets == nil, try !served.targets.isValid(under: next) {  // 1
      if let waiting = pending.targets {
        change.targets = waiting
      } else {
        change.targets = try targets(served.releases)
      }
    }
    try sign(&change.root, next)  // 2
    try sign(&change.targets, next)
    let missing = try missingSignatures(change, next)
    guard missing.isEmpty else {
      try keep(change)
      return .pending(missing)
    }
    var files = change.files.filter { $0.role == .targets }
    do throws(PublisherError) {  // 3
      var snapshot = served.snapshot
      let isGood = try snapshot.isValid(under: next)
      if change.targets != nil || renewed == .snapshot || !isGood {
        snapshot = try listing(change.targets ?? served.targets, in: .snapshot, next)
        files.append(snapshot)
      }
      files.append(try listing(snapshot, in: .timestamp, next))
    } catch {
      // Signatures that came from elsewhere are not to be lost.
      try keep(change)
      throw error
    }
    try write(files, change.root)  // 4
    served = try ServedMetadata(of: repository)
    pending = try PendingFiles(of: directory, after: served)
    try pending.save(in: directory)
    // Devices see it, whatever becomes of this: a key that is not listed signs nothing, and the next run cleans up.
    setAsideRevoked()
    do throws(PublisherError) { try Workspace.clean(directory) } catch {}
    return .published
  }

  /// Takes the keys out of use that a root has listed, and neither the newest nor the one that waits does.
  ///
  /// All roots count, because an interrupted run may have left this undone. Where keys cannot be renamed they stay.
  private func setAsideRevoked() {
    do throws(PublisherError) {
      let next = try nextRoot()
      for role in Root.TopLevel.allCases {
        let listed = (served.root.role(role).keyIDs + next.role(role).keyIDs).map(\.text)
        guard try store.hasOther(role, than: listed) else { continue }
        for version in 1..<served.rootFile.version {
          let root = try ServedMetadata.root(version, in: directory)
          for id in root.role(role).keyIDs where !listed.contains(id.text) { try store.revoke(role, id.text) }
        }
      }
    } catch {}
  }

  private mutating func keep(_ change: PendingFiles) throws(PublisherError) {
    pending.root = change.root ?? pending.root
    pending.targets = change.targets ?? pending.targets
    try pending.save(in: directory)
  }

  /// By keys of the root in force and of the next one: then both vouch for it.
  private func sign(_ file: inout SignedFile?, _ next: Root) throws(PublisherError) {
    guard var signed = file.take() else { return }
    try signed.sign(by: try signers(signed.role, next), in: store)
    file = signed
  }

  func signers(_ role: Root.TopLevel, _ next: Root) throws(PublisherError) -> [MetadataKey] {
    let (old, new) = (try RootContent(served.root), try RootContent(next))
    return new[role].keys + old[role].keys.filter { !new[role].keys.contains($0) }
  }

  private func missingSignatures(_ change: PendingFiles, _ next: Root) throws(PublisherError)
    -> [MissingSignatures]
  {
    var list = [
      try missingSignatures(of: change.root, under: served.root),
      try missingSignatures(of: change.targets, under: next),
    ]
    // The new root's own keys have to sign it, too.
    if list[0] == nil { list[0] = try missingSignatures(of: change.root, under: next) }
    return list.compactMap { $0 }
  }

  private func missingSignatures(of file: SignedFile?, under root: Root) throws(PublisherError)
    -> MissingSignatures?
  {
    guard let file else { return nil }
    let (found, threshold) = (try file.validKeys(root), Int(clamping: root.role(file.role).threshold))
    guard found < threshold else { return nil }
    return MissingSignatures(file: file.name, role: file.role, found: found, threshold: threshold)
  }

  private func listing(
    _ file: SignedFile, in role: Root.TopLevel, _ next: Root
  ) throws(PublisherError) -> SignedFile {
    let head = validity.head(role, after: served[role], now: now)
    let text = try MetadataText.listing(file, in: role, head)
    var listing = try SignedFile(text, file: SignedFile.name(role, head.version))
    try listing.sign(by: try signers(role, next), in: store)
    let (found, threshold) = (try listing.validKeys(next), Int(clamping: next.role(role).threshold))
    guard found >= threshold else {
      throw .keysElsewhere(role: role.name, found: found, threshold: threshold, path: store.path)
    }
    return listing
  }

  /// Gives the files their names, the last of which shows them to devices.
  ///
  /// Where the old root vouches for all of them, the new root comes last. Where it does not, because too few of
  /// the old keys are left, the root has to come before the timestamp; a device that comes between the two keeps
  /// what it has, and the next command finishes (`finishInterrupted`).
  private func write(_ files: [SignedFile], _ root: SignedFile?) throws(PublisherError) {
    var files = files
    if let root {
      var isVouchedFor = true
      for file in files where try !file.isValid(under: served.root) { isVouchedFor = false }
      files.insert(root, at: isVouchedFor ? files.count : files.count - 1)
    }
    for file in files {
      try onFile { () throws(FileError) in try Repository.put(file, in: directory) }
    }
  }
}
