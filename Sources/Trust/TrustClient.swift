internal import JSONReading

/// The client's workflow of The Update Framework (TUF 1.0, section 5), numbered as there.
///
/// It only decides: bytes come from the closures that its caller passes, each with the name of a file in the
/// repository and the most bytes that it may have. Nothing is stored before the last check of it, so that whatever
/// fails leaves what was trusted before.
package struct TrustClient: ~Copyable {
  let directory: MetadataDirectory
  /// 5.1: the one time that expiry is compared with.
  package let now: Int64
  package private(set) var root: Root
  /// When the timestamp was signed, in seconds since 1970, if it says so; known after a refresh.
  private var newestSigning: Int64 = 0
  /// The bytes of the root, if it is the provisioned one and nothing was verified by it yet.
  private var unstored: [UInt8]?

  /// 5.2: begins with the newest root that was trusted before.
  ///
  /// `provisioned`: the bytes of the root that came with the device. It counts where none is stored, where the
  /// stored one is damaged, and where it is the newer one of both. It is stored with the first thing that it has verified:
  /// it may be that of another publisher, and be corrected.
  package init(
    _ directory: consuming MetadataDirectory, provisioned: [UInt8]?, now: Int64
  ) throws(TrustError) {
    let stored = try TrustClient.storedRoot(directory)
    var (root, unstored) = (stored, nil as [UInt8]?)
    if let provisioned, let shipped = try TrustClient.provisionedRoot(provisioned, instead: stored) {
      if stored == nil {
        unstored = provisioned
      } else {
        try TrustClient.replace(stored, by: shipped, bytes: provisioned, in: directory)
      }
      root = shipped
    }
    guard let root else { throw .noRoot }
    self.root = root
    self.unstored = unstored
    self.directory = directory
    self.now = now
  }

  /// A root that its own keys have signed; its expiry does not matter here.
  package static func root(_ bytes: [UInt8], file: String) throws(TrustError) -> Root {
    let envelope = try Envelope(bytes, file: file)
    let root = try Root(envelope)
    try envelope.verify(by: root.authority(.root))
    return root
  }

  /// Nil if there is none, or if it is damaged: then the walk begins at the provisioned one again.
  private static func storedRoot(_ directory: borrowing MetadataDirectory) throws(TrustError) -> Root? {
    guard let bytes = try directory.read(Name("root"), upTo: TrustLimits.root) else { return nil }
    do throws(TrustError) { return try root(bytes, file: "the stored root.json") } catch { return nil }
  }

  /// Nil if the stored one is to be kept: it is as new, or the provisioned one is the one that is damaged.
  private static func provisionedRoot(_ bytes: [UInt8], instead stored: Root?) throws(TrustError) -> Root? {
    do throws(TrustError) {
      let shipped = try root(bytes, file: "the provisioned root.json")
      return stored.map { $0.head.version < shipped.head.version } ?? true ? shipped : nil
    } catch {
      guard stored == nil else { return nil }
      throw error
    }
  }

  // MARK: - 5.3 The root

  /// Walks up to the newest root, then learns the newest timestamp and snapshot.
  package mutating func refresh(
    _ fetch: (_ file: String, _ limit: UInt64) -> Fetched
  ) throws(TrustError) -> Snapshot {
    try updateRoot(fetch)
    let timestamp = try timestamp(fetch)
    if let bytes = unstored {
      try directory.write(Name("root"), bytes: bytes)
      unstored = nil
    }
    let snapshot = try snapshot(timestamp, fetch: fetch)
    if let issued = timestamp.head.issued, issued < timestamp.head.expires { newestSigning = issued }
    return snapshot
  }

  /// The timestamp that was trusted last, as a source for a `refresh` without a network; nil if there is none.
  package func storedTimestampBytes() throws(TrustError) -> [UInt8]? {
    try directory.read(Name("timestamp"), upTo: TrustLimits.timestamp)
  }

  /// Keeps for the next runs how late it must be by now, after a refresh that went well.
  ///
  /// Nothing was expired at `now`, so it may well be that time; and it cannot be before the last signing.
  package func rememberTime() throws(TrustError) {
    try directory.raiseTimeFloor(to: max(now, newestSigning))
  }

  private mutating func updateRoot(_ fetch: (String, UInt64) -> Fetched) throws(TrustError) {
    var rotations = 0
    while true {
      // 5.3.2, 5.3.3: the next root, until there is none.
      let (version, isTooLarge) = root.head.version.addingReportingOverflow(1)
      let file = "\(version).root.json"
      guard !isTooLarge, let bytes = try TrustClient.fetch(file, limit: TrustLimits.root, fetch: fetch) else {
        break
      }
      // A root that is known to have a successor is not enough to trust anything: the successor may revoke its keys.
      guard rotations < TrustLimits.rootRotations else { throw .moreRoots(version: root.head.version) }
      rotations += 1
      let next = try successor(bytes, file: file)
      // 5.3.6, 5.3.7: it is the trusted one from now on.
      try TrustClient.replace(root, by: next, bytes: bytes, in: directory)
      root = next
      unstored = nil
    }  // 5.3.9
    // 5.3.10: only the last one must not be expired.
    guard !root.head.isExpired(at: now) else { throw .expired(file: "root.json", at: root.head.expires) }
  }

  private func successor(_ bytes: [UInt8], file: String) throws(TrustError) -> Root {
    let envelope = try Envelope(bytes, file: file)
    let next = try Root(envelope)
    // 5.3.4: signed by the keys of the old root and by its own.
    try envelope.verify(by: root.authority(.root))
    try envelope.verify(by: next.authority(.root))
    // 5.3.5: exactly the next version.
    let version = root.head.version + 1
    guard next.head.version == version else {
      throw .wrongVersion(file: file, expected: version, found: next.head.version)
    }
    return next
  }

  /// Stores a root.
  ///
  /// 5.3.11: when the keys of timestamp or snapshot were replaced, what they signed is forgotten, so that a
  /// version that was driven up by a thief does not stay a bound for ever. Before the root is stored: after a
  /// power cut between the two, the replacement would be forgotten.
  private static func replace(
    _ old: Root?, by new: Root, bytes: [UInt8], in directory: borrowing MetadataDirectory
  ) throws(TrustError) {
    if let old, [.timestamp, .snapshot].contains(where: { !old.role($0).hasSameKeys(as: new.role($0)) }) {
      try directory.remove(Name("timestamp"))
      try directory.remove(Name("snapshot"))
    }
    try directory.write(Name("root"), bytes: bytes)
  }

  // MARK: - 5.4 The timestamp

  private func timestamp(_ fetch: (String, UInt64) -> Fetched) throws(TrustError) -> Timestamp {
    let file = "timestamp.json"
    let trusted = try storedTimestamp()
    // 5.4.1
    guard let bytes = try TrustClient.fetch(file, limit: TrustLimits.timestamp, fetch: fetch) else {
      throw .missing(file: file)
    }
    let envelope = try Envelope(bytes, file: file)
    // 5.4.2
    try envelope.verify(by: root.authority(.timestamp))
    var timestamp = try Timestamp(envelope)
    var isNew = true
    if let trusted {
      // 5.4.3.1: never backwards; the same version is the same file, whatever it says.
      guard timestamp.head.version >= trusted.head.version else {
        throw .rolledBack(file: file, trusted: trusted.head.version, found: timestamp.head.version)
      }
      isNew = timestamp.head.version > trusted.head.version
      if !isNew { timestamp = trusted }
      // 5.4.3.2: nor the snapshot that it names.
      guard timestamp.snapshot.version >= trusted.snapshot.version else {
        throw .rolledBack(
          file: "snapshot.json", trusted: trusted.snapshot.version, found: timestamp.snapshot.version)
      }
    }
    // 5.4.4
    guard !timestamp.head.isExpired(at: now) else { throw .expired(file: file, at: timestamp.head.expires) }
    // 5.4.5
    if isNew { try directory.write(Name("timestamp"), bytes: bytes) }
    return timestamp
  }

  /// The stored one if the root's keys still vouch for it; it may be expired, as it only bounds versions.
  private func storedTimestamp() throws(TrustError) -> Timestamp? {
    guard let bytes = try directory.read(Name("timestamp"), upTo: TrustLimits.timestamp) else { return nil }
    do throws(TrustError) {
      let envelope = try Envelope(bytes, file: "the stored timestamp.json")
      try envelope.verify(by: root.authority(.timestamp))
      return try Timestamp(envelope)
    } catch { return nil }
  }

  // MARK: - 5.5 The snapshot

  private func snapshot(
    _ timestamp: Timestamp, fetch: (String, UInt64) -> Fetched
  ) throws(TrustError) -> Snapshot {
    let stored = try storedSnapshot(timestamp.snapshot)
    if stored.isCurrent, let snapshot = stored.snapshot { return snapshot }
    // 5.5.1
    let file = fileName(Name("snapshot"), version: timestamp.snapshot.version)
    let bytes = try fetchListed(file, as: timestamp.snapshot, limit: TrustLimits.snapshot, fetch: fetch)
    let envelope = try Envelope(bytes, file: file)
    // 5.5.3
    try envelope.verify(by: root.authority(.snapshot))
    let snapshot = try Snapshot(envelope)
    // 5.5.4
    try check(snapshot.head, version: timestamp.snapshot.version, file: file)
    // 5.5.5
    if let trusted = stored.snapshot { try snapshot.checkFollows(trusted) }
    // 5.5.6
    guard !snapshot.head.isExpired(at: now) else { throw .expired(file: file, at: snapshot.head.expires) }
    // 5.5.7
    try directory.write(Name("snapshot"), bytes: bytes)
    return snapshot
  }

  private struct StoredSnapshot {
    var snapshot: Snapshot?
    /// It is what the timestamp names: nothing has to be fetched.
    var isCurrent = false
  }

  /// The stored snapshot if the root's keys still vouch for it.
  ///
  /// It bounds versions even when it is expired, or another one than the timestamp names now.
  private func storedSnapshot(_ wanted: MetaFile) throws(TrustError) -> StoredSnapshot {
    guard let bytes = try directory.read(Name("snapshot"), upTo: TrustLimits.snapshot) else {
      return StoredSnapshot()
    }
    do throws(TrustError) {
      let envelope = try Envelope(bytes, file: "the stored snapshot.json")
      try envelope.verify(by: root.authority(.snapshot))
      let snapshot = try Snapshot(envelope)
      let isCurrent =
        snapshot.head.version == wanted.version && !snapshot.head.isExpired(at: now) && wanted.matches(bytes)
      return StoredSnapshot(snapshot: snapshot, isCurrent: isCurrent)
    } catch { return StoredSnapshot() }
  }
}
