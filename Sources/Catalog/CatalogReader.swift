package import Platform

/// A catalog, one entry at a time, in the memory of one entry.
package struct CatalogReader<Source: ByteSource & ~Copyable>: ~Copyable {
  private var reader: XMLReader<Source>
  private let detail: Detail
  private var last: ComponentName?
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
        let entry = try entry(XMLAttributes(attributes, path: reader.path, line: reader.line))
        if let last, !(last < entry.name) { throw reader.malformed(.unsorted(id: entry.name.path)) }
        last = entry.name
        return entry
      case .start: try reader.skipElement()
      case .end: break
      case .finish: return nil
      }
    }
  }

  private mutating func entry(_ attributes: XMLAttributes) throws(CatalogError) -> CatalogEntry {
    var entry = CatalogEntry(
      description: try Description(attributes),
      url: try attributes.text("url", where: Identifier.isRelativePath),
      size: try attributes.number("size"),
      digest: try attributes.digest("sha256"))
    while true {
      switch try reader.next() {
      case .start(let name, let list):
        let attributes = XMLAttributes(list, path: reader.path, line: reader.line)
        if try entry.description.geography.take(name, attributes, from: &reader, detail) { continue }
        switch name {
        case "packed": entry.packed = try container(attributes)
        case "patch":
          guard entry.patches.count < Limits.patches else { throw attributes.refused(.tooLarge) }
          entry.patches.append(
            Patch(from: try attributes.digest("from"), container: try container(attributes)))
        default: break
        }
        try reader.skipElement()
      case .end: return entry
      case .finish: throw reader.malformed(.truncated)
      }
    }
  }

  private func container(_ attributes: XMLAttributes) throws(CatalogError) -> Container {
    Container(
      url: try attributes.text("url", where: Identifier.isRelativePath),
      size: try attributes.number("size"),
      head: try attributes.digest("head"),
      memory: try attributes.number("memory"))
  }
}

extension CatalogReader where Source == XZSource {
  /// Opens a catalog as it is served.
  package init(_ file: consuming File, detail: Detail = .summary) throws(CatalogError) {
    let path = file.path
    try self.init(try XZSource(file), path: path, detail: detail)
  }
}
