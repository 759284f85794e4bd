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
    var regions = RegionNames()
    let parts = try CatalogIndex.read(served, file: file) { entry, above in
      entries.append(entry)
      regions.add(above)
    }
    self.init(
      entries, parts: parts, replaced: try CatalogIndex.replaced(served, file: file), regions: regions)
  }

  /// The packages that others have taken the place of.
  static func replaced(
    _ served: ServedRelease, file: (String, UInt64) throws(PublisherError) -> String
  ) throws(PublisherError) -> [Replacement] {
    var replaced: [Replacement] = []
    let reader = try reader(of: open(try file(served.catalogURL, served.catalog.size), as: served.catalog))
    do throws(CatalogError) { try reader.forEachReplacement { replaced.append($0) } } catch {
      throw .repository(.catalog(error))
    }
    return replaced
  }

  /// A sentence for each part whose sums or outline are not those of its components.
  ///
  /// - `base`: the path or URL of the repository.
  /// - `file`: as above; the files are there.
  func flaws(
    of served: ServedRelease, at base: String, file: (String, UInt64) throws(PublisherError) -> String
  ) throws(PublisherError) -> [String] {
    let sums = wrongSums.map { "\(base)/\($0.url) does not have the sums that its catalog lists." }
    let outlines = try wrongOutlines(of: served, file: file).map {
      "\(base): the outline of a part has \($0.path) otherwise than the part."
    }
    return sums + outlines
  }

  /// The components that the outline of a part has otherwise than the part itself.
  ///
  /// - `file`: as above; the files are there.
  func wrongOutlines(
    of served: ServedRelease, file: (String, UInt64) throws(PublisherError) -> String
  ) throws(PublisherError) -> [ComponentName] {
    var rest = entries[...]
    var wrong: [ComponentName] = []
    _ = try CatalogIndex.read(served, byOutline: true, file: file) { entry, _ in
      // Both are in order; one that is only on one side makes no other wrong.
      while let missing = rest.first, missing.name < entry.name {
        wrong.append(missing.name)
        rest.removeFirst()
      }
      let isListed = rest.first?.isListed(as: entry, byOutline: true) ?? false
      if rest.first?.name == entry.name { rest.removeFirst() }
      if !isListed { wrong.append(entry.name) }
    }
    return wrong + rest.map(\.name)
  }

  /// Calls `body` with each component and the named regions above it; the parts, of all levels.
  ///
  /// - `byOutline`: as the outlines of parts have the components, if they are there.
  static func read(
    _ served: ServedRelease, byOutline: Bool = false, file: (String, UInt64) throws(PublisherError) -> String,
    _ body: (CatalogEntry, [Region]) -> Void
  ) throws(PublisherError) -> [CatalogPart] {
    let path = try file(served.catalogURL, served.catalog.size)
    let catalog = try open(path, as: served.catalog)
    var parts: [CatalogPart] = []
    var reader = try reader(of: catalog)
    while let item = try next(of: &reader) {
      switch item {
      case .component(let entry): body(entry, reader.regions)
      case .part(let part):
        parts.append(part)
        let file = try open(try file(part.url, part.file.size), as: part.file)
        do throws(CatalogError) { try reader.enter(part, file, byOutline: byOutline) } catch {
          throw .repository(.catalog(error))
        }
      }
    }
    // Unknown payloads must neither be removed nor left out of the next release.
    guard !reader.hasUnknownFormats else { throw .repository(.newerFormat(path: path)) }
    return parts
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
    return try onFile { () throws(Failure) in try File(opening: path) }
  }
}
