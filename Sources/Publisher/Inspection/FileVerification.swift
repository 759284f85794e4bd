internal import Catalog
internal import Crypto
internal import MapModel
internal import Platform
internal import Releases

/// Compares the files that catalogs list with their entries, each file once.
struct FileVerification {
  private let repository: Repository
  private let depth: Verification.Depth
  private let observe: (VerificationEvent) -> Void
  /// URLs of the files that were already compared.
  private var seen: Set<String> = []
  /// One sentence for each problem.
  private(set) var problems: [String] = []

  init(
    of repository: Repository, depth: Verification.Depth, observe: @escaping (VerificationEvent) -> Void
  ) {
    self.repository = repository
    self.depth = depth
    self.observe = observe
  }

  /// Checks the components and payloads of one release.
  ///
  /// - `isLive`: the release is the newest one for some device. Patches to others may have been removed (`Pruning`).
  mutating func check(
    _ release: ServedRelease, isLive: Bool
  ) throws(PublisherError) -> Verification.Row {
    var row = Verification.Row(release: release)
    let before = problems.count
    do throws(PublisherError) {
      let directory = try repository.open()
      let catalog = try repository.catalog(of: release)
      problems += try catalog.flaws(of: release, at: repository.path) { (url, _) in
        "\(repository.path)/\(url)"
      }
      let sizes = catalog.entries.flatMap { entry in [entry.size] + entry.containers.map { $0.size } }
      var meter = VerificationMeter(release, sizes: sizes, observe: observe)
      for entry in catalog.entries {
        row.components += 1
        try check(entry, size: try directory.fileSize(of: entry.url))
        meter.pass(entry.url, size: entry.size)
        let needed = isLive ? entry : try entry.served(by: directory)
        for payload in entry.containers {
          defer { meter.pass(payload.url, size: payload.size) }
          guard needed.containers.contains(payload) else { continue }
          row.payloads += 1
          try check(payload, size: try directory.fileSize(of: payload.url))
        }
      }
    } catch { problems.append("release \(release.number), \(release.label): \(error.sentence)") }
    row.problems = problems.count - before
    return row
  }

  private mutating func check(_ entry: CatalogEntry, size: UInt64?) throws(PublisherError) {
    guard seen.insert(entry.url).inserted, let path = path(of: entry.url, size: size, expected: entry.size)
    else {
      return
    }
    if depth == .contents, try FileDigest.of(path).digest != entry.digest {
      problems.append("\(path) does not match the digest in its name.")
    }
  }

  /// Compares the head and first frame with the digest in the catalog; with `.contents`, all frames are read.
  private mutating func check(_ payload: Container, size: UInt64?) throws(PublisherError) {
    guard seen.insert(payload.url).inserted,
      let path = path(of: payload.url, size: size, expected: payload.size)
    else { return }
    do throws(PublisherError) {
      let digest: Digest
      switch depth {
      case .sizes: digest = try PatchInspection.headDigest(of: path)
      case .contents: digest = try PatchInspection(of: path).headDigest
      }
      if digest != payload.head { problems.append("\(path) is not the payload that its catalog lists.") }
    } catch {
      guard case .inspection(.damagedPatch) = error else { throw error }
      problems.append(error.sentence)
    }
  }

  /// The path of a file that exists and has the expected size; otherwise records a problem and returns nil.
  private mutating func path(of url: String, size: UInt64?, expected: UInt64) -> String? {
    let path = "\(repository.path)/\(url)"
    guard let size else {
      problems.append("\(path) is missing.")
      return nil
    }
    guard size == expected else {
      problems.append("\(path) has \(size) bytes, but its catalog says \(expected).")
      return nil
    }
    return path
  }
}
