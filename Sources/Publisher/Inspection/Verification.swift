internal import Platform
package import Releases
internal import Trust

/// A repository verified as a device does, and then file by file.
package struct Verification: Equatable, Sendable {
  /// The metadata file of each role, if the metadata can be trusted.
  package internal(set) var files: [SignedFile] = []
  package internal(set) var releases: [Row] = []
  /// One sentence for each problem.
  package internal(set) var problems: [String] = []
  /// One sentence for each thing that devices manage with, and that should be better.
  package internal(set) var warnings: [String] = []

  package struct Row: Equatable, Sendable {
    package let release: ServedRelease
    package internal(set) var components = 0
    package internal(set) var payloads = 0
    package internal(set) var problems = 0

    /// Adds what was found of one of its catalogs.
    mutating func add(_ other: Row) {
      components += other.components
      payloads += other.payloads
      problems += other.problems
    }
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
    /// For a server.
    package var access = ServerAccess()
    /// How closely components and payloads are compared with their catalogs.
    package var depth = Depth.sizes
    /// Seconds since 1970.
    package var now: Int64

    package init(now: Int64) { self.now = now }
  }

  /// The certificates and keys of a client; paths of files in PEM.
  package struct ServerAccess: Equatable, Sendable {
    /// Nil: the authorities of the system.
    package var certificateAuthorities: String?
    /// By which the server knows the client; nil: none.
    package var clientCertificate: String?
    /// Nil: it is in `clientCertificate`.
    package var clientKey: String?

    package init() {}
  }

  init() {}

  /// Throws only if it cannot verify at all; findings are in `problems`.
  package init(
    of repository: Repository, options: Options, observe: @escaping (VerificationEvent) -> Void = { _ in }
  ) throws(PublisherError) {
    let path = options.root ?? "\(repository.path)/\(ServedMetadata.folder)/1.root.json"
    let root = try onFile { () throws(Failure) in
      try File(opening: path).bytes(upTo: TrustLimits.root)
    }
    let folder = try TemporaryFolder()
    var found: [ServedRelease] = []
    do throws(TrustError) {
      found = try walk(
        repository, root: root, stored: try folder.metadata(), now: options.now)
    } catch { problems.append(error.sentence) }
    var files = FileVerification(of: repository, depth: options.depth, observe: observe)
    let live = Pruning.live(found)
    for release in found {
      var row = Row(release: release)
      for catalog in release.catalogs {
        row.add(try files.check(catalog, isLive: catalog.recall == nil && live.contains(release)))
      }
      releases.append(row)
      observe(.verified(row))
    }
    problems += files.problems
  }

  /// Every step of `TrustClient`, from the first root to the newest targets.
  private mutating func walk(
    _ repository: Repository, root: [UInt8], stored: consuming MetadataDirectory, now: Int64
  ) throws(TrustError) -> [ServedRelease] {
    // The reason why a file could not be read: the client only knows that it was not.
    var failure: String?
    func fetch(_ file: String, upTo limit: UInt64) -> Fetched {
      let path = "\(repository.path)/\(ServedMetadata.folder)/\(file)"
      do throws(Failure) {
        let bytes = try File(opening: path).bytes(upTo: limit + 1)
        if UInt64(bytes.count) <= limit { return .file(bytes) }
        failure = "\(path) has more than \(ByteCount(UInt64(limit)).text)."
      } catch {
        if error.errno == .noEntry { return .absent }
        failure = "\(error.cause)."
      }
      return .failed
    }
    let releases: [ServedRelease]
    do throws(TrustError) {
      releases = try Verification.releases(root: root, stored: stored, now: now, fetch: fetch)
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

  /// Verifies the metadata as a device would that trusts `root`, and fetches files by name and largest size.
  static func releases(
    root: [UInt8], stored: consuming MetadataDirectory, now: Int64, fetch: (String, UInt64) -> Fetched
  ) throws(TrustError) -> [ServedRelease] {
    var client = try TrustClient(stored, provisioned: root, now: now)
    let snapshot = try client.refresh(fetch)
    let targets = try client.targets(snapshot, fetch: fetch)
    var releases: [ServedRelease] = []
    try targets.forEachTarget { (target, custom) in
      if let release = ServedRelease(target, custom: custom) { releases.append(release) }
    }
    return releases.sorted { $0.number < $1.number }
  }
}
