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
    /// No patch leads to it that saves enough.
    case full
    case chain(patches: Int)
    /// `streams`: what can become of the compressed contents of the new file; a stream that can be rebuilt counts as
    /// `notSmaller`.
    case patch(PatchContents, streams: StreamFigures)
  }

  /// A component that is to be looked into.
  struct Candidate: Sendable {
    fileprivate let entry: CatalogEntry
    fileprivate let old: CatalogEntry
    fileprivate let download: UInt64
  }

  /// The largest updates from one release to the next, the largest first.
  static func candidates(of catalog: CatalogIndex, after base: CatalogIndex) -> [Candidate] {
    var found: [Candidate] = []
    for entry in catalog.entries {
      guard let old = base[entry.name], let payload = base.payload(for: entry) else { continue }
      found.append(Candidate(entry: entry, old: old, download: payload.download))
    }
    // Of the same size in the order of the catalog, so that the report is always the same.
    let order = found.indices.sorted {
      found[$0].download == found[$1].download ? $0 < $1 : found[$0].download > found[$1].download
    }
    return order.prefix(PublisherLimits.explainedUpdates).map { found[$0] }
  }

  init(_ candidate: Candidate, in repository: Repository) throws(PublisherError) {
    let entry = candidate.entry
    name = entry.name
    download = candidate.download
    fullDownload = entry.fullDownload
    switch entry.payload(from: candidate.old) {
    case .staged, .packed, .whole: means = .full
    case .chain(let patches, _): means = .chain(patches: patches.count)
    case .patch(let container, _):
      means = .patch(
        try PatchContents(of: "\(repository.path)/\(container.url)"),
        streams: try LargeUpdate.streams(of: entry, after: candidate.old, in: repository))
    }
  }

  private static func streams(
    of entry: CatalogEntry, after old: CatalogEntry, in repository: Repository
  ) throws(PublisherError) -> StreamFigures {
    let path = "\(repository.path)/\(entry.url)"
    let oldBytes = try map("\(repository.path)/\(old.url)")
    let newBytes = try map(path)
    do throws(DeltaCreateError) {
      return try StreamFigures(old: oldBytes.bytes, new: newBytes.bytes)
    } catch { throw .payload(.notMade(path: path, error)) }
  }

  private static func map(_ path: String) throws(PublisherError) -> MappedFile {
    try onFile { () throws(FileError) in try MappedFile(try File(opening: path)) }
  }
}
