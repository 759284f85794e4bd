internal import Crypto
internal import MapModel

// The elements of a catalog (`docs/format/catalog.md`, Catalog), each from its start tag, which was read, to its end.
extension CatalogReader where Source: ~Copyable {
  /// Reads a region to its end; what else it says is for later readers.
  mutating func region(_ attributes: XMLAttributes) throws(CatalogError) -> Region {
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

  mutating func entry(_ attributes: XMLAttributes) throws(CatalogError) -> CatalogEntry {
    var entry = CatalogEntry(
      description: try Description(attributes, newest: 3),
      url: try attributes.text("url", where: Identifier.isRelativePath),
      size: try attributes.number("size"),
      digest: try attributes.digest("sha256"))
    if entry.name.file.isTree { entry.files = try attributes.number("files") }
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

  /// Reads a component of an outline to its end.
  mutating func outlinedEntry(_ attributes: XMLAttributes) throws(CatalogError) -> CatalogEntry {
    func number(_ name: String) throws(CatalogError) -> UInt64? {
      attributes.optional(name) == nil ? nil : try attributes.number(name)
    }
    let description = Description(
      name: try attributes.componentName(), group: "", country: "", region: "",
      release: Release(number: 0, label: ""), dataSize: 0,
      indexSize: try number("index-size") ?? 0, isDetail: try attributes.claim("detail", yes: "1", no: "0"))
    var entry = CatalogEntry(
      description: description, url: "", size: try attributes.number("size"), digest: Digest())
    if let packed = try number("packed") {
      entry.packed = Container(
        url: "", size: packed, head: Digest(), memory: try attributes.number("memory"))
    }
    while true {
      switch try reader.next() {
      case .start(let name, let list):
        let attributes = XMLAttributes(list, path: reader.path, at: reader.position)
        let geography = try entry.description.geography.take(
          name, attributes: attributes, from: &reader, detail: detail)
        if !geography { try reader.skipElement() }
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

  // MARK: - Parts

  /// Reads the element of a part to its end.
  mutating func part(_ attributes: XMLAttributes) throws(CatalogError) -> CatalogPart {
    let level = try attributes.number("level")
    guard level < CatalogLimits.partLevels else { throw attributes.refused(.invalid(attribute: "level")) }
    var part = CatalogPart(
      from: try attributes.value("first") { PackageID($0) },
      to: try attributes.value("last") { PackageID($0) },
      level: level, packages: UInt32(clamping: try attributes.number("packages")),
      isFlat: try attributes.claim("flat", yes: "1", no: "0"),
      url: try attributes.text("url", where: Identifier.isRelativePath),
      file: CatalogReference(digest: try attributes.digest("sha256"), size: try attributes.number("size")))
    guard part.file.size <= CatalogLimits.catalogFile else { throw attributes.refused(.tooLarge) }
    var geography = Geography()
    while true {
      switch try reader.next() {
      case .start("bounds", let list):
        let attributes = XMLAttributes(list, path: reader.path, at: reader.position)
        _ = try geography.take("bounds", attributes: attributes, from: &reader, detail: .summary)
      case .start("data-group", let list):
        let attributes = XMLAttributes(list, path: reader.path, at: reader.position)
        guard part.groups.count < CatalogLimits.groups else { throw attributes.refused(.tooLarge) }
        part.groups.append(try sums(attributes))
        try reader.skipElement()
      case .start: try reader.skipElement()
      case .end:
        part.bounds = geography.bounds
        return part
      case .finish: throw reader.malformed(.truncated)
      }
    }
  }

  private func sums(_ attributes: XMLAttributes) throws(CatalogError) -> CatalogPart.GroupSums {
    var sums = CatalogPart.GroupSums(try attributes.value("name") { DataGroup($0) })
    sums.components = UInt32(clamping: try attributes.number("components"))
    sums.size = try attributes.number("size")
    sums.download = try attributes.number("download")
    sums.indexSize = try attributes.number("index-size")
    return sums
  }
}
