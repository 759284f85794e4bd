internal import Catalog
internal import MapModel

/// Writes the description in a `.dat` file and in a catalog (`docs/format/catalog.md`, Component).
extension Description {
  var xmlAttributes: [(String, String)] {
    let attributes = [
      ("version", "1"), ("id", name.id.text), ("data-group", name.dataGroup.text), ("group", group),
      ("country", country),
      ("region", region), ("release", "\(release.number)"), ("label", release.label),
      ("data-size", "\(dataSize)"), ("index-size", "\(indexSize)"), ("minimum-reader", "\(minimumReader)"),
    ]
    // Left out by default, so that components made before the attribute existed keep their bytes.
    return isDetail ? attributes + [("detail", "1")] : attributes
  }

  /// In a catalog: a file that does not say itself what it is has a path of its own.
  var catalogAttributes: [(String, String)] {
    guard !name.isDescribed else { return xmlAttributes }
    return [("version", name.file.isTree ? "3" : "2")] + xmlAttributes.dropFirst() + [("path", name.path)]
  }

  /// The whole XML document of a `.dat` file.
  package var document: String {
    var writer = XMLWriter()
    writer.open("component", attributes: xmlAttributes)
    geography.write(to: &writer)
    writer.close("component")
    return writer.text
  }
}

extension Geography {
  func write(to writer: inout XMLWriter) {
    for name in names {
      writer.element(
        "name", attributes: name.language.isEmpty ? [] : [("xml:lang", name.language)], content: name.text)
    }
    if let bounds {
      writer.element(
        "bounds",
        attributes: [
          ("south", bounds.south.text), ("west", bounds.west.text), ("north", bounds.north.text),
          ("east", bounds.east.text),
        ])
    }
    for polygon in polygons { writer.element("polygon", attributes: [], content: polygon) }
  }
}
