internal import Catalog
internal import Crypto
internal import DeltaCreate
internal import MapModel
internal import MapTree
internal import PatchFormat
internal import Platform

/// A component whose update from the previous release is among the largest, and what it is made of.
struct LargeUpdate: Sendable {
  let name: ComponentName
  /// Bytes of the download.
  let download: UInt64
  let fullDownload: UInt64
  let means: Means

  enum Means: Sendable {
    case chain(patches: Int)
    /// `streams`: what can become of the compressed contents of the new file; a stream that can be rebuilt counts as
    /// `notSmaller`.
    case patch(PatchContents, streams: StreamFigures)
  }

  /// A component that a device at the previous release downloads.
  struct Candidate: Sendable {
    let name: ComponentName
    let download: UInt64
    fileprivate let entry: CatalogEntry
    fileprivate let old: CatalogEntry

    /// The bytes of memory that looking into it takes, out of so many.
    func memoryNeeded(of limit: Int) -> Int {
      SearchBudget.choose(old: Int(clamping: old.size), new: Int(clamping: entry.size), limit: limit).memory
    }
  }

  /// What changed from one release to the next, the largest downloads first.
  struct Candidates {
    /// By patches that can be looked into.
    var patched: [Candidate] = []
    /// In full, because no patch saves enough.
    var inFull: [Candidate] = []
    /// How many come by patches that `prune` has removed.
    var pruned = 0
  }

  static func candidates(
    of catalog: CatalogIndex, after base: CatalogIndex, in repository: Repository
  ) throws(PublisherError) -> Candidates {
    let directory = try repository.open()
    var found = Candidates()
    for entry in catalog.entries {
      guard let old = base[entry.name], let payload = base.payload(for: entry) else { continue }
      let candidate = Candidate(name: entry.name, download: payload.download, entry: entry, old: old)
      switch payload {
      case .patch, .chain:
        if try entry.serves(payload, by: directory) {
          found.patched.append(candidate)
        } else {
          found.pruned += 1
        }
      case .packed, .whole: found.inFull.append(candidate)
      case .staged: break
      }
    }
    found.patched = largestFirst(found.patched)
    found.inFull = largestFirst(found.inFull)
    return found
  }

  /// Those of the same size in the order of the catalog, so that the report is always the same.
  private static func largestFirst(_ candidates: [Candidate]) -> [Candidate] {
    candidates.sorted { $0.download == $1.download ? $0.name < $1.name : $0.download > $1.download }
  }

  /// Nil if it is downloaded in full.
  ///
  /// - `memory`: the bytes that looking into it may take.
  init?(_ candidate: Candidate, in repository: Repository, memory: Int) throws(PublisherError) {
    let entry = candidate.entry
    name = entry.name
    download = candidate.download
    fullDownload = entry.fullDownload
    switch entry.payload(from: candidate.old) {
    case .staged, .packed, .whole: return nil
    case .chain(let patches, _): means = .chain(patches: patches.count)
    case .patch(let container, _):
      means = .patch(
        try PatchContents(of: "\(repository.path)/\(container.url)"),
        streams: try LargeUpdate.streams(of: entry, after: candidate.old, in: repository, memory: memory))
    }
  }

  private static func streams(
    of entry: CatalogEntry, after old: CatalogEntry, in repository: Repository, memory: Int
  ) throws(PublisherError) -> StreamFigures {
    let path = "\(repository.path)/\(entry.url)"
    let oldBytes = try map("\(repository.path)/\(old.url)")
    let newBytes = try map(path)
    do throws(DeltaCreateError) {
      return try StreamFigures(
        old: oldBytes.bytes, new: newBytes.bytes, memory: memory, directory: Environment.temporaryDirectory)
    } catch { throw .payload(.notMade(path: path, error)) }
  }

  private static func map(_ path: String) throws(PublisherError) -> MappedFile {
    try onFile { () throws(FileError) in try MappedFile(try File(opening: path)) }
  }
}
