package import JSONReading

/// Targets roles (TUF 1.0, section 5.6).
extension TrustClient {
  // MARK: - 5.6.1 to 5.6.6

  package func targets(
    _ snapshot: Snapshot, fetch: (_ file: String, _ limit: UInt64) -> Fetched
  ) throws(TrustError) -> Targets {
    try targets(Name("targets"), authority: root.authority(.targets), in: snapshot, fetch: fetch)
  }

  /// A targets role, verified by the keys of the role that leads to it on this way.
  package func targets(
    _ role: Name, authority: Authority, in snapshot: Snapshot,
    fetch: (_ file: String, _ limit: UInt64) -> Fetched
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
    let targets = try Targets(envelope)
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
      let targets = try Targets(envelope)
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
