internal import Catalog
internal import Crypto
internal import Platform
internal import Releases

/// Compares the files that catalogs list with their entries, each file once.
struct FileVerification {
  private let repository: Repository
  private let depth: Verification.Depth
  /// URLs of the files that were already compared.
  private var seen: Set<String> = []
  /// One sentence for each problem.
  private(set) var problems: [String] = []

  init(of repository: Repository, _ depth: Verification.Depth) {
    self.repository = repository
    self.depth = depth
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
      for entry in try repository.catalog(of: release).entries {
        row.components += 1
        try check(entry)
        for payload in [entry.packed].compactMap({ $0 }) + entry.patches.map(\.container) {
          let exists = try exists(payload.url)
          guard exists || isLive || payload == entry.packed else { continue }
          row.payloads += 1
          try check(payload)
        }
      }
    } catch { problems.append("release \(release.number), \(release.label): \(error.sentence)") }
    row.problems = problems.count - before
    return row
  }

  private func exists(_ url: String) throws(PublisherError) -> Bool {
    let directory = try repository.open()
    return try onFile { () throws(FileError) in try directory.status(of: url) != nil }
  }

  private mutating func check(_ entry: CatalogEntry) throws(PublisherError) {
    guard seen.insert(entry.url).inserted, let path = try path(of: entry.url, size: entry.size) else {
      return
    }
    if depth == .contents, try FileDigest.of(path).digest != entry.digest {
      problems.append("\(path) does not match the digest in its name.")
    }
  }

  /// Compares the head and first frame with the digest in the catalog; with `.contents`, all frames are read.
  private mutating func check(_ payload: Container) throws(PublisherError) {
    guard seen.insert(payload.url).inserted, let path = try path(of: payload.url, size: payload.size) else {
      return
    }
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

  /// The path of a file that exists and has the given size; otherwise records a problem and returns nil.
  private mutating func path(of url: String, size: UInt64) throws(PublisherError) -> String? {
    let path = "\(repository.path)/\(url)"
    let directory = try repository.open()
    let status = try onFile { () throws(FileError) in try directory.status(of: url) }
    guard let status, status.kind == .file else {
      problems.append("\(path) is missing.")
      return nil
    }
    guard status.size == size else {
      problems.append("\(path) has \(status.size) bytes, but its catalog says \(size).")
      return nil
    }
    return path
  }
}
