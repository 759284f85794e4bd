package import Catalog
internal import Crypto
package import MapModel

/// Writes a document of a catalog, piece by piece.
package struct CatalogWriter {
  private var writer = XMLWriter()
  private let root: String

  /// Begins the catalog of a release.
  ///
  /// - `hasParts`: it lists parts, and not the components themselves.
  package init(_ release: Release, hasParts: Bool = false) {
    root = "catalog"
    writer.open(
      root,
      attributes: [
        ("version", hasParts ? "2" : "1"), ("release", "\(release.number)"), ("label", release.label),
      ])
  }

  /// Begins a part.
  package init() {
    root = "part"
    writer.open(root, attributes: [("version", "1")])
  }

  /// Adds a replaced package; all of them come first, in the order of their ids and successors.
  package mutating func add(_ replacement: Replacement) {
    var attributes = [
      ("id", replacement.id.text), ("by", replacement.successor.text), ("release", "\(replacement.release)"),
    ]
    if replacement.isKept { attributes.append(("kept", "1")) }
    writer.element("replaced", attributes: attributes)
  }

  /// Adds an entry; the caller keeps the order of `ComponentName`.
  package mutating func add(_ entry: CatalogEntry) {
    var file = [("size", "\(entry.size)"), ("sha256", entry.digest.hex), ("url", entry.url)]
    if let files = entry.files { file.append(("files", "\(files)")) }
    writer.open("component", attributes: entry.description.catalogAttributes + file)
    entry.description.geography.write(to: &writer)
    if let packed = entry.packed { writer.element("packed", attributes: attributes(packed)) }
    for patch in entry.patches {
      var ends = [("from", patch.from.hex)]
      if let to = patch.to { ends += [("to", to.digest.hex), ("to-size", "\(to.size)")] }
      writer.element("patch", attributes: ends + attributes(patch.container))
    }
    writer.close("component")
  }

  /// Begins the outline of a part: the same components as in the part, in brief, and the same regions.
  package mutating func openOutline() { writer.open("outline", attributes: []) }

  package mutating func closeOutline() { writer.close("outline") }

  /// Adds an entry of an outline.
  package mutating func add(outlined entry: CatalogEntry) {
    let (name, description) = (entry.name, entry.description)
    var attributes = [
      ("id", name.id.text), ("data-group", name.dataGroup.text), ("size", "\(entry.size)"),
    ]
    if !name.isDescribed { attributes.append(("path", name.path)) }
    if description.indexSize > 0 { attributes.append(("index-size", "\(description.indexSize)")) }
    if let packed = entry.packed {
      attributes += [("packed", "\(packed.size)"), ("memory", "\(packed.memory)")]
    }
    if description.isDetail { attributes.append(("detail", "1")) }
    writer.open("component", attributes: attributes)
    entry.outlined.description.geography.write(to: &writer)
    writer.close("component")
  }

  /// Adds a part; the caller keeps the order, as for components.
  package mutating func add(_ part: CatalogPart) {
    var attributes = [
      ("first", part.first.text), ("last", part.last.text), ("level", "\(part.level)"),
      ("packages", "\(part.packages)"),
    ]
    if part.isFlat { attributes.append(("flat", "1")) }
    attributes += [("size", "\(part.file.size)"), ("sha256", part.file.digest.hex), ("url", part.url)]
    writer.open("part", attributes: attributes)
    var geography = Geography()
    geography.bounds = part.bounds
    geography.write(to: &writer)
    for group in part.groups {
      writer.element(
        "data-group",
        attributes: [
          ("name", group.name.text), ("components", "\(group.components)"), ("size", "\(group.size)"),
          ("download", "\(group.download)"), ("index-size", "\(group.indexSize)"),
        ])
    }
    writer.close("part")
  }

  /// Adds a region; its first component comes next, or a region in it.
  package mutating func add(_ region: Region) {
    writer.open("region", attributes: [("id", region.id.text)])
    var geography = Geography()
    geography.names = region.names
    geography.write(to: &writer)
    writer.close("region")
  }

  /// Ends the document.
  package mutating func finish() { writer.close(root) }

  /// The text written since the last call.
  package mutating func takeText() -> String { writer.takeText() }

  private func attributes(_ container: Container) -> [(String, String)] {
    var attributes = [
      ("url", container.url), ("size", "\(container.size)"), ("head", container.head.hex),
      ("memory", "\(container.memory)"), ("format", "\(Container.format)"),
    ]
    if container.recompressed > 0 { attributes.append(("recompressed", "\(container.recompressed)")) }
    return attributes
  }
}
