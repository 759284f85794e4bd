/// Targets roles, and the search for a target in them (TUF 1.0, section 5.6).
extension TrustClient {
  // MARK: - 5.6.1 to 5.6.6 The top-level targets

  package func targets(
    _ snapshot: Snapshot, fetch: (_ file: String, _ limit: UInt64) -> Fetched
  ) throws(TrustError) -> Targets {
    try targets(Name("targets"), authority: root.authority(.targets), in: snapshot, fetch: fetch)
  }

  // MARK: - 5.6.7 A target

  /// What the roles that are trusted with `path` say of it; throws `noTarget` if none lists it.
  ///
  /// Depth first, in the order of the delegations. A role that was looked into is not looked into again, so
  /// that circles end; a terminating delegation that matches ends the search after its own subtree.
  package func target(
    _ path: Name, in snapshot: Snapshot, fetch: (_ file: String, _ limit: UInt64) -> Fetched
  ) throws(TrustError) -> TargetFile {
    var waiting = [(name: Name("targets"), authority: root.authority(.targets))]
    var visited: [Name] = []
    while let next = waiting.popLast() {
      if visited.contains(next.name) { continue }
      // 5.6.7.1: the top-level role and that many delegated ones.
      guard visited.count <= TrustLimits.delegatedRoles else { break }
      visited.append(next.name)
      let targets = try targets(next.name, authority: next.authority, in: snapshot, fetch: fetch)
      if let target = try targets.target(path) { return target }
      // 5.6.7.2
      var children: [(name: Name, authority: Authority)] = []
      var isTerminated = false
      var size = waiting.reduce(0) { $0 + $1.authority.size }
      try targets.forEachDelegation(for: path) { delegation throws(MetadataFlaw) in
        guard !isTerminated else { return }
        isTerminated = delegation.isTerminating
        // No more can be looked into, even if as many of them as possible are reached on another way first.
        guard children.count < 2 * TrustLimits.delegatedRoles, !visited.contains(delegation.name) else {
          return
        }
        size += delegation.authority.size
        if size <= TrustLimits.authorities { children.append((delegation.name, delegation.authority)) }
      }
      guard size <= TrustLimits.authorities else {
        throw .overMemory(file: next.name.percentEncoded + ".json")
      }
      if isTerminated { waiting.removeAll() }
      waiting += children.reversed()
    }
    throw .noTarget(path.text)
  }

  /// A targets role, verified by the keys of the role that leads to it on this way.
  private func targets(
    _ role: Name, authority: Authority, in snapshot: Snapshot,
    fetch: (String, UInt64) -> Fetched
  ) throws(TrustError) -> Targets {
    guard let listed = try snapshot.file(role) else { throw .unlisted(file: role.percentEncoded + ".json") }
    if let targets = try storedTargets(role, authority: authority, listed: listed) { return targets }
    // 5.6.1
    let file = fileName(role, version: listed.version)
    // 5.6.2
    let bytes = try fetchListed(file, as: listed, limit: TrustLimits.targets, fetch: fetch)
    let envelope = try Envelope(bytes, file: file)
    // 5.6.3
    try envelope.verify(by: authority)
    let targets = try Targets(envelope, role: role)
    // 5.6.4
    try check(targets.head, version: listed.version, file: file)
    // 5.6.5
    guard !targets.head.isExpired(at: now) else { throw .expired(file: file, at: targets.head.expires) }
    // 5.6.6
    try directory.write(role, bytes: bytes)
    return targets
  }

  /// The stored file if it is what the snapshot names and `authority` vouches for it; what another delegator
  /// thinks of the same role does not count.
  private func storedTargets(
    _ role: Name, authority: Authority, listed: MetaFile
  ) throws(TrustError) -> Targets? {
    guard let bytes = try directory.read(role, upTo: TrustLimits.targets), listed.matches(bytes) else {
      return nil
    }
    do throws(TrustError) {
      let envelope = try Envelope(bytes, file: "the stored \(role.percentEncoded).json")
      try envelope.verify(by: authority)
      let targets = try Targets(envelope, role: role)
      guard targets.head.version == listed.version, !targets.head.isExpired(at: now) else { return nil }
      return targets
    } catch { return nil }
  }

  // MARK: - Files that others name

  /// What a role's file is called in the repository.
  func fileName(_ role: Name, version: UInt64) -> String {
    (root.hasConsistentSnapshots ? "\(version)." : "") + role.percentEncoded + ".json"
  }

  /// Fetches a file, and compares its length and digests with those that are listed before anything else.
  func fetchListed(
    _ file: String, as listed: MetaFile, limit: UInt64, fetch: (String, UInt64) -> Fetched
  ) throws(TrustError) -> [UInt8] {
    let most = min(limit, listed.length ?? limit)
    if let length = listed.length, length <= limit, length > TrustLimits.fileInMemory {
      throw .overMemory(file: file)
    }
    guard let bytes = try TrustClient.fetch(file, limit: most, fetch: fetch) else {
      throw .missing(file: file)
    }
    guard listed.matches(bytes) else { throw .mismatched(file: file) }
    return bytes
  }

  func check(_ head: MetadataHead, version: UInt64, file: String) throws(TrustError) {
    guard head.version == version else {
      throw .wrongVersion(file: file, expected: version, found: head.version)
    }
  }

  /// Nil if there is no such file.
  static func fetch(
    _ file: String, limit: UInt64, fetch: (String, UInt64) -> Fetched
  ) throws(TrustError) -> [UInt8]? {
    switch fetch(file, min(limit, TrustLimits.fileInMemory)) {
    case .file(let bytes):
      guard UInt64(bytes.count) <= limit else { throw .mismatched(file: file) }
      return bytes
    case .absent: return nil
    case .failed: throw .notFetched(file: file)
    }
  }
}
