internal import Platform
package import Releases
internal import Trust

/// A repository verified as a device does, and then file by file.
package struct Verification: Equatable, Sendable {
  /// The metadata file of each role, if the metadata can be trusted.
  package private(set) var files: [SignedFile] = []
  package private(set) var releases: [Row] = []
  /// One sentence for each problem.
  package private(set) var problems: [String] = []

  package struct Row: Equatable, Sendable {
    package let release: ServedRelease
    package internal(set) var components = 0
    package internal(set) var payloads = 0
    package internal(set) var problems = 0
  }

  /// How closely files are compared with their catalogs.
  package enum Depth: Equatable, Sendable {
    /// By their sizes, and payloads by their heads.
    case sizes
    /// Also by the digests of all their bytes.
    case contents
  }

  /// `root`: the path of the root that devices begin with; the repository's first one if that is nil.
  package struct Options: Sendable {
    package var root: String?
    /// How closely components and payloads are compared with their catalogs.
    package var depth = Depth.sizes
    /// Seconds since 1970.
    package var now: Int64
    /// The directory for the metadata that a device would store.
    package var temporary = "/tmp"

    package init(now: Int64) { self.now = now }
  }

  /// Throws only if it cannot verify at all; findings are in `problems`.
  package init(of repository: Repository, options: Options) throws(PublisherError) {
    let path = options.root ?? "\(repository.path)/\(ServedMetadata.folder)/1.root.json"
    let root = try onFile { () throws(FileError) in
      try File(opening: path).bytes(upTo: TrustLimits.root)
    }
    let name = "tinypublish-verify-\(UInt64.random(in: 0 ... .max))"
    let temporary = try onFile { () throws(FileError) in
      let temporary = try Directory(opening: options.temporary)
      try temporary.makePrivateDirectory(name)
      return temporary
    }
    defer { do throws(FileError) { try temporary.removeTree(name) } catch {} }
    var found: [ServedRelease] = []
    do throws(TrustError) {
      found = try walk(
        repository, root: root, stored: try Verification.open(temporary, name: name), now: options.now)
    } catch { problems.append(error.sentence) }
    var files = FileVerification(of: repository, depth: options.depth)
    let live = Pruning.live(found)
    for release in found {
      releases.append(try files.check(release, isLive: live.contains(release)))
    }
    problems += files.problems
  }

  private static func open(
    _ temporary: borrowing Directory, name: String
  ) throws(TrustError) -> MetadataDirectory {
    let directory: Directory
    do throws(FileError) { directory = try temporary.openDirectory(name) } catch { throw .file(error) }
    return try MetadataDirectory(directory)
  }

  /// Every step of `TrustClient`, from the first root to the newest targets.
  private mutating func walk(
    _ repository: Repository, root: [UInt8], stored: consuming MetadataDirectory, now: Int64
  ) throws(TrustError) -> [ServedRelease] {
    // The reason why a file could not be read: the client only knows that it was not.
    var failure: String?
    func fetch(_ file: String, upTo limit: UInt64) -> Fetched {
      let path = "\(repository.path)/\(ServedMetadata.folder)/\(file)"
      do throws(FileError) {
        let bytes = try File(opening: path).bytes(upTo: limit + 1)
        if UInt64(bytes.count) <= limit { return .file(bytes) }
        failure = "\(path) has more than \(limit) bytes."
      } catch {
        if error.errno == .noEntry { return .absent }
        failure = "\(error.sentence)."
      }
      return .failed
    }
    let releases: [ServedRelease]
    do throws(TrustError) {
      var client = try TrustClient(stored, provisioned: root, now: now)
      let snapshot = try client.refresh(fetch)
      releases = try Verification.releases(client, from: snapshot, fetch: fetch)
    } catch {
      if let failure { problems.append(failure) }
      throw error
    }
    let served: ServedMetadata
    do throws(PublisherError) { served = try ServedMetadata(of: repository) } catch {
      problems.append(error.sentence)
      return releases
    }
    files = Root.TopLevel.allCases.map { served[$0] }
    return releases
  }

  private static func releases(
    _ client: borrowing TrustClient, from snapshot: Snapshot, fetch: (String, UInt64) -> Fetched
  ) throws(TrustError) -> [ServedRelease] {
    let targets = try client.targets(snapshot, fetch: fetch)
    var releases: [ServedRelease] = []
    try targets.forEachTarget { (target, custom) in
      if let release = ServedRelease(target, custom: custom) { releases.append(release) }
    }
    return releases.sorted { $0.number < $1.number }
  }
}
