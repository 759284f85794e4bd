package import Catalog
internal import Crypto
package import MapModel

/// Writes the XML of a catalog, piece by piece.
package struct CatalogWriter {
  private var writer = XMLWriter()

  package init(_ release: Release) {
    writer.open(
      "catalog", attributes: [("version", "1"), ("release", "\(release.number)"), ("label", release.label)])
  }

  /// Adds an entry; the caller keeps the order of `ComponentName`.
  package mutating func add(_ entry: CatalogEntry) {
    let file = [("size", "\(entry.size)"), ("sha256", entry.digest.hex), ("url", entry.url)]
    writer.open("component", attributes: entry.description.xmlAttributes + file)
    entry.description.geography.write(to: &writer)
    if let packed = entry.packed { writer.element("packed", attributes: attributes(packed)) }
    for patch in entry.patches {
      var ends = [("from", patch.from.hex)]
      if let to = patch.to { ends += [("to", to.digest.hex), ("to-size", "\(to.size)")] }
      writer.element("patch", attributes: ends + attributes(patch.container))
    }
    writer.close("component")
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
  package mutating func finish() { writer.close("catalog") }

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
