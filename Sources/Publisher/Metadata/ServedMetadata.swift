internal import JSONReading
internal import Platform
package import Releases
package import Trust

/// The metadata that a repository serves.
package struct ServedMetadata: Equatable, Sendable {
  package let root: Root
  package let rootFile: SignedFile
  package let timestamp: SignedFile
  package let snapshot: SignedFile
  package let targets: SignedFile
  /// In the order of their numbers.
  package let releases: [ServedRelease]

  static var folder: String { "metadata" }
  /// The file that makes a directory a repository.
  static var timestampPath: String { "\(folder)/timestamp.json" }

  /// Reads the metadata, and checks everything that a device checks except expiry.
  ///
  /// After an interrupted change of keys, files may be valid under the previous root only.
  package init(of repository: Repository) throws(PublisherError) {
    let directory = try repository.open()
    let metadata = try onFile { () throws(Failure) in try directory.openDirectory(ServedMetadata.folder) }
    do throws(TrustError) { try self.init(metadata) } catch { throw .repository(.metadata(error)) }
  }

  private init(_ metadata: borrowing Directory) throws(TrustError) {
    let version: UInt64
    do throws(Failure) { version = try ServedMetadata.newestRoot(in: metadata) } catch {
      throw .file(error)
    }
    guard version > 0 else { throw .missing(file: "\(metadata.path)/1.root.json") }
    let reader = try SignedFileReader(metadata, root: version)
    root = reader.root
    rootFile = reader.rootFile
    let timestamp = try reader.file(.timestamp, listed: nil, upTo: TrustLimits.timestamp)
    let named = try ServedMetadata.snapshot(of: timestamp)
    let snapshot = try reader.file(.snapshot, listed: named, upTo: TrustLimits.snapshot)
    let targets = try reader.file(
      .targets, listed: try ServedMetadata.targets(of: snapshot), upTo: TrustLimits.targets)
    releases = try ServedMetadata.releases(in: targets, file: reader.path(targets.name))
    self.timestamp = timestamp
    self.snapshot = snapshot
    self.targets = targets
  }

  package subscript(role: Root.TopLevel) -> SignedFile {
    switch role {
    case .root: rootFile
    case .timestamp: timestamp
    case .snapshot: snapshot
    case .targets: targets
    }
  }

  /// The releases that a targets file lists.
  static func releases(in file: SignedFile, file name: String) throws(TrustError) -> [ServedRelease] {
    let targets = try Targets(Envelope(file.bytes, file: name))
    var releases: [ServedRelease] = []
    var isOurs = true
    try targets.forEachTarget { (target, custom) in
      if let release = ServedRelease(target, custom: custom) {
        releases.append(release)
      } else {
        isOurs = false
      }
    }
    guard isOurs else { throw .malformed(file: name, .value("targets")) }
    return releases.sorted { $0.number < $1.number }
  }

  private static func snapshot(of file: SignedFile) throws(TrustError) -> MetaFile {
    try Timestamp(Envelope(file.bytes, file: file.name)).snapshot
  }

  private static func targets(of file: SignedFile) throws(TrustError) -> MetaFile {
    let snapshot = try Snapshot(Envelope(file.bytes, file: file.name))
    guard let targets = try snapshot.file(Name("targets")) else { throw .unlisted(file: "targets.json") }
    return targets
  }

  /// A root of a repository, which may be older than the newest.
  static func root(_ version: UInt64, in repository: borrowing Directory) throws(PublisherError) -> Root {
    let name = "\(folder)/\(SignedFile.name(.root, version: version))"
    let bytes = try onFile { () throws(Failure) in
      try repository.open(name).bytes(upTo: TrustLimits.root)
    }
    do throws(TrustError) { return try TrustClient.root(bytes, file: "\(repository.path)/\(name)") } catch {
      throw .repository(.metadata(error))
    }
  }

  /// The highest version of the root files in a directory; 0 if there are none.
  static func newestRoot(in metadata: borrowing Directory) throws(Failure) -> UInt64 {
    var newest: UInt64 = 0
    try metadata.forEachName { (name) throws(Failure) in
      let parts = name.parts(separatedBy: ".", limit: 2)
      guard parts.count == 2, parts[1] == "root.json", let version = UInt64(ascii: parts[0].utf8) else {
        return
      }
      newest = max(newest, version)
    }
    return newest
  }
}
