internal import JSONReading
internal import Platform
internal import Trust

/// Publishing a change.
extension MetadataSession {
  /// Signs a change with the available keys, and publishes it if they suffice; other pending changes stay pending.
  ///
  /// 1. Files that are not valid under the next root are signed again.
  /// 2. Root and targets are signed with the available keys. If those are too few, the files wait in `.pending`.
  /// 3. Snapshot and timestamp follow from them; their keys must be available.
  /// 4. All files get their names, in an order that keeps every intermediate state valid (`write`).
  mutating func apply(
    _ wanted: PendingFiles, renewing renewed: Root.TopLevel? = nil
  ) throws(PublisherError) -> ChangeOutcome {
    var change = wanted
    let next = try change.nextRoot(after: served.root)
    if change.targets == nil, try !served.targets.isValid(under: next) {  // 1
      if let waiting = pending.targets {
        change.targets = waiting
      } else {
        change.targets = try targets(served.releases)
      }
    }
    try sign(&change.root, next: next)  // 2
    try sign(&change.targets, next: next)
    let missing = try change.missingSignatures(after: served.root)
    guard missing.isEmpty else {
      try keep(change)
      return .pending(missing)
    }
    var files = change.files.filter { $0.role == .targets }
    do throws(PublisherError) {  // 3
      var snapshot = served.snapshot
      let isGood = try snapshot.isValid(under: next)
      if change.targets != nil || renewed == .snapshot || !isGood {
        snapshot = try listing(change.targets ?? served.targets, in: .snapshot, next: next)
        files.append(snapshot)
      }
      files.append(try listing(snapshot, in: .timestamp, next: next))
    } catch {
      // Imported signatures must not be lost.
      try keep(change)
      throw error
    }
    try write(files, root: change.root)  // 4
    served = try ServedMetadata(of: repository)
    pending = try PendingFiles(of: directory, after: served)
    // Devices already see the change. If this fails, files that were pending are older than what is served, an unlisted
    // key still signs nothing, and the next run cleans up.
    do throws(PublisherError) { try pending.save(in: directory) } catch {}
    setAsideRevoked()
    do throws(PublisherError) { try Workspace.clean(directory) } catch {}
    return .published
  }

  /// Sets aside the keys that an older root lists, but neither the newest nor the pending one.
  ///
  /// All roots count, because an interrupted run may have left this undone. Keys that cannot be renamed stay.
  func setAsideRevoked() {
    do throws(PublisherError) {
      let next = try nextRoot()
      for role in Root.TopLevel.allCases {
        let listed = (served.root.role(role).keyIDs + next.role(role).keyIDs).map(\.text)
        guard try store.hasOther(role, than: listed) else { continue }
        for version in 1..<served.rootFile.version {
          let root = try ServedMetadata.root(version, in: directory)
          for id in root.role(role).keyIDs where !listed.contains(id.text) {
            try store.revoke(role, id: id.text)
          }
        }
      }
    } catch {}
  }

  private mutating func keep(_ change: PendingFiles) throws(PublisherError) {
    pending.root = change.root ?? pending.root
    pending.targets = change.targets ?? pending.targets
    try pending.save(in: directory)
  }

  /// Signs with keys of the root in force and of the next one, so that both verify it.
  private func sign(_ file: inout SignedFile?, next: Root) throws(PublisherError) {
    guard var signed = file.take() else { return }
    try signed.sign(by: try signers(signed.role, next: next), in: store)
    file = signed
  }

  func signers(_ role: Root.TopLevel, next: Root) throws(PublisherError) -> [MetadataKey] {
    let (old, new) = (try RootContent(served.root), try RootContent(next))
    return new[role].keys + old[role].keys.filter { !new[role].keys.contains($0) }
  }

  private func listing(
    _ file: SignedFile, in role: Root.TopLevel, next: Root
  ) throws(PublisherError) -> SignedFile {
    let head = validity.head(role, after: served[role], now: now)
    let text = try MetadataText.listing(file, in: role, head: head)
    var listing = try SignedFile(text, file: SignedFile.name(role, version: head.version))
    try listing.sign(by: try signers(role, next: next), in: store)
    let (found, threshold) = (try listing.validKeys(next), Int(clamping: next.role(role).threshold))
    guard found >= threshold else {
      throw .signatures(.tooFewKeys(role: role.name, found: found, threshold: threshold, path: store.path))
    }
    return listing
  }

  /// Gives the files their names; the last one makes the change visible to devices.
  ///
  /// If all files are valid under the old root, the new root comes last. If they are not, because too few of
  /// the old keys are left, the root must come before the timestamp; a device that updates between the two keeps
  /// what it has, and the next command finishes (`finishInterrupted`).
  private func write(_ files: [SignedFile], root: SignedFile?) throws(PublisherError) {
    var files = files
    if let root {
      var areValid = true
      for file in files where try !file.isValid(under: served.root) { areValid = false }
      files.insert(root, at: areValid ? files.count : files.count - 1)
    }
    for file in files {
      do throws(Failure) { try Repository.put(file, in: directory) } catch {
        guard file == files.last, isServed(file) else { throw .file(error) }
        throw .repository(.notDurable(error))
      }
    }
  }

  /// The file has its name.
  private func isServed(_ file: SignedFile) -> Bool {
    do throws(Failure) {
      let name = "\(ServedMetadata.folder)/\(file.name)"
      return try directory.open(name).bytes(upTo: TrustLimits.fileInMemory) == file.bytes
    } catch { return false }
  }
}
