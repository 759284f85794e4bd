internal import Catalog
internal import Crypto
internal import MapModel
internal import Platform
internal import Releases

/// Reading the catalogs of a repository.
extension Repository {
  /// All components of a release, checked against the digests in the metadata and the catalog.
  func catalog(of served: ServedRelease) throws(PublisherError) -> CatalogIndex {
    try CatalogIndex(served) { (url, _) in "\(path)/\(url)" }
  }
}

extension CatalogIndex {
  /// Reads the catalog of a release with all of its parts, and checks the digests of both.
  ///
  /// - `file`: returns the path of a file, given its name in the repository and its size in bytes.
  init(
    _ served: ServedRelease, file: (String, UInt64) throws(PublisherError) -> String
  ) throws(PublisherError) {
    var entries: [CatalogEntry] = []
    let (parts, runs) = try CatalogIndex.read(served, file: file) { entry, _ in entries.append(entry) }
    self.init(entries, parts: parts, runs: runs)
  }

  /// Calls `body` with each component and the named regions above it; the parts, of all levels, and the runs of those that
  /// have some, by the first package.
  static func read(
    _ served: ServedRelease, file: (String, UInt64) throws(PublisherError) -> String,
    _ body: (CatalogEntry, [Region]) -> Void
  ) throws(PublisherError) -> (parts: [CatalogPart], runs: [PackageID: [PackageRun]]) {
    let path = try file(served.catalogURL, served.catalog.size)
    let catalog = try open(path, as: served.catalog)
    var parts: [CatalogPart] = []
    var runs: [PackageID: [PackageRun]] = [:]
    var reader = try reader(of: catalog)
    while let item = try next(of: &reader) {
      switch item {
      case .component(let entry): body(entry, reader.regions)
      case .part(let part):
        parts.append(part)
        let path = try file(part.url, part.file.size)
        if part.runs > 0 { runs[part.first] = try CatalogIndex.runs(of: part, at: path) }
        let file = try open(path, as: part.file)
        do throws(CatalogError) { try reader.enter(part, file) } catch { throw .repository(.catalog(error)) }
      }
    }
    // Unknown payloads must neither be removed nor left out of the next release.
    guard !reader.hasUnknownFormats else { throw .repository(.newerFormat(path: path)) }
    return (parts, runs)
  }

  private static func runs(of part: CatalogPart, at path: String) throws(PublisherError) -> [PackageRun] {
    let file = try open(path, as: part.file)
    do throws(CatalogError) { return try PackageRun.all(of: part, in: file) } catch {
      throw .repository(.catalog(error))
    }
  }

  private static func reader(of file: consuming File) throws(PublisherError) -> CatalogReader<XZSource> {
    do throws(CatalogError) { return try CatalogReader(file, detail: .full) } catch {
      throw .repository(.catalog(error))
    }
  }

  private static func next(of reader: inout CatalogReader<XZSource>) throws(PublisherError) -> CatalogItem? {
    do throws(CatalogError) { return try reader.nextItem() } catch { throw .repository(.catalog(error)) }
  }

  private static func open(
    _ path: String, as reference: CatalogReference
  ) throws(PublisherError) -> File {
    let found: FileDigest
    do throws(PublisherError) { found = try FileDigest.of(path) } catch {
      if case .file(let error) = error { throw .repository(.catalog(.file(error))) }
      throw error
    }
    guard CatalogReference(digest: found.digest, size: found.size) == reference else {
      throw .repository(.wrongDigest(path: path))
    }
    return try onFile { () throws(FileError) in try File(opening: path) }
  }
}
