internal import Platform
internal import Trust

/// From a change to what devices see.
extension MetadataSession {
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
  func setAsideRevoked() {
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
      throw .signatures(.tooFewKeys(role: role.name, found: found, threshold: threshold, path: store.path))
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
