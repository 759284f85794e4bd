package import MapModel
package import Platform

/// A catalog, one entry at a time, in the memory of one entry.
package struct CatalogReader<Source: ByteSource & ~Copyable>: ~Copyable {
  private var reader: XMLReader<Source>
  private let detail: Detail
  private var last: ComponentName?
  /// Packages that the next one might be nested in: its id starts with the bytes of each of theirs.
  private var outer: [PackageID] = []
  /// The named regions above the entry that was read last, the outermost first; at most seven.
  package private(set) var regions: [Region] = []
  /// How many of `regions`, from the end, still wait for their first component.
  private var waitingRegions = 0
  /// Payloads were passed over so far because their format is not known.
  package private(set) var hasUnknownFormats = false
  package let release: Release

  /// Reads the document's first tag.
  package init(_ source: consuming Source, path: String, detail: Detail = .summary) throws(CatalogError) {
    var reader = try XMLReader(source, path: path)
    let attributes = try reader.root("catalog")
    try attributes.checkVersion()
    let release = try attributes.release(number: "release")
    self.release = release
    self.reader = reader
    self.detail = detail
  }

  /// The next entry; nil when the document is complete.
  package mutating func next() throws(CatalogError) -> CatalogEntry? {
    while true {
      switch try reader.next() {
      case .start("component", let attributes):
        let entry = try entry(XMLAttributes(attributes, path: reader.path, at: reader.position))
        if let last, !(last < entry.name) { throw reader.malformed(.unsorted(entry.name)) }
        try enter(entry.name.id)
        last = entry.name
        try closeRegions(above: entry.name.id)
        return entry
      case .start("region", let attributes):
        try open(try region(XMLAttributes(attributes, path: reader.path, at: reader.position)))
      case .start: try reader.skipElement()
      case .end: break
      case .finish:
        if waitingRegions > 0, let region = regions.last { throw misplaced(region) }
        return nil
      }
    }
  }

  /// Refuses a package below another one.
  private mutating func enter(_ id: PackageID) throws(CatalogError) {
    if let last, last.id == id { return }
    while let package = outer.last, !id.text.utf8.starts(with: package.text.utf8) { outer.removeLast() }
    guard !outer.contains(where: { $0.isAbove(id) }) else {
      throw reader.malformed(.nestedPackage(id: id))
    }
    outer.append(id)
  }

  // MARK: - Regions

  /// Reads a region to its end; what else it says is for later readers.
  private mutating func region(_ attributes: XMLAttributes) throws(CatalogError) -> Region {
    let id = try attributes.value("id") { PackageID($0) }
    var geography = Geography()
    while true {
      switch try reader.next() {
      case .start("name", let list):
        let attributes = XMLAttributes(list, path: reader.path, at: reader.position)
        _ = try geography.take("name", attributes: attributes, from: &reader, detail: .summary)
      case .start: try reader.skipElement()
      case .end:
        guard !geography.names.isEmpty else { throw attributes.refused(.missing(attribute: "name")) }
        return Region(id: id, names: geography.names)
      case .finish: throw reader.malformed(.truncated)
      }
    }
  }

  /// Takes a region that has come before its first component.
  private mutating func open(_ region: Region) throws(CatalogError) {
    if waitingRegions == 0 {
      while let inner = regions.last, !inner.id.isAbove(region.id) {
        regions.removeLast()
      }
    }
    if let outer = regions.last, !outer.id.isAbove(region.id) { throw misplaced(region) }
    if let last, region.id.isAbove(last.id) { throw misplaced(region) }
    regions.append(region)
    waitingRegions += 1
  }

  /// Drops the regions that `id` is not in; one that waits for its first component must be above it.
  private mutating func closeRegions(above id: PackageID) throws(CatalogError) {
    while let region = regions.last, !region.id.isAbove(id) {
      guard waitingRegions == 0 else { throw misplaced(region) }
      regions.removeLast()
    }
    waitingRegions = 0
  }

  private func misplaced(_ region: Region) -> CatalogError {
    reader.malformed(.misplacedRegion(id: region.id))
  }

  // MARK: - Entries

  /// How much to keep of a component: a package's first one says where on the globe the package is.
  private func detail(of id: PackageID) -> Detail {
    guard case .covering = detail, let last, last.id == id else { return detail }
    return .summary
  }

  private mutating func entry(_ attributes: XMLAttributes) throws(CatalogError) -> CatalogEntry {
    var entry = CatalogEntry(
      description: try Description(attributes),
      url: try attributes.text("url", where: Identifier.isRelativePath),
      size: try attributes.number("size"),
      digest: try attributes.digest("sha256"))
    let detail = detail(of: entry.name.id)
    while true {
      switch try reader.next() {
      case .start(let name, let list):
        let attributes = XMLAttributes(list, path: reader.path, at: reader.position)
        if try entry.description.geography.take(name, attributes: attributes, from: &reader, detail: detail) {
          continue
        }
        switch name {
        case "packed", "patch":
          guard try isKnownFormat(attributes) else { break }
          guard name == "patch" else {
            entry.packed = try container(attributes)
            break
          }
          let patch = try patch(attributes)
          guard patch.to?.digest != entry.digest else { throw attributes.refused(.invalid(attribute: "to")) }
          let others = entry.patches.count { ($0.to == nil) == (patch.to == nil) }
          guard others < (patch.to == nil ? CatalogLimits.patches : CatalogLimits.hops) else {
            throw attributes.refused(.tooLarge)
          }
          entry.patches.append(patch)
        default: break
        }
        try reader.skipElement()
      case .end: return entry
      case .finish: throw reader.malformed(.truncated)
      }
    }
  }

  /// A payload of another format is passed over, whatever else its element says: the component comes another way.
  private mutating func isKnownFormat(_ attributes: XMLAttributes) throws(CatalogError) -> Bool {
    if Container.readableFormats.contains(try attributes.number("format")) { return true }
    hasUnknownFormats = true
    return false
  }

  private func patch(_ attributes: XMLAttributes) throws(CatalogError) -> Patch {
    let from = try attributes.digest("from")
    var to: Intermediate?
    if attributes.optional("to") != nil || attributes.optional("to-size") != nil {
      to = Intermediate(digest: try attributes.digest("to"), size: try attributes.number("to-size"))
    }
    // It would lead nowhere.
    guard to?.digest != from else { throw attributes.refused(.invalid(attribute: "to")) }
    return Patch(from: from, to: to, container: try container(attributes))
  }

  private func container(_ attributes: XMLAttributes) throws(CatalogError) -> Container {
    Container(
      url: try attributes.text("url", where: Identifier.isRelativePath),
      size: try attributes.number("size"),
      head: try attributes.digest("head"),
      memory: try attributes.number("memory"),
      recompressed: attributes.optional("recompressed") == nil ? 0 : try attributes.number("recompressed"))
  }
}

extension CatalogReader where Source == XZSource {
  /// Opens a catalog as it is served.
  package init(_ file: consuming File, detail: Detail = .summary) throws(CatalogError) {
    let path = file.path
    try self.init(try XZSource(file), path: path, detail: detail)
  }
}
